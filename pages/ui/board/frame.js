// The board: one call with new data repaints all views; nothing is rebuilt that can be changed.
import { button, html, keep, set, write } from "./dom.js";
import { makeGraph } from "./dag.js";
import { makeCurve } from "./curve.js";
import { makeRoc } from "./roc.js";
import { makePanel } from "./panel.js";

const NARROW_GRAPH = 540; // fits beside the charts on a smaller screen

// A low graph leaves room for a small node panel beneath it, beside the charts.
const fitsBelow = ({ height }, { settings, states, parents }) =>
  height < 420 && settings.length <= 12 && states.length + parents.length <= 6;

function makeBoard(root) {
  const board = { send: () => {} };
  const send = (name, value) => board.send(name, value);
  const heading = html("h1", { class: "heading" });
  const badge = html("span", { class: "badge" });
  const finding = html("p", { class: "finding" });
  const graph = makeGraph(send);
  const error = makeCurve();
  const risk = makeRoc();
  const panel = makePanel();
  const scenario = html("span");
  const strip = html("div", { class: "scenario" }, scenario, button("Change", openSidebar));
  const top = html("div", { class: "top" }, heading, badge);
  const charts = html("div", { class: "charts" }, error.node, risk.node);
  const columns = html("div", { class: "columns" }, graph.node, charts, panel.node);
  root.append(html("div", { class: "sheet" }, strip, top, finding, columns));
  board.update = (data) => {
    write(scenario, data.scenario);
    write(heading, data.heading);
    write(badge, data.badge);
    badge.hidden = data.badge === "";
    root.classList.toggle("wide", data.graph.width > NARROW_GRAPH);
    root.classList.toggle("low", fitsBelow(data.graph, data.panel));
    paintFinding(finding, data.finding);
    graph.update(data.graph);
    error.update(data.error, data.epsilon);
    risk.update(data.risk);
    panel.update(data.panel);
    set(root, { "data-epsilon": data.epsilon, "data-painted": Number(root.dataset.painted) + 1 });
  };
  return board;
}

// On a narrow screen the sidebar starts closed and the strip says what is set there.
function openSidebar() {
  document.querySelector('[data-testid="stExpandSidebarButton"]')?.click();
}

function paintFinding(paragraph, runs) {
  keep(paragraph, runs.map((_, i) => i), (i) => i, () => ({ node: html("span") })).forEach(({ node }, i) => {
    const [text, role] = runs[i];
    write(node, text);
    set(node, { class: role && (role === "strong" ? "strong" : `strong tone-${role}`) });
  });
}

const boards = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".board");
  if (!boards.has(root)) boards.set(root, makeBoard(root));
  const board = boards.get(root);
  board.send = setTriggerValue;
  window.equipoiseLive = { root, send: (epsilon) => board.send("epsilon", epsilon) };
  board.update(data);
}
