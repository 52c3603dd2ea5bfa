// The checklist: each line with its state as shape and word, its number, and what to do.
import { button, html, keep, set, write } from "./dom.js";
import { makeView } from "./view.js";
import { verdictIcon } from "./claims.js";

const STATES = {
  pass: ["pass", "passes"],
  note: ["unknown", "remark"],
  fail: ["fail", "fails"],
  overridden: ["unknown", "passes for your reason"],
};
const stateOf = (line) => (line.reason ? "overridden" : line.state);

function makeChecks() {
  const list = html("ol", { class: "checks-list" });
  const board = { data: null, send: () => {} };
  const view = makeView("checks-view", () => tableOfChecks(board.data));
  view.body.append(list);
  board.node = view.node;
  board.update = (data) => {
    board.data = data;
    view.show(data);
    keep(list, data.lines, (l) => l.key, (l) => makeCheck(l.key, board)).forEach((piece, i) => paintCheck(piece, data.lines[i], i));
  };
  return board;
}

function makeCheck(key, board) {
  const sign = html("span", { class: "sign" });
  const place = html("span", { class: "place" });
  const title = html("b");
  const word = html("span", { class: "word" });
  const figure = html("span", { class: "number" });
  const sentence = html("p");
  const advice = html("p", { class: "advice" });
  const go = button("", () => goTo(go.dataset.place));
  const reason = html("p", { class: "reason" });
  const back = button("Withdraw", () => board.send("withdraw", key));
  const input = html("input", { type: "text", maxlength: 1000, placeholder: "Why may this pass?" });
  const accept = button("Accept and record the reason", () => board.send("override", { key, reason: input.value }));
  input.addEventListener("keydown", (event) => { if (event.key === "Enter") accept.click(); });
  const refusal = html("p", { class: "refusal", role: "alert" });
  const form = html("div", { class: "override" }, input, accept);
  const acts = html("div", { class: "acts" }, go, back, form);
  const node = html("li", {}, sign, place, html("div", { class: "name" }, title, word),
    html("div", { class: "told" }, figure, sentence, advice, reason, acts, refusal));
  return { node, sign, place, title, word, figure, sentence, advice, go, reason, back, input, form, acts, refusal, state: "" };
}

function paintCheck(piece, line, index) {
  const state = stateOf(line);
  const [icon, word] = STATES[state];
  if (piece.state !== state) {
    piece.sign.replaceChildren(verdictIcon(icon, word));
    if (state !== "fail") piece.input.value = "";
    piece.state = state;
  }
  set(piece.node, { class: state, "data-key": line.key });
  write(piece.place, String(index + 1));
  write(piece.title, line.title);
  write(piece.word, `${word}, ${line.basis}`);
  write(piece.figure, line.number);
  write(piece.sentence, `${line.sentence}.`);
  write(piece.advice, line.advice);
  piece.advice.hidden = line.advice === "" || state === "pass";
  write(piece.reason, line.reason ? `Your reason: ${line.reason}` : "");
  piece.reason.hidden = line.reason === "";
  piece.go.hidden = line.action === null;
  write(piece.go, line.action === null ? "" : line.action[0]);
  piece.go.dataset.place = line.action === null ? "" : line.action[1];
  piece.back.hidden = line.reason === "";
  set(piece.back, { "aria-label": `Withdraw the reason: ${line.title}` });
  piece.form.hidden = state !== "fail" || line.final;
  set(piece.input, { "aria-label": `Reason: ${line.title}` });
  piece.acts.hidden = piece.go.hidden && piece.back.hidden && piece.form.hidden;
  write(piece.refusal, line.refusal ? `Not recorded: ${line.refusal}.` : "");
  piece.refusal.hidden = line.refusal === "";
}

// The page's own widgets stand outside of this board: show them and put the keyboard there.
function goTo(place) {
  const section = document.querySelector(`.st-key-${place}`);
  section?.scrollIntoView({ behavior: "smooth", block: "start" });
  section?.querySelector("input, button")?.focus({ preventScroll: true });
}

function tableOfChecks({ lines }) {
  return [["number", "check", "state", "finding", "sentence", "what to do", "rests on", "reason"],
    ...lines.map((l, i) => [i + 1, l.title, STATES[stateOf(l)][1], l.number, l.sentence, l.advice, l.basis, l.reason])];
}

const checkBoards = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".board");
  if (!checkBoards.has(root)) {
    const made = makeChecks();
    root.append(html("div", { class: "sheet" }, made.node));
    checkBoards.set(root, made);
  }
  const board = checkBoards.get(root);
  board.send = setTriggerValue;
  board.update(data);
}
