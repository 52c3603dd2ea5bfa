// How wrong the parameters will be: error against ε, median and nested bands, ε on show marked.
import { choices, html, keep, segmented, set, svg, write } from "./dom.js";
import { area, drawColumns, drawRows, line, logLimits, logScale, logTicks } from "./scale.js";
import { number } from "./words.js";
import { makeView } from "./view.js";

const BOX = { left: 40, right: 348, top: 18, bottom: 196, width: 362, height: 232 };
const BANDS = [[0, 6, 0.2], [1, 5, 0.26], [2, 4, 0.42]];
const QUANTILES = ["2.5 %", "10 %", "25 %", "median", "75 %", "90 %", "97.5 %"];
const EPSILONS = [0.001, 0.01, 0.05, 0.2, 1, 3, 10, 100, 1000];

let pathNumber = 0; // ids of label paths, unique on the page

export function makeCurve() {
  const view = makeView("error", () => tableOfErrors(curve.data));
  const whose = segmented("Whose error", (key) => { choices.whose = key; paintCurve(curve); });
  const key = html("div", { class: "key" });
  const rows = svg("g");
  const columns = svg("g");
  const lines = svg("g");
  const rule = svg("line", { class: "now", y1: BOX.top - 2, y2: BOX.bottom });
  const current = svg("text", { class: "strong", y: 11, "text-anchor": "middle" });
  const rings = svg("g");
  const note = svg("text", { class: "second", x: (BOX.left + BOX.right) / 2, y: 108, "text-anchor": "middle" });
  const unit = svg("text", { class: "second", x: (BOX.left + BOX.right) / 2, y: BOX.height - 2, "text-anchor": "middle" }, "ε (log scale)");
  const picture = svg("svg", { class: "chart", viewBox: `0 0 ${BOX.width} ${BOX.height}`, role: "img" },
    rows, columns, lines, rule, current, rings, unit, note);
  view.body.append(html("div", { class: "bar" }, key, whose.node), picture);
  const curve = { view, whose, key, rows, columns, lines, rule, current, rings, note, picture };
  return {
    node: view.node,
    update(data, epsilon) {
      Object.assign(curve, { data, epsilon });
      view.show(data);
      set(picture, { "aria-label": data.alt });
      paintCurve(curve);
    },
  };
}

function paintCurve(curve) {
  const { data, epsilon } = curve;
  const own = choices.whose === "own";
  const pick = (series) => (own ? [series.own, series.own_now] : [series.overall, series.overall_now]);
  curve.whose.show([["all", "all nodes"], ["own", data.node]], own ? "own" : "all");
  const range = [Math.min(data.epsilons[0], epsilon), Math.max(data.epsilons.at(-1), epsilon)];
  const x = logScale(range, [BOX.left, BOX.right]);
  const limits = logLimits(data.series.flatMap((s) => pick(s).flat(2)));
  write(curve.note, limits === null ? "No error: nothing here can be wrong" : "");
  const y = logScale(limits ?? [0.01, 1], [BOX.bottom, BOX.top + 6]);
  drawRows(curve.rows, limits === null ? [] : logTicks(...limits).map((t) => [t, String(t)]), y, [BOX.left, BOX.right], { x: BOX.left - 7, anchor: "end" });
  drawColumns(curve.columns, EPSILONS.filter((e) => e >= range[0] && e <= range[1]).map((e) => [e, String(e)]), x, [BOX.left, BOX.right], BOX.bottom);
  paintKey(curve, pick);
  const series = limits === null ? [] : data.series;
  paintSeries(curve, series, pick, x, y);
  paintNow(curve, series, pick, x, y);
}

function paintKey(curve, pick) {
  const { series } = curve.data;
  keep(curve.key, series, (s) => s.method, (s) => {
    const value = html("b", { class: `tone-${s.hue}` });
    const range = html("span", { class: "range", title: "95 % of releases" });
    const swatch = html("i", { class: `fill-${s.hue}` });
    return { node: html("span", {}, swatch, `${s.method} `, value, range), value, range };
  }).forEach(({ value, range }, i) => {
    const now = pick(series[i])[1];
    write(value, number("error", now[3]));
    write(range, series.length === 1 ? ` (${number("error", now[0])} to ${number("error", now[6])})` : "");
  });
}

function paintSeries(curve, series, pick, x, y) {
  const xs = curve.data.epsilons.map(x);
  // the name stands where there is room: on the longer side of the current ε
  const after = x(curve.epsilon) < (BOX.left + BOX.right) / 2 + 30;
  keep(curve.lines, series, (s) => s.method, makeSeries).forEach((piece, i) => {
    const bands = pick(series[i])[0].map((values) => values.map((v) => y(v ?? 0)));
    BANDS.forEach(([low, high], b) => set(piece.bands[b], { d: area(xs, bands[low], bands[high]) }));
    set(piece.median, { d: line(xs, bands[3]) });
    const near = xs.findIndex((place) => place > x(curve.epsilon) + 8);
    const from = after ? Math.max(0, near) : 1;
    set(piece.track, { d: line(xs.slice(from), bands[3].slice(from)) });
  });
}

function makeSeries({ method, hue }) {
  const bands = BANDS.map(([, , opacity]) => svg("path", { class: `fill-${hue}`, opacity }));
  const median = svg("path", { class: `stroke-${hue} median` });
  const id = `label-${(pathNumber += 1)}`;
  const track = svg("path", { id, fill: "none" });
  const text = svg("text", { class: `tone-${hue} strong halo`, dy: -6 },
    svg("textPath", { href: `#${id}`, startOffset: "6%" }, method));
  return { node: svg("g", {}, ...bands, median, track, text), bands, median, track };
}

function paintNow(curve, series, pick, x, y) {
  const place = x(curve.epsilon).toFixed(1);
  set(curve.rule, { x1: place, x2: place });
  set(curve.current, { x: Math.min(BOX.right - 10, Math.max(BOX.left, place)) });
  write(curve.current, `ε = ${Number(curve.epsilon.toPrecision(4))}`);
  keep(curve.rings, series, (s) => s.method, (s) => ({ node: svg("circle", { class: `ring fill-${s.hue}`, r: 4 }) }))
    .forEach(({ node }, i) => set(node, { cx: place, cy: y(pick(series[i])[1][3] ?? 0).toFixed(1) }));
}

function tableOfErrors(data) {
  const rows = [["method", "nodes", "epsilon", ...QUANTILES]];
  for (const series of data.series) {
    for (const [whose, bands] of [["all", series.overall], [data.node, series.own]]) {
      data.epsilons.forEach((e, i) => rows.push([series.method, whose, e, ...bands.map((q) => q[i])]));
    }
  }
  return rows;
}
