// One metric against ε for several methods: medians, nested bands, the ε on show marked.
import { html, keep, set, svg, write } from "./dom.js";
import { area, drawColumns, drawRows, line, linearScale, logLimits, logScale, logTicks } from "./scale.js";
import { number, percent } from "./words.js";
import { makeView } from "./view.js";

const HEIGHT = 252;
const EDGE = { left: 44, top: 22, bottom: 208 };
const NAMES_ROOM = 128; // right of the plot, where there is room for names
const NESTED = [[0, 6, 0.14], [1, 5, 0.18], [2, 4, 0.3]];
const LEVELS = ["2.5 %", "10 %", "25 %", "median", "75 %", "90 %", "97.5 %"];
const BUDGETS = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
const DECADES = 3000; // largest over smallest value that an axis shows
const APART = 14; // pixels between two names

export function makeLines() {
  const view = makeView("lines", () => tableOfLines(chart.data));
  const key = html("div", { class: "key" });
  const rows = svg("g");
  const columns = svg("g");
  const curves = svg("g");
  const rule = svg("line", { class: "now", y1: EDGE.top - 4, y2: EDGE.bottom });
  const current = svg("text", { class: "strong", y: 11, "text-anchor": "middle" });
  const rings = svg("g");
  const names = svg("g");
  const note = svg("text", { class: "second", "text-anchor": "middle", y: 110 });
  const unit = svg("text", { class: "second", "text-anchor": "middle", y: HEIGHT - 4 }, "total budget ε (log scale)");
  const picture = svg("svg", { class: "plot", role: "img", height: HEIGHT }, rows, columns, curves, rule, current, rings, names, unit, note);
  const room = html("div", { class: "plot-room" }, picture);
  view.body.append(key, room);
  const chart = { view, key, rows, columns, curves, rule, current, rings, names, note, unit, picture, width: 500 };
  new ResizeObserver(([entry]) => {
    chart.width = Math.max(240, entry.contentRect.width);
    if (chart.data) paintLines(chart);
  }).observe(room);
  return {
    node: view.node,
    update(data, epsilon) {
      Object.assign(chart, { data, epsilon });
      view.show(data);
      set(picture, { "aria-label": data.alt });
      paintLines(chart);
    },
  };
}

function paintLines(chart) {
  const { data, epsilon, width } = chart;
  const named = width > 420;
  const right = width - (named ? NAMES_ROOM : 12);
  const known = data.series.filter((s) => s.epsilons.length > 0);
  set(chart.picture, { viewBox: `0 0 ${width} ${HEIGHT}`, width });
  const x = logScale([Math.min(data.range[0], epsilon), Math.max(data.range[1], epsilon)], [EDGE.left, right]);
  const { y, ticks } = vertical(data, known);
  drawRows(chart.rows, ticks, y, [EDGE.left, right], { x: EDGE.left - 7, anchor: "end" });
  drawColumns(chart.columns, BUDGETS.map((e) => [e, String(e)]), x, [EDGE.left, right], EDGE.bottom);
  set(chart.unit, { x: (EDGE.left + right) / 2 });
  set(chart.note, { x: (EDGE.left + right) / 2 });
  write(chart.note, known.length === 0 ? "Nothing measured yet" : "");
  paintCurves(chart, known, x, y);
  paintValues(chart);
  paintNames(chart, named ? known : [], x, y, right);
  paintMark(chart, known, x, y, right);
}

function vertical(data, known) {
  if (data.kind === "share") {
    const y = linearScale([0, 1], [EDGE.bottom, EDGE.top + 4]);
    return { y, ticks: [0, 0.25, 0.5, 0.75, 1].map((t) => [t, percent(t)]) };
  }
  const values = known.flatMap((s) => s.bands.flat());
  const most = Math.max(...values);
  // what is next to nothing would stretch the axis until nothing else can be told apart
  const limits = logLimits(values.filter((v) => v > most / DECADES)) ?? [0.01, 1];
  const y = logScale(limits, [EDGE.bottom, EDGE.top + 4]);
  return { y, ticks: logTicks(...limits).map((t) => [t, String(t)]) };
}

