// One quantity against another for several estimators: medians, nested bands, reference lines, and
// the place that is set in the sidebar marked.
import { html, keep, set, svg, write } from "./dom.js";
import { area, drawColumns, drawRows, line, linearScale, logLimits, logScale, logTicks } from "./scale.js";
import { number, powers } from "./words.js";
import { makeView } from "./view.js";

const PLOT = { height: 268, left: 58, top: 24, bottom: 226 };
const LABEL_ROOM = 96; // right of the plot, for the curves' names
const LABELLED = 400; // narrower than this, names stand in the key alone
const BANDS = [[0, 6, 0.14], [1, 5, 0.18], [2, 4, 0.3]];
const SPAN = 1e5; // largest over smallest value that a log axis shows
const GAP = 14; // pixels between two names
const QUANTILE_NAMES = ["2.5 %", "10 %", "25 %", "median", "75 %", "90 %", "97.5 %"];

export function makePlot() {
  const view = makeView("lines", () => tableOfPlot(plot.data));
  const key = html("div", { class: "key" });
  const part = Object.fromEntries(["rows", "columns", "bands", "rules", "curves", "rings", "labels"].map((name) => [name, svg("g")]));
  const mark = svg("line", { class: "now", y1: PLOT.top - 4, y2: PLOT.bottom });
  const place = svg("text", { class: "strong", y: 12, "text-anchor": "middle" });
  const across = svg("text", { class: "second", "text-anchor": "middle", y: PLOT.height - 4 });
  const up = svg("text", { class: "second", "text-anchor": "middle", transform: `translate(11 ${(PLOT.top + PLOT.bottom) / 2}) rotate(-90)` });
  const empty = svg("text", { class: "second", "text-anchor": "middle", y: (PLOT.top + PLOT.bottom) / 2 });
  const picture = svg("svg", { class: "plot", role: "img", height: PLOT.height }, part.rows, part.columns, part.bands, part.rules, part.curves, mark, place, part.rings, part.labels, across, up, empty);
  const room = html("div", { class: "plot-room" }, picture);
  view.body.append(key, room);
  const plot = { ...part, key, mark, place, across, up, empty, picture, width: 500 };
  new ResizeObserver(([entry]) => {
    plot.width = Math.max(240, entry.contentRect.width);
    if (plot.data) paintPlot(plot);
  }).observe(room);
  return {
    node: view.node,
    update(data) {
      plot.data = data;
      view.show(data);
      set(picture, { "aria-label": data.alt });
      paintPlot(plot);
    },
  };
}

function paintPlot(plot) {
  const { data, width } = plot;
  const labelled = width > LABELLED;
  const ends = [PLOT.left, width - (labelled ? LABEL_ROOM : 26)];
  const known = data.series.filter((s) => s.across.length > 0);
  set(plot.picture, { viewBox: `0 0 ${width} ${PLOT.height}`, width });
  const x = (data.across.log ? logScale : linearScale)(data.across.range, ends);
  const { y, ticks } = upward(data, known);
  const middle = (ends[0] + ends[1]) / 2;
  drawRows(plot.rows, ticks, y, ends, { x: PLOT.left - 7, anchor: "end" });
  drawColumns(plot.columns, data.across.ticks, x, ends, PLOT.bottom);
  set(write(plot.across, data.across.title), { x: middle });
  write(plot.up, data.up.title);
  set(write(plot.empty, known.length === 0 ? data.empty : ""), { x: middle });
  paintBands(plot, known, x, y);
  paintReferences(plot, x, y, ends);
  paintKey(plot);
  paintLabels(plot, labelled ? known : [], x, y, ends[1]);
  paintPlace(plot, known, x, y, ends);
}

function upward(data, known) {
  const [bottom, top] = [PLOT.bottom, PLOT.top + 4];
  const values = [...known.flatMap((s) => s.bands.flat()), ...data.rules.flatMap((r) => r.values)].filter((v) => v !== null);
  if (data.up.log) {
    const most = Math.max(...values);
    const limits = logLimits(values.filter((v) => v > most / SPAN)) ?? [0.01, 1];
    return { y: logScale(limits, [bottom, top]), ticks: logTicks(...limits).map((t) => [t, powers(t)]) };
  }
  const [low, high] = values.length ? [Math.min(...values), Math.max(...values)] : [0, 1];
  const step = roundStep((high - low || Math.abs(high) || 1) / 4);
  const from = Math.floor(low / step) * step;
  const count = Math.max(1, Math.ceil((high - from) / step - 1e-9));
  const places = Array.from({ length: count + 1 }, (_, i) => Number((from + i * step).toPrecision(6)));
  return { y: linearScale([places[0], places.at(-1)], [bottom, top]), ticks: places.map((t) => [t, String(t).replace("-", "−")]) };
}

// 1, 2 or 5 times a power of ten, not below the value.
function roundStep(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [1, 2, 5, 10].find((digit) => digit * power >= value * 0.999);
}

