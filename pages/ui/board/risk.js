// Risk: one call with new data repaints curves, words, grid, nodes, guardrails and graph.
import { html, segmented } from "./dom.js";
import { makeGraph } from "./dag.js";
import { announce, listenLive, makeTop } from "./top.js";
import { makeTradeoff } from "./tradeoff.js";
import { makeAccuse } from "./accuse.js";
import { makeReview } from "./review.js";
import { makeCarriers, makeRails } from "./carriers.js";

function makeRisk(root) {
  const board = { send: () => {} };
  const send = (name, value) => board.send(name, value);
  const top = makeTop();
  const method = segmented("Method", (key) => send("method", key));
  const views = { roc: makeTradeoff(), accuse: makeAccuse(), review: makeReview(send), nodes: makeCarriers(), rails: makeRails(), graph: makeGraph(send) };
  const picker = html("div", { class: "release-picker" }, html("span", { class: "second" }, "Release by"), method.node);
  const first = html("div", { class: "pair curves" }, views.roc.node, views.accuse.node);
  const second = html("div", { class: "pair causes" }, views.nodes.node, views.rails.node);
  root.append(html("div", { class: "sheet" }, ...top.nodes, picker, first, views.review.node, second, views.graph.node));
  board.update = (data) => {
    top.update(data);
    method.show(data.methods.map((m) => [m, m]), data.method);
    for (const [name, view] of Object.entries(views)) view.update(data[name]);
    announce(root, data.epsilon);
  };
  return board;
}

const riskBoards = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".board");
  if (!riskBoards.has(root)) riskBoards.set(root, makeRisk(root));
  const board = riskBoards.get(root);
  board.send = setTriggerValue;
  listenLive(root, (epsilon) => board.send("epsilon", epsilon));
  board.update(data);
}
