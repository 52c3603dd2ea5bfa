// The live slider for ε: a native range input on a logarithmic scale.
//
// While it is dragged it sends its latest value, never a queue of old ones: at most every PAUSE
// milliseconds, and not before the previous value is answered, because a new value stops the run
// that computes the old one. PATIENCE bounds the wait for an answer that got lost.
const PAUSE = 70;
const PATIENCE = 1000;
const SETTLE = 250; // stillness after which the rest of the page follows
const STEP = 0.02;
const NARROW = 900; // pixels

const toEpsilon = (place, low, high) => Number((low * (high / low) ** place).toPrecision(3));
const toPlace = (value, low, high) =>
  Math.min(1, Math.max(0, Math.log(value / low) / Math.log(high / low)));

const boardOnPage = () => {
  for (const host of document.querySelectorAll('[data-testid="stBidiComponentIsolated"]')) {
    const board = host.shadowRoot?.querySelector(".board");
    if (board) return board;
  }
  return null;
};

// Answered when the board shows the value, or, on a page without it, when the run has ended
// (Streamlit marks the app while one is under way; right after sending it has not begun).
function answered(sent, passed) {
  const board = boardOnPage();
  if (board && Number(board.dataset.epsilon) === sent) return true;
  const app = document.querySelector(".stApp");
  return passed > 3 * PAUSE && app?.dataset.testScriptState === "notRunning";
}

function element(tag, name, text) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text) made.textContent = text;
  return made;
}

function build(root, { low, high, ticks }) {
  const input = element("input");
  Object.assign(input, { type: "range", min: 0, max: 1, step: 0.001 });
  input.setAttribute("aria-label", "ε total budget");
  const scale = element("div", "scale");
  for (const tick of ticks) {
    const label = element("span", "", String(tick));
    label.style.left = `${100 * toPlace(tick, low, high)}%`;
    scale.append(label);
  }
  const ends = element("div", "ends");
  ends.append(element("span", "", "more private"), element("span", "", "more accurate"));
  root.replaceChildren(input, scale, ends);
  return { input, held: false, waiting: null, sent: null, sentAt: -1e9, timer: 0, server: null };
}

function show(state, place, epsilon) {
  state.input.value = place;
  state.input.style.setProperty("--fill", `${100 * place}%`);
  state.input.setAttribute("aria-valuetext", `ε ${epsilon}`);
}

function flush(state) {
  clearTimeout(state.timer);
  if (state.waiting === null) return;
  const passed = performance.now() - state.sentAt;
  if (passed < PAUSE || (passed < PATIENCE && !answered(state.sent, passed))) {
    state.timer = setTimeout(() => flush(state), Math.max(10, PAUSE - passed));
    return;
  }
  state.sent = state.waiting;
  state.sentAt = performance.now();
  state.waiting = null;
  deliver(state, state.sent);
}

// A page that listens redraws only itself while ε moves, which takes half the time; the sidebar,
// the address and everything else follow once the slider rests. Other pages rerun whole.
function deliver(state, epsilon) {
  const live = window.equipoiseLive;
  if (!live?.root.isConnected) {
    state.commit(epsilon);
    return;
  }
  live.send(epsilon);
  clearTimeout(state.settling);
  state.settling = setTimeout(() => {
    if (state.waiting === null) state.commit(state.sent);
  }, SETTLE);
}

function listen(state) {
  const { input } = state;
  const moved = () => {
    const epsilon = toEpsilon(Number(input.value), state.low, state.high);
    show(state, Number(input.value), epsilon);
    state.waiting = epsilon;
    flush(state);
  };
  input.addEventListener("input", moved);
  input.addEventListener("pointerdown", () => (state.held = true));
  for (const end of ["pointerup", "pointercancel", "blur"]) {
    input.addEventListener(end, () => (state.held = false));
  }
  const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 5, PageDown: -5 };
  input.addEventListener("keydown", (event) => {
    const step = steps[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    input.value = Math.min(1, Math.max(0, Number(input.value) + step * STEP));
    moved();
  });
}

// An older answer must not pull the thumb back from under the pointer.
function follow(state, value) {
  if (value === state.server) return;
  state.server = value;
  const late = state.sent !== null && value !== state.sent;
  const recent = performance.now() - state.sentAt < PATIENCE;
  if (state.held || state.waiting !== null || (late && recent)) return;
  state.sent = null;
  show(state, toPlace(value, state.low, state.high), value);
}

// On a narrow screen the sidebar would cover half of the page: start with it closed, once.
function closeOnNarrow() {
  if (window.innerWidth >= NARROW || window.equipoiseSidebar) return;
  window.equipoiseSidebar = "closed";
  document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
}

const sliders = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".epsilon");
  if (!sliders.has(root)) {
    sliders.set(root, build(root, data));
    listen(sliders.get(root));
    closeOnNarrow();
  }
  const state = sliders.get(root);
  Object.assign(state, { low: data.low, high: data.high });
  state.commit = (epsilon) => setTriggerValue("epsilon", epsilon);
  follow(state, data.value);
  return () => clearTimeout(state.timer);
}
