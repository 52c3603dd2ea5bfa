// Members found against false alarms: all curves of a release, on three scales.
import { choices, html, keep, segmented, set, svg, write } from "./dom.js";
import { drawColumns, drawRows, line, linearScale, logScale } from "./scale.js";
import { number, percent } from "./words.js";
import { makeView } from "./view.js";
import { claimClass } from "./claims.js";

const AREA = { top: 14, bottom: 412, width: 664, height: 452, right: 610 };
const SIDE = 236; // left end where names stand beside the curves
const ROW = 17;
const MODES = [["linear", "linear"], ["log", "log"], ["ratio", "ratio"]];

export function makeTradeoff() {
  const view = makeView("tradeoff", () => tableOfTradeoffs(chart.data));
  const mode = segmented("Scale", (key) => { choices.roc = key; paintTradeoff(chart); });
  view.controls.append(mode.node);
  const key = html("div", { class: "key" });
  view.title.after(key);
  const rows = svg("g");
  const columns = svg("g");
  const guess = svg("path", { class: "curve guessing" });
  const guessName = svg("text", { class: "second halo" }, "guessing");
  const lines = svg("g");
  const rings = svg("g");
  const labels = svg("g");
  const unit = svg("text", { class: "second", y: AREA.height - 4, "text-anchor": "middle" });
  const picture = svg("svg", { class: "tradeoff-chart", viewBox: `0 0 ${AREA.width} ${AREA.height}`, role: "img" },
    rows, columns, guess, guessName, lines, rings, labels, unit);
  view.body.append(picture);
  const chart = { view, mode, key, rows, columns, guess, guessName, lines, rings, labels, unit, picture };
  return {
    node: view.node,
    update(data) {
      chart.data = data;
      view.show(data);
      set(picture, { "aria-label": data.alt });
      paintTradeoff(chart);
    },
  };
}

// The three pictures: where they begin, their ticks, and what is drawn upwards.
function planeOf(mode, data) {
  if (mode === "linear") {
    const ticks = [0, 0.25, 0.5, 0.75, 1];
    return { left: 52, x: linearScale([0, 1], [52, AREA.right]), y: linearScale([0, 1], [AREA.bottom, AREA.top]),
      columns: ticks, rows: ticks.map((t) => [t, percent(t)]), up: (a, f) => f, unit: "false alarms", side: "left", low: 0 };
  }
  const x = logScale([0.001, 1], [SIDE, AREA.right]);
  const columns = [0.001, 0.01, 0.1, 1];
  if (mode === "log") {
    return { left: SIDE, x, y: logScale([0.001, 1], [AREA.bottom, AREA.top]), columns,
      rows: columns.map((t) => [t, percent(t)]), up: (a, f) => f, unit: "false alarms (log scale)", side: "right", low: 0.001 };
  }
  const highest = Math.max(2, ...data.curves.map((c) => c.found[0] / data.alarms[0]));
  const ticks = [1, 2, 3, 5, 10, 20, 50, 100, 1000].filter((t) => t <= highest * 1.05);
  return { left: SIDE, x, y: logScale([0.7, highest * 1.1], [AREA.bottom, AREA.top]), columns,
    rows: ticks.map((t) => [t, `${t}×`]), up: (a, f) => f / a, unit: "false alarms (log scale). Height: how much likelier a member is accused than an outsider", side: "right", low: 0.001 };
}

function paintTradeoff(chart) {
  const { data } = chart;
  const mode = choices.roc ?? "log";
  chart.mode.show(MODES, mode);
  const plane = planeOf(mode, data);
  paintReleaseKey(chart.key, data, mode);
  const at = plane.side === "left" ? { x: plane.left - 7, anchor: "end" } : { x: AREA.right + 8, anchor: "start" };
  drawRows(chart.rows, plane.rows, plane.y, [plane.left, AREA.right], at);
  drawColumns(chart.columns, plane.columns.map((t) => [t, percent(t)]), plane.x, [plane.left, AREA.right], AREA.bottom);
  set(chart.unit, { x: (plane.left + AREA.right) / 2 });
  write(chart.unit, plane.unit);
  const path = (alarms, found) => {
    const kept = alarms.map((a, i) => [a, found[i]]).filter(([a, f]) => a >= plane.low && f !== null);
    if (plane.low === 0) kept.unshift([0, 0]);
    kept.push([1, 1]);
    return line(kept.map(([a]) => plane.x(a)), kept.map(([a, f]) => plane.y(plane.up(a, f))));
  };
  set(chart.guess, { d: path(data.alarms, data.alarms) });
  const spot = mode === "linear" ? [0.62, 0.58] : mode === "log" ? [0.045, 0.026] : [0.2, 1 / 1.12 * 0.2];
  set(chart.guessName, { x: plane.x(spot[0]).toFixed(1), y: (plane.y(plane.up(spot[0], spot[1])) + 4).toFixed(1) });
  keep(chart.lines, data.curves, (c) => c.key, () => ({ node: svg("path", {}) }))
    .forEach(({ node }, i) => {
      const curve = data.curves[i];
      set(node, { class: claimClass(curve), d: path(data.alarms, curve.found) });
    });
  paintRings(chart.rings, data.measured, plane);
  const named = [...data.curves.map((c) => ({ ...c, first: c.found[0] })), ...data.measured.map((m) => ({ ...m, first: m.points[0][1] }))];
  paintNames(chart.labels, mode === "linear" ? cornerNames(named, data, plane) : sideNames(named, data, plane));
}

