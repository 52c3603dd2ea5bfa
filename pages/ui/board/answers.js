// One question: the truth against private answers, as bands or one release after the other.
import { button, html, keep, set, write } from "./dom.js";
import { number } from "./words.js";
import { makeView } from "./view.js";

const PACE = 700; // milliseconds a release stays on show
const LIMITS = [[0, 6, "wide"], [1, 5, "middle"], [2, 4, "narrow"]];

function makeAnswers(root) {
  const view = makeView("answer", () => tableOfAnswers(state.data));
  const play = button("Play single releases", () => turn(!state.playing), { "aria-pressed": "false" });
  const next = button("Next", () => advance());
  const which = html("span", { class: "summary", role: "status" });
  view.controls.append(which, next, play);
  const key = html("div", { class: "key" });
  const head = html("thead");
  const body = html("tbody");
  const table = html("table", { class: "answers-table" }, head, body);
  view.body.append(key, html("div", { class: "scroll" }, table));
  const lead = html("p", { class: "finding lead" });
  root.append(html("div", { class: "sheet" }, lead, view.node));
  const state = { data: null, at: null, playing: false, timer: 0, shape: "" };

  function turn(on) {
    clearInterval(state.timer);
    state.playing = on;
    if (on) {
      state.at ??= 0;
      state.timer = setInterval(() => (root.isConnected ? advance() : turn(false)), PACE);
    } else state.at = null;
    paint();
  }

  function advance() {
    const count = state.data.methods[0]?.releases.length ?? 0;
    state.at = count ? ((state.at ?? -1) + 1) % count : null;
    paint();
  }

  function paint() {
    const { data, at } = state;
    const count = data.methods[0]?.releases.length ?? 0;
    set(play, { "aria-pressed": String(state.playing) });
    write(play, state.playing ? "Stop" : "Play single releases");
    next.hidden = !state.playing;
    write(which, at === null ? "" : `release ${at + 1} of ${count}`);
    paintKeys(key, data);
    paintAnswerRows(state, head, body);
  }

  return {
    update(data) {
      state.data = data;
      if (state.at !== null && state.at >= (data.methods[0]?.releases.length ?? 0)) state.at = 0;
      write(lead, data.lead);
      view.show(data);
      set(table, { "aria-label": data.alt });
      paint();
    },
  };
}

function paintKeys(key, data) {
  keep(key, data.methods, (m) => m.method, (m) => {
    const text = html("span");
    return { node: html("span", {}, html("i", { class: `fill-${m.hue}` }), text), text };
  }).forEach(({ text }, i) => write(text, `${data.methods[i].method}: ${data.methods[i].note}`));
}

function paintAnswerRows(state, head, body) {
  const { data } = state;
  const shape = JSON.stringify([data.mode, data.head, data.methods.map((m) => m.method)]);
  if (shape !== state.shape) {
    state.shape = shape;
    body.replaceChildren();
    body.kept = undefined;
    head.replaceChildren(html("tr", {}, ...data.head.map((h) => html("th", { scope: "col" }, h)),
      ...data.methods.map((m) => html("th", { scope: "col", class: `tone-${m.hue}` }, m.method))));
  }
  const make = data.mode === "states" ? makeStateRow : makeBandRow;
  const paint = data.mode === "states" ? paintStateRow : paintBandRow;
  keep(body, data.labels.map((_, i) => i), (i) => i, () => make(data)).forEach((piece, i) => paint(piece, state, i));
}

function makeBandRow(data) {
  const label = html("th", { scope: "row" });
  const truth = html("td", { class: "truth" });
  const strips = data.methods.map((m) => {
    const bands = LIMITS.map(([, , name]) => html("i", { class: `${name} fill-${m.hue}` }));
    const dot = html("i", { class: `dot fill-${m.hue}` });
    const tick = html("i", { class: "tick" });
    return { bands, dot, tick, node: html("div", { class: "strip", "aria-hidden": "true" }, ...bands, tick, dot) };
  });
  const figures = data.methods.map((m) => html("td", { class: `range tone-${m.hue}` }));
  const cell = html("td", { class: "strips" }, ...strips.map((s) => s.node));
  return { node: html("tr", {}, label, cell, truth, ...figures), label, truth, strips, figures };
}

const along = (value) => `${(100 * value).toFixed(2)}%`;

function paintBandRow({ label, truth, strips, figures }, { data, at }, i) {
  write(label, data.labels[i]);
  write(truth, number("probability", data.truth[i]));
  data.methods.forEach((m, k) => {
    const { bands, dot, tick } = strips[k];
    LIMITS.forEach(([low, high], b) => {
      bands[b].style.left = along(m.bands[low][i]);
      bands[b].style.width = along(m.bands[high][i] - m.bands[low][i]);
      bands[b].hidden = at !== null;
    });
    tick.style.left = along(data.truth[i]);
    dot.hidden = at === null;
    if (at !== null) dot.style.left = along(m.releases[at][i]);
    write(figures[k], at === null ? `${number("probability", m.bands[0][i])} to ${number("probability", m.bands[6][i])}` : number("probability", m.releases[at][i]));
  });
}

function makeStateRow(data) {
  const label = html("th", { scope: "row" });
  const truth = html("td", { class: "truth" });
  const cells = data.methods.map((m) => {
    const bar = html("i", { class: `beam fill-${m.hue}` });
    const text = html("span");
    return { bar, text, node: html("td", { class: "agree" }, html("div", { class: "length" }, bar), text) };
  });
  return { node: html("tr", {}, label, truth, ...cells.map((c) => c.node)), label, truth, cells };
}

function paintStateRow({ label, truth, cells }, { data, at }, i) {
  write(label, data.labels[i]);
  write(truth, data.states[i][data.truth[i]]);
  data.methods.forEach((m, k) => {
    const { bar, text, node } = cells[k];
    bar.style.width = along(m.agree[i]);
    const other = at !== null && m.releases[at][i] !== data.truth[i];
    node.classList.toggle("other", other);
    node.classList.toggle("single", at !== null);
    write(text, at === null ? number("share", m.agree[i]) : `${other ? "≠ " : "= "}${data.states[i][m.releases[at][i]]}`);
  });
}

function tableOfAnswers(data) {
  if (data.mode === "states") {
    return [["variable", "truth", ...data.methods.map((m) => `${m.method} agrees`)],
      ...data.labels.map((name, i) => [name, data.states[i][data.truth[i]], ...data.methods.map((m) => m.agree[i])])];
  }
  const levels = ["2.5 %", "10 %", "25 %", "median", "75 %", "90 %", "97.5 %"];
  return [["states", "truth", "method", ...levels], ...data.labels.flatMap((label, i) =>
    data.methods.map((m) => [label, data.truth[i], m.method, ...m.bands.map((q) => q[i])]))];
}

const answerBoards = new WeakMap();

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".board");
  if (!answerBoards.has(root)) answerBoards.set(root, makeAnswers(root));
  answerBoards.get(root).update(data);
}
