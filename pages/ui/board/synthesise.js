// Synthesise: the learned network, pair by pair, and one pair of columns side by side.
import { html, write } from "./dom.js";
import { makeGraph } from "./dag.js";
import { makeFacts } from "./facts.js";
import { makeHeat } from "./heat.js";
import { announce, listenLive, makeTop } from "./top.js";

function makeSynthesis(root) {
  const board = { send: () => {} };
  listenLive(root, (epsilon) => board.send("epsilon", epsilon));
  const top = makeTop();
  const notice = html("p", { class: "notice", role: "note" });
  // which node is looked at changes nothing but the picture
  const graph = makeGraph((name, value) => {
    if (name !== "selected") return;
    board.data.graph.selected = value;
    graph.update(board.data.graph);
  });
  const pairs = makeFacts("pairs");
  const heat = makeHeat();
  const columns = html("div", { class: "pair growth" }, graph.node, pairs.node);
  root.append(html("div", { class: "sheet" }, ...top.nodes, notice, columns, heat.node));
  return Object.assign(board, {
    update(data) {
      board.data = data;
      top.update(data);
      notice.hidden = data.notice === "";
      write(notice, data.notice);
      graph.update(data.graph);
      pairs.update(data.pairs);
      heat.update(data.heat);
      announce(root, data.epsilon);
    },
  });
}

const syntheses = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".board");
  if (!syntheses.has(root)) syntheses.set(root, makeSynthesis(root));
  const board = syntheses.get(root);
  board.send = setTriggerValue;
  board.update(data);
}
