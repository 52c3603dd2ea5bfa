// Undirected models: one finding, and the pictures and tables of the view that is looked at.
import { html, keep, write } from "./dom.js";
import { makeFacts } from "./facts.js";
import { makePlot } from "./plot.js";
import { makeScatter } from "./scatter.js";
import { announce, listenLive, makeTop } from "./top.js";

const KINDS = { plot: makePlot, scatter: makeScatter, facts: () => makeFacts("facts") };

function makeUndirected(root) {
  const board = { send: () => {} };
  listenLive(root, (epsilon) => board.send("epsilon", epsilon));
  const top = makeTop();
  const notice = html("p", { class: "notice", role: "note" });
  const views = html("div", { class: "pair" });
  root.append(html("div", { class: "sheet" }, ...top.nodes, notice, views));
  return Object.assign(board, {
    update(data) {
      top.update(data);
      notice.hidden = data.notice === "";
      write(notice, data.notice);
      keep(views, data.views, (v) => v.file, ({ kind }) => KINDS[kind]()).forEach((view, i) => {
        view.node.classList.toggle("whole", data.views[i].whole);
        view.update(data.views[i]);
      });
      announce(root, data.epsilon);
    },
  });
}

const undirectedBoards = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".board");
  if (!undirectedBoards.has(root)) undirectedBoards.set(root, makeUndirected(root));
  const board = undirectedBoards.get(root);
  board.send = setTriggerValue;
  board.update(data);
}
