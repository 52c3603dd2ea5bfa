// What an attacker gains: members found against false alarms, linear or logarithmic.
import { choices, html, keep, segmented, set, svg, write } from "./dom.js";
import { drawColumns, drawRows, line, linearScale, logScale } from "./scale.js";
import { number, percent } from "./words.js";
import { makeView } from "./view.js";

const FRAME = { top: 12, bottom: 190, width: 362, height: 226 };
const LOG = { left: 104, right: 318, ticks: [0.001, 0.01, 0.1, 1], low: 0.001 };
const LINEAR = { left: 46, right: 344, ticks: [0, 0.25, 0.5, 0.75, 1], low: 0 };
const LINE_HEIGHT = 14;

export function makeRoc() {
  const view = makeView("risk", () => tableOfCurves(roc.data));
  const scale = segmented("Scale", (key) => { choices.scale = key; paintRoc(roc); });
  view.controls.append(scale.node);
  const rows = svg("g");
  const columns = svg("g");
  const lines = svg("g");
  const labels = svg("g");
  const drop = svg("line", { class: "now" });
  const dot = svg("circle", { class: "ring fill-risk", r: 4 });
  const mark = svg("text", { class: "strong halo" });
  const unit = svg("text", { class: "second", y: FRAME.height - 2, "text-anchor": "middle" });
  const picture = svg("svg", { class: "chart", viewBox: `0 0 ${FRAME.width} ${FRAME.height}`, role: "img" },
    rows, columns, lines, drop, dot, labels, mark, unit);
  const table = html("table", { class: "found" }, html("thead"), html("tbody"));
  view.body.append(picture, table);
  const roc = { view, scale, rows, columns, lines, labels, drop, dot, mark, unit, picture };
  return {
    node: view.node,
    update(data) {
      roc.data = data;
      view.show(data);
      set(picture, { "aria-label": data.alt });
      paintRoc(roc);
      paintTable(table, data.table);
    },
  };
}

function paintRoc(roc) {
  const { data } = roc;
  const log = choices.scale === "log";
  const plot = log ? LOG : LINEAR;
  const make = log ? logScale : linearScale;
  const x = make([plot.low, 1], [plot.left, plot.right]);
  const y = make([plot.low, 1], [FRAME.bottom, FRAME.top]);
  roc.scale.show([["linear", "linear"], ["log", "log"]], choices.scale);
  const ticks = plot.ticks.map((t) => [t, percent(t)]);
  const side = log ? { x: plot.right + 8, anchor: "start" } : { x: plot.left - 7, anchor: "end" };
  drawRows(roc.rows, ticks, y, [plot.left, plot.right], side);
  drawColumns(roc.columns, ticks, x, [plot.left, plot.right], FRAME.bottom);
  set(roc.unit, { x: (plot.left + plot.right) / 2 });
  write(roc.unit, log ? "false alarms (log scale)" : "false alarms");
  const curves = data.curves.map((c) => ({ ...c, points: pointsOf(data.alarms, c.found, plot.low) }));
  keep(roc.lines, curves, (c) => c.name, (c) => ({ node: svg("path", { class: `curve ${c.style}` }) }))
    .forEach(({ node }, i) => {
      const { points } = curves[i];
      set(node, { d: line(points.map((p) => x(p[0])), points.map((p) => y(p[1]))) });
    });
  paintLabels(roc.labels, log ? labelsAtEnds(curves, x, y) : labelsBelow(curves, x, y));
  paintMark(roc, x, y, log);
}

// Within the scale, and up to the corner where everyone is accused.
function pointsOf(alarms, found, low) {
  const points = alarms.map((a, i) => [a, found[i]]).filter(([a, f]) => a >= low && f !== null);
  if (low === 0) points.unshift([0, 0]);
  if (points.at(-1)[0] < 1) points.push([1, 1]);
  return points;
}

const parts = (name) => name.split(/, /).map((part, i, all) => (i < all.length - 1 ? `${part},` : part));

