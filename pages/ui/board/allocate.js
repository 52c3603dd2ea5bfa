// Allocate: one call with new data repaints plan, graph, proof and findings.
import { html, keep, set, write } from "./dom.js";
import { makeGraph } from "./dag.js";
import { follow, makeRows } from "./rows.js";
import { makeFindings, makeProof } from "./findings.js";
import { announce, listenLive, makeTop } from "./top.js";

function makeAllocate(root) {
  const board = { send: () => {}, selected: null };
  // which node is picked out concerns the picture alone: the server need not know
  const select = (name) => { board.selected = name; showBoth(board); };
  const send = (name, value) => (name === "selected" ? select(value) : board.send(name, value));
  const top = makeTop();
  const picker = makePicker((name) => send("method", name));
  const prior = makePrior((value) => send("prior", value));
  const cards = html("div", { class: "cards" });
  board.rows = makeRows(send, select);
  board.graph = makeGraph(send);
  const proof = makeProof();
  const findings = makeFindings();
  const head = html("h2", { class: "part" }, "What the published formulas do not say");
  root.append(html("div", { class: "sheet" }, ...top.nodes, html("div", { class: "asked" }, picker.node, prior.node), cards, board.rows.node, proof.node, head, findings.node, board.graph.node));
  listenLive(root, (epsilon) => board.send("epsilon", epsilon));
  board.update = (data) => {
    board.data = data;
    if (!data.rows.nodes.includes(board.selected)) board.selected = data.graph.selected;
    top.update(data);
    picker.show(data.methods, data.method);
    prior.show(data.prior);
    paintCards(cards, data.cards);
    showBoth(board);
    proof.update(data.proof);
    findings.update(data.findings);
    announce(root, data.epsilon);
  };
  return board;
}

function showBoth({ data, rows, graph, selected }) {
  rows.update(data.rows, selected);
  graph.update({ ...data.graph, selected });
}

function makePicker(choose) {
  const list = html("select");
  const node = html("label", { class: "picker" }, "Explain the plan of", list);
  list.addEventListener("change", () => choose(list.value));
  const show = (methods, method) => {
    keep(list, methods, ([name]) => name, ([name, title]) => ({ node: html("option", { value: name }, title) }));
    if (list.value !== method) list.value = method;
  };
  return { node, show };
}

function makePrior(choose) {
  const field = html("input", { type: "number", min: 0, max: 1000, step: 0.5, "aria-label": "public prior" });
  const title = "A Dirichlet pseudo-count added to every cell before rows are normalised. It is public: choose it without looking at the records.";
  const node = html("label", { class: "picker", title }, "Public prior", field, "records a cell");
  field.addEventListener("change", () => field.value !== "" && choose(Math.min(1000, Math.max(0, Number(field.value)))));
  return { node, show: (value) => follow(field, value, "public prior") };
}

function paintCards(parent, cards) {
  keep(parent, cards, (c) => c.label, () => {
    const label = html("div", { class: "label" });
    const value = html("div", { class: "value" });
    const range = html("div", { class: "note" });
    const note = html("div", { class: "note" });
    return { node: html("div", { class: "card" }, label, value, range, note), label, value, range, note };
  }).forEach(({ node, label, value, range, note }, i) => {
    const card = cards[i];
    set(node, { class: card.chosen ? "card chosen" : "card" });
    write(label, card.label);
    set(write(value, card.value), { class: `value tone-${card.hue}` });
    write(range, card.range);
    write(note, card.note);
  });
}

const allocations = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".board");
  if (!allocations.has(root)) allocations.set(root, makeAllocate(root));
  const board = allocations.get(root);
  board.send = setTriggerValue;
  board.update(data);
}
