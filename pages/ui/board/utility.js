// Utility: one call with new data repaints the curves, what they come to, and what was forecast.
import { html, keep, write } from "./dom.js";
import { makeLines } from "./lines.js";
import { makeFacts } from "./facts.js";
import { announce, listenLive, makeTop } from "./top.js";

function makeUtility(root) {
  const board = { send: () => {} };
  listenLive(root, (epsilon) => board.send("epsilon", epsilon));
  const top = makeTop();
  const notice = html("p", { class: "notice", role: "note" });
  const charts = html("div", { class: "pair" });
  const matches = makeFacts("match");
  root.append(html("div", { class: "sheet" }, ...top.nodes, notice, charts, matches.node));
  return Object.assign(board, {
    update(data) {
      top.update(data);
      notice.hidden = data.notice === "";
      write(notice, data.notice);
      keep(charts, data.charts, (c) => c.metric, makeLines).forEach((chart, i) => chart.update(data.charts[i], data.epsilon));
      matches.update(data.matches);
      announce(root, data.epsilon);
    },
  });
}

const utilities = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".board");
  if (!utilities.has(root)) utilities.set(root, makeUtility(root));
  const board = utilities.get(root);
  board.send = setTriggerValue;
  board.update(data);
}