function paintReleaseKey(node, data, mode) {
  const parts = [["release", data.release], ["exact", "exact conditionals"], ["", mode === "linear" ? "" : "numbers at 0.1 % false alarms"]];
  keep(node, parts, ([about]) => about, ([about]) => {
    const text = html("span");
    const swatch = about ? [html("i", { class: `swatch ${about}` })] : [];
    return { node: html("span", { class: `of ${about}` }, ...swatch, text), text };
  }).forEach(({ text }, i) => write(text, parts[i][1]));
}

function paintRings(group, measured, plane) {
  const points = measured.flatMap((m) => m.points.filter(([, mean]) => mean > 0).map((p) => ({ about: m.about, p })));
  keep(group, points, ({ about, p }) => `${about} ${p[0]}`, ({ about }) => {
    const whisker = svg("line");
    const ring = svg("circle", { r: 4.2 });
    return { node: svg("g", { class: `ringed ${about}` }, whisker, ring), whisker, ring };
  }).forEach(({ whisker, ring }, i) => {
    const [alpha, mean, low, high] = points[i].p;
    const x = plane.x(alpha).toFixed(1);
    const y = (value) => plane.y(plane.up(alpha, value)).toFixed(1);
    set(whisker, { x1: x, x2: x, y1: y(low), y2: y(high) });
    set(ring, { cx: x, cy: y(mean) });
  });
}

// Curves fan out at their left ends: names stand there, pushed apart, with the value at 0.1 %.
function sideNames(named, data, plane) {
  const labels = named.map((c) => ({ ...c, x: SIDE - 26, anchor: "end", value: number("share", c.first), tip: [SIDE, plane.y(plane.up(data.alarms[0], c.first))] }))
    .sort((a, b) => a.tip[1] - b.tip[1]);
  labels.forEach((l, i) => { l.y = Math.max(l.tip[1], i ? labels[i - 1].y + ROW : AREA.top); });
  for (let i = labels.length - 1; i >= 0; i -= 1) {
    labels[i].y = Math.min(labels[i].y, i < labels.length - 1 ? labels[i + 1].y - ROW : AREA.bottom);
  }
  return labels.map((l) => ({ ...l, leader: `M${l.x + 4} ${l.y.toFixed(1)}L${SIDE - 3} ${l.tip[1].toFixed(1)}` }));
}

// On the linear scale the corner below the diagonal is empty: names stand there as a list.
function cornerNames(named, data, plane) {
  const middle = Math.floor(data.alarms.length * 0.45);
  const height = (c) => (c.found ? c.found[middle] : c.points.at(-1)[1]);
  const x = AREA.right - 166;
  return [...named].sort((a, b) => height(b) - height(a)).map((c, i) => {
    const y = AREA.bottom - 16 - ROW * (named.length - 1 - i);
    const mark = c.claim === "measured" ? `M${x - 24} ${y}a4 4 0 1 0 8 0a4 4 0 1 0-8 0` : `M${x - 34} ${y}H${x - 8}`;
    return { ...c, x, anchor: "start", y, value: "", leader: mark, mark: claimClass(c) };
  });
}

function paintNames(group, labels) {
  keep(group, labels, (l) => l.key, () => {
    const text = svg("text", { dy: 4 });
    const name = svg("tspan");
    const value = svg("tspan", { class: "strong", dx: 4 });
    text.append(name, value);
    const leader = svg("path", { class: "leader" });
    return { node: svg("g", {}, leader, text), text, name, value, leader };
  }).forEach(({ text, name, value, leader }, i) => {
    const label = labels[i];
    set(leader, { d: label.leader, class: label.mark ?? `leader ${label.about}` });
    set(text, { x: label.x, y: label.y.toFixed(1), "text-anchor": label.anchor, class: `halo claim-name ${label.about}${label.strong ? " strong" : ""}` });
    write(name, label.name);
    write(value, label.value);
  });
}

function tableOfTradeoffs({ alarms, curves, measured }) {
  const head = ["false alarms", ...curves.map((c) => `${c.name} (${c.about === "release" ? "this release" : "exact conditionals"})`)];
  const rings = measured.flatMap((m) => m.points.map((p) => [m.name, ...p]));
  const more = rings.length ? [[], ["attack", "false alarms", "found", "low", "high"], ...rings] : [];
  return [head, ...alarms.map((a, i) => [a, ...curves.map((c) => c.found[i])]), ...more];
}