// Logarithmic: curves fan out at their left ends, so their names stand there, pushed apart.
function labelsAtEnds(curves, x, y) {
  const labels = curves
    .map((c) => ({ ...c, text: parts(c.name), x: LOG.left - 12, anchor: "end", tip: [x(c.points[0][0]), y(c.points[0][1])] }))
    .sort((a, b) => a.tip[1] - b.tip[1]);
  let floor = -Infinity;
  for (const label of labels) {
    const height = label.text.length * LINE_HEIGHT;
    label.y = Math.max(label.tip[1] - height / 2, floor);
    floor = label.y + height + 3;
  }
  let ceiling = FRAME.bottom + 6;
  for (const label of labels.reverse()) {
    const height = label.text.length * LINE_HEIGHT;
    label.y = Math.min(label.y, ceiling - height);
    ceiling = label.y - 3;
    label.middle = label.y + height / 2;
  }
  return labels.map((l) => ({ ...l, leader: `M${l.x + 3} ${l.middle}L${l.tip[0] - 2} ${l.tip[1]}` }));
}

// Linear: the corner below the diagonal is always empty. The lowest curve is named first and
// leaders end ever lower on the curves, so that none runs through another name.
function labelsBelow(curves, x, y) {
  const levels = [0.56, 0.4, 0.3];
  const height = (c) => c.points[Math.floor(c.points.length / 3)][1];
  return [...curves].sort((a, b) => height(a) - height(b)).map((c, i) => {
    const level = levels[Math.min(i, levels.length - 1)];
    const tip = [x(alarmAt(c.points, level)), y(level)];
    const label = { ...c, text: [c.name], x: LINEAR.right, anchor: "end", y: y(0.36 - 0.12 * i) - 8, tip };
    const left = label.x - 5.6 * c.name.length - 6;
    return { ...label, leader: `M${left} ${label.y + 7}L${tip[0] + 2} ${tip[1] + 1}` };
  });
}

// False alarms at which a curve finds the given share.
function alarmAt(points, level) {
  const i = Math.max(1, points.findIndex((p) => p[1] >= level));
  const [[a0, f0], [a1, f1]] = [points[i - 1], points[i]];
  return f1 > f0 ? a0 + ((a1 - a0) * (level - f0)) / (f1 - f0) : a0;
}

function paintLabels(group, labels) {
  const pieces = keep(group, labels, (l) => l.name, (l) => {
    const text = svg("text", { class: `curve-name halo ${l.style}` });
    const leader = svg("path", { class: `leader ${l.style}` });
    return { node: svg("g", {}, leader, text), text, leader };
  });
  labels.forEach((label, i) => {
    const { text, leader } = pieces[i];
    set(leader, { d: label.leader });
    set(text, { "text-anchor": label.anchor });
    keep(text, label.text, (part) => part, (part) => ({ node: svg("tspan", {}, part) }))
      .forEach(({ node }, row) => set(node, { x: label.x, y: (label.y + 11 + row * LINE_HEIGHT).toFixed(1) }));
  });
}

function paintMark(roc, x, y, log) {
  const { alarm, found } = roc.data.mark;
  const [left, top] = [x(alarm).toFixed(1), y(found).toFixed(1)];
  set(roc.dot, { cx: left, cy: top });
  set(roc.drop, { x1: left, x2: left, y1: Number(top) + 6, y2: Math.max(FRAME.bottom, Number(top) + 6) });
  const text = `at ${percent(alarm)}: at most ${number("share", found)}`;
  write(roc.mark, log ? text : "");
  set(roc.mark, { x: Number(left) + 8, y: FRAME.bottom - 10 });
}

function paintTable(table, { head, rows }) {
  const [top, body] = table.children;
  const fill = (section, tag, lines) => keep(section, lines.map((_, i) => i), (i) => i, () => ({ node: html("tr") }))
    .forEach(({ node }, i) => keep(node, lines[i].map((_, j) => j), (j) => j, () => ({ node: html(tag) }))
      .forEach(({ node: cell }, j) => write(cell, lines[i][j])));
  fill(top, "th", [head]);
  fill(body, "td", rows);
}

function tableOfCurves({ alarms, curves }) {
  return [["false alarms", ...curves.map((c) => c.name)], ...alarms.map((a, i) => [a, ...curves.map((c) => c.found[i])])];
}