function paintBands(plot, known, x, y) {
  const placed = known.map((s) => ({ s, xs: s.across.map(x), ys: s.bands.map((row) => row.map((v) => y(v ?? 0))) }));
  keep(plot.bands, placed, ({ s }) => s.name, ({ s }) => {
    const bands = BANDS.map(() => svg("path", { class: `fill-${s.hue}` }));
    return { node: svg("g", {}, ...bands), bands };
  }).forEach(({ bands }, i) => {
    const { xs, ys } = placed[i];
    BANDS.forEach(([low, high, opacity], b) => set(bands[b], {
      d: xs.length > 1 ? area(xs, ys[low], ys[high]) : null, opacity: known.length > 3 ? opacity / 2 : opacity,
    }));
  });
  keep(plot.curves, placed, ({ s }) => s.name, ({ s }) => {
    const median = svg("path", { class: `stroke-${s.hue} median`, "stroke-width": 1.8 });
    const dots = svg("g");
    return { node: svg("g", {}, median, dots), median, dots };
  }).forEach(({ median, dots }, i) => {
    const { s, xs, ys } = placed[i];
    set(median, { d: line(xs, ys[3]), "stroke-dasharray": s.dash || null });
    const measured = s.measured ? xs.map((_, k) => k) : [];
    keep(dots, measured, (k) => k, () => ({ node: svg("circle", { class: `fill-${s.hue}`, r: 2.2 }) }))
      .forEach(({ node }, k) => set(node, { cx: xs[k].toFixed(1), cy: ys[3][k].toFixed(1) }));
  });
}

// Dotted lines that nobody measured: what theory says, or where two things are equal.
function paintReferences(plot, x, y, [left, right]) {
  keep(plot.rules, plot.data.rules, (r) => r.name, () => {
    const path = svg("path", { class: "reference" });
    const text = svg("text", { class: "second halo" });
    return { node: svg("g", {}, path, text), path, text };
  }).forEach(({ path, text }, i) => {
    const { name, across, values, anchor } = plot.data.rules[i];
    const [xs, ys] = [across.map(x), values.map(y)];
    set(path, { d: line(xs, ys) });
    const k = anchor === "start" ? 0 : xs.length - 1;
    const room = anchor === "start" ? left + 6 : right - 4;
    set(write(text, name), { x: room, y: (Math.max(PLOT.top + 16, Math.min(PLOT.bottom - 4, ys[k])) - 5).toFixed(1), "text-anchor": anchor });
  });
}

function paintKey({ key, data }) {
  keep(key, data.series, (s) => s.name, (s) => {
    const swatch = html("i");
    const value = html("b", { class: `tone-${s.hue}` });
    const range = html("span", { class: "range", title: "95 % of replicates" });
    return { node: html("span", {}, swatch, `${s.name} `, value, range), swatch, value, range };
  }).forEach(({ swatch, value, range }, i) => {
    const { now, hue, dash, across } = data.series[i];
    set(swatch, { class: dash ? `dashed tone-${hue}` : `fill-${hue}` });
    write(value, now ? number(data.up.kind, now[3]) : across.length ? "" : "not yet");
    write(range, now && now[6] > now[0] ? ` (${number(data.up.kind, now[0])} to ${number(data.up.kind, now[6])})` : "");
  });
}

// Names stand at the ends of their curves, pushed apart where they would touch.
function paintLabels(plot, known, x, y, right) {
  const places = known.map((s) => ({ s, from: [x(s.across.at(-1)), y(s.bands[3].at(-1) ?? 0)] }));
  places.sort((a, b) => a.from[1] - b.from[1]);
  let last = -Infinity;
  for (const one of places) {
    one.y = Math.max(one.from[1] + 4, last + GAP);
    last = one.y;
  }
  const over = last - (PLOT.bottom + 4);
  if (over > 0) places.forEach((one) => { one.y -= over; });
  keep(plot.labels, places, ({ s }) => s.name, ({ s }) => {
    const text = svg("text", { class: `tone-${s.hue} strong` });
    const leader = svg("path", { class: "leader" });
    return { node: svg("g", {}, leader, text), text, leader };
  }).forEach(({ text, leader }, i) => {
    const { s, from, y: height } = places[i];
    set(write(text, s.name), { x: right + 12, y: height.toFixed(1) });
    set(leader, { d: `M${(from[0] + 3).toFixed(1)} ${from[1].toFixed(1)}L${right + 9} ${(height - 4).toFixed(1)}` });
  });
}

function paintPlace(plot, known, x, y, [left, right]) {
  const { mark } = plot.data;
  plot.mark.style.display = mark ? "" : "none";
  write(plot.place, mark ? mark.text : "");
  const shown = mark ? known.filter((s) => s.now) : [];
  const at = mark ? x(mark.at) : left;
  set(plot.mark, { x1: at.toFixed(1), x2: at.toFixed(1) });
  set(plot.place, { x: Math.min(right - 30, Math.max(left + 30, at)).toFixed(1) });
  keep(plot.rings, shown, (s) => s.name, (s) => ({ node: svg("circle", { class: `ring fill-${s.hue}`, r: 4.2 }) }))
    .forEach(({ node }, i) => set(node, { cx: at.toFixed(1), cy: y(shown[i].now[3] ?? 0).toFixed(1) }));
}

function tableOfPlot({ series, rules, across }) {
  const rows = [["curve", across.name, ...QUANTILE_NAMES]];
  for (const s of series) s.across.forEach((at, i) => rows.push([s.name, at, ...s.bands.map((row) => row[i])]));
  for (const r of rules) r.across.forEach((at, i) => rows.push([r.name, at, "", "", "", r.values[i], "", "", ""]));
  return rows;
}
