// A live slider: a native range input, on a logarithmic scale where the knob asks for one.
//
// While it is dragged it sends its latest value, never a queue of old ones: at most every PAUSE
// milliseconds, and not before the previous value is answered, because a new value stops the run
// that computes the old one. PATIENCE bounds the wait for an answer that got lost.
import { html, set } from "./dom.js";

const PAUSE = 70;
const PATIENCE = 1000;
const SETTLE = 250; // stillness after which the rest of the page follows
const STEP = 0.02;

const toValue = (place, { low, high, log }) =>
  Number((log ? low * (high / low) ** place : low + place * (high - low)).toPrecision(3));
const toPlace = (value, { low, high, log }) =>
  Math.min(1, Math.max(0, log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low)));

const boardOnPage = () => [...document.querySelectorAll('[data-testid="stBidiComponentIsolated"]')]
  .map((host) => host.shadowRoot?.querySelector(".board")).find(Boolean);

// Answered when the slider or the board shows the value, or, on a page without it, when the run has
// ended (Streamlit marks the app while one is under way; right after sending it has not begun).
function answered(state, passed) {
  if (state.sent === null) return true;
  const board = boardOnPage();
  if (Number(board?.dataset[state.name]) === state.sent) return true; // an absent one is not a number
  const app = document.querySelector(".stApp");
  return passed > 3 * PAUSE && app?.dataset.testScriptState === "notRunning";
}

const sliders = new WeakMap();

function buildSlider(root, data) {
  const input = html("input", { type: "range", min: 0, max: 1, step: 0.001, "aria-label": data.label });
  const ticks = data.ticks.map((tick) => html("span", { style: `left: ${100 * toPlace(tick, data)}%` }, tick));
  const ends = data.ends.map((end) => html("span", {}, end));
  root.replaceChildren(input, html("div", { class: "scale" }, ...ticks), html("div", { class: "ends" }, ...ends));
  const state = { input, held: false, waiting: null, sent: null, sentAt: -1e9, timer: 0, server: null };
  hearSlider(state);
  sliders.set(root, state);
  return state;
}

function showPlace(state, place, value) {
  state.input.value = place;
  state.input.style.setProperty("--fill", `${100 * place}%`);
  set(state.input, { "aria-valuetext": `${state.symbol} ${value}` });
}

function sendLatest(state) {
  clearTimeout(state.timer);
  if (state.waiting === null) return;
  const passed = performance.now() - state.sentAt;
  if (passed < PAUSE || (passed < PATIENCE && !answered(state, passed))) {
    state.timer = setTimeout(() => sendLatest(state), Math.max(10, PAUSE - passed));
    return;
  }
  state.sent = state.waiting;
  state.sentAt = performance.now();
  state.waiting = null;
  deliver(state, state.sent);
}

// A page that listens redraws only itself while a knob moves, which takes half the time; the sidebar,
// the address and everything else follow once the slider rests. Other pages rerun whole.
function deliver(state, value) {
  const live = window.equipoiseLive;
  if (!live?.root.isConnected) return void state.commit(value);
  live.send(state.name, value);
  rest(state, value);
}

// What is under way is shown first: the whole page would stop it, and start with something longer.
// The value is kept here: an answer clears what was sent, and a knob that never rests jumps back.
function rest(state, value) {
  clearTimeout(state.settling);
  state.settling = setTimeout(() => {
    if (state.waiting !== null) return;
    const passed = performance.now() - state.sentAt;
    if (passed < PATIENCE && !answered(state, passed)) rest(state, value);
    else state.commit(value);
  }, SETTLE);
}

function hearSlider(state) {
  const { input } = state;
  const moved = () => {
    const value = toValue(Number(input.value), state);
    showPlace(state, Number(input.value), value);
    state.waiting = value;
    sendLatest(state);
  };
  input.addEventListener("input", moved);
  input.addEventListener("pointerdown", () => (state.held = true));
  for (const end of ["pointerup", "pointercancel", "blur"]) input.addEventListener(end, () => (state.held = false));
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
function followValue(state, value) {
  if (value === state.server) return;
  state.server = value;
  const late = state.sent !== null && value !== state.sent;
  const recent = performance.now() - state.sentAt < PATIENCE;
  if (state.held || state.waiting !== null || (late && recent)) return;
  state.sent = null;
  showPlace(state, toPlace(value, state), value);
}

// The slider in `root` with the knob's data; `commit` receives the value at which it rests.
export function paintSlider(root, data, commit) {
  const state = sliders.get(root) ?? buildSlider(root, data);
  Object.assign(state, { low: data.low, high: data.high, log: data.log, name: data.name, symbol: data.symbol, commit });
  state.input.disabled = data.disabled;
  followValue(state, data.value);
  return () => clearTimeout(state.timer);
}