function paintCurves(chart, known, x, y) {
  keep(chart.curves, known, (s) => s.method, (s) => {
    const bands = NESTED.map(([, , opacity]) => svg("path", { class: `fill-${s.hue}`, opacity }));
    const median = svg("path", { class: `stroke-${s.hue} median` });
    const dots = svg("g");
    return { node: svg("g", {}, ...bands, median, dots), bands, median, dots };
  }).forEach(({ bands, median, dots }, i) => {
    const s = known[i];
    const xs = s.epsilons.map(x);
    const rows = s.bands.map((values) => values.map((v) => y(v ?? 0)));
    // shares of twenty jump: there the outer bands would cover everything
    const shown = chart.data.kind === "share" ? [2] : [0, 1, 2];
    NESTED.forEach(([low, high], b) => set(bands[b], { d: shown.includes(b) ? area(xs, rows[low], rows[high]) : null }));
    set(median, { d: line(xs, rows[3]), "stroke-dasharray": s.dash || null, "stroke-width": 1.8 });
    keep(dots, xs.map((_, k) => k), (k) => k, () => ({ node: svg("circle", { class: `fill-${s.hue}`, r: 2 }) }))
      .forEach(({ node }, k) => set(node, { cx: xs[k].toFixed(1), cy: rows[3][k].toFixed(1) }));
  });
}

// The value of each method at the ε on show, above the chart.
function paintValues({ key, data }) {
  const kind = data.kind === "share" ? "share" : "error";
  const shown = data.series.filter((s) => s.now !== null);
  keep(key, shown, (s) => s.method, (s) => {
    const value = html("b", { class: `tone-${s.hue}` });
    const range = html("span", { class: "range", title: "95 % of releases" });
    const swatch = html("i");
    return { node: html("span", {}, swatch, `${s.method} `, value, range), value, range, swatch };
  }).forEach(({ value, range, swatch }, i) => {
    const { now, hue, dash } = shown[i];
    set(swatch, { class: dash ? `dashed tone-${hue}` : `fill-${hue}` });
    write(value, number(kind, now[3]));
    write(range, ` (${number(kind, now[0])} to ${number(kind, now[6])})`);
  });
}

// Names stand at the ends of their curves, pushed apart where they would touch.
function paintNames(chart, known, x, y, right) {
  const places = known.map((s) => ({ s, from: [x(s.epsilons.at(-1)), y(s.bands[3].at(-1) ?? 0)] }));
  places.sort((a, b) => a.from[1] - b.from[1]);
  let last = -Infinity;
  for (const place of places) {
    place.y = Math.max(place.from[1] + 4, last + APART);
    last = place.y;
  }
  const over = last - (EDGE.bottom + 6);
  if (over > 0) places.forEach((place) => { place.y -= over; });
  keep(chart.names, places, (p) => p.s.method, ({ s }) => {
    const text = svg("text", { class: `tone-${s.hue} strong` });
    const leader = svg("path", { class: "leader" });
    return { node: svg("g", {}, leader, text), text, leader };
  }).forEach(({ text, leader }, i) => {
    const { s, from, y: height } = places[i];
    set(write(text, s.method), { x: right + 12, y: height.toFixed(1) });
    set(leader, { d: `M${(from[0] + 3).toFixed(1)} ${from[1].toFixed(1)}L${right + 9} ${(height - 4).toFixed(1)}` });
  });
}

function paintMark(chart, known, x, y, right) {
  const place = x(chart.epsilon).toFixed(1);
  set(chart.rule, { x1: place, x2: place });
  set(chart.current, { x: Math.min(right - 12, Math.max(EDGE.left + 12, place)) });
  write(chart.current, `ε = ${Number(chart.epsilon.toPrecision(4))}`);
  const shown = known.filter((s) => s.now !== null);
  keep(chart.rings, shown, (s) => s.method, (s) => ({ node: svg("circle", { class: `ring fill-${s.hue}`, r: 4 }) }))
    .forEach(({ node }, i) => set(node, { cx: place, cy: y(shown[i].now[3] ?? 0).toFixed(1) }));
}

function tableOfLines(data) {
  const rows = [["method", "epsilon", ...LEVELS]];
  for (const s of data.series) s.epsilons.forEach((e, i) => rows.push([s.method, e, ...s.bands.map((q) => q[i])]));
  return rows;
}
