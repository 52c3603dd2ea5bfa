// A chart: a plotly figure drawn on one node that stays, with its data and its picture to take away.
import { button, choices, html, keep, segmented, set, write } from "./dom.js";
import { fileName, linkedVariant, nameVariant } from "./link.js";
import { fillTable, tableRows } from "./table.js";
import { makeView } from "./view.js";

const CONFIG = {
  displaylogo: false,
  responsive: false, // we watch the room ourselves: one observer, no reflow per frame
  doubleClick: "reset",
  modeBarButtons: [["zoom2d", "pan2d", "resetScale2d"]], // named, so that none that shares data outside comes along
};
const TONE = /^var\(--([a-z-]+)(?:, ([0-9.]+))?\)$/;
const PICTURE = { width: 900, scale: 2 };

let library = null;

// plotly.js is the file inside the plotly package, served under its digest.
function loadPlotly() {
  library ??= window.Plotly ? Promise.resolve(window.Plotly) : new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = new URL(PLOTLY_PATH, window.location.origin).href;
    script.addEventListener("load", () => resolve(window.Plotly));
    script.addEventListener("error", () => { library = null; reject(new Error("plotly.js did not load")); });
    document.head.append(script);
  });
  return library;
}

// plotly puts its style sheet into the document; a component lives behind a shadow root.
function borrowStyle(node) {
  const root = node.getRootNode();
  if (root === document || root.querySelector(".borrowed")) return;
  const own = document.getElementById("plotly.js-style-global");
  const style = html("style", { class: "borrowed" });
  style.textContent = [...own.sheet.cssRules].map((rule) => rule.cssText).join("\n");
  root.prepend(style);
}

export function makeFigure(name) {
  const view = makeView(name, () => tableRows(chart.data.table));
  const variant = segmented("Show", (key) => { choices[`figure ${name}`] = key; draw(chart); });
  const plot = html("div", { class: "plot", role: "img" });
  const state = html("p", { class: "caption", hidden: true, role: "status" });
  const take = (format) => button(format.toUpperCase(), () => takePicture(chart, format), { class: "file" });
  view.controls.append(variant.node);
  view.files.append(take("png"), take("svg"));
  const key = html("div", { class: "key", role: "group", "aria-label": "Curves; press one to hide it" });
  const summary = html("table", { class: "found" }, html("thead"), html("tbody"));
  view.body.append(key, plot, state, summary);
  const chart = { name, view, variant, key, plot, state, drawn: null, busy: null, again: false, look: 0, hidden: new Set() };
  new ResizeObserver(() => chart.data && fitWidth(chart)).observe(plot);
  // light or dark: once the page has its tones, whoever changed them
  plot.addEventListener("transitionend", (event) => event.target === plot && chart.data && drawAnew(chart));
  return {
    node: view.node,
    update(data, scenario) {
      chart.stamp = scenario ?? "";
      if (data === chart.data) return;
      chart.data = data;
      view.show(data);
      fillTable(summary, data.summary);
      draw(chart);
    },
  };
}

const chosenVariant = ({ name, data }) =>
  data.variants.find((v) => v.key === choices[`figure ${name}`]) ?? linkedVariant(name, data.variants) ?? data.variants[0];

// One drawing at a time; what comes while it is under way is drawn after it, the latest only.
async function draw(chart) {
  const shown = chosenVariant(chart);
  chart.variant.show(chart.data.variants.map((v) => [v.key, v.title]), shown.key);
  nameVariant(chart.name, chart.plot, chart.data.variants.indexOf(shown));
  set(chart.plot, { "aria-label": chart.data.alt });
  showKey(chart, shown.figure);
  if (chart.busy) { chart.again = true; return; }
  chart.busy = paintFigure(chart, shown.figure);
  try {
    await chart.busy;
    chart.state.hidden = true;
  } catch (problem) {
    chart.state.hidden = false;
    chart.state.textContent = `The chart could not be drawn (${problem.message}); its numbers are in the CSV.`;
  }
  chart.busy = null;
  if (chart.again) { chart.again = false; draw(chart); }
}

// Something else than the data changed: its tones, or which curves are put away.
function drawAnew(chart) {
  chart.drawn = null;
  chart.look += 1;
  draw(chart);
}

async function paintFigure(chart, figure) {
  const plotly = await loadPlotly();
  const { plot, look, drawn: before } = chart;
  if (before === figure) return;
  borrowStyle(plot);
  const colours = coloursOf(plot);
  const kept = ({ data }) => data.filter((trace) => !chart.hidden.has(trace.legendgroup ?? trace.name));
  const { shapes = [], annotations = [] } = figure.layout;
  const marks = before && frame(before.layout) === frame(figure.layout) && coloured({ shapes, annotations }, colours);
  const moves = marks && [markMoves(plot, marks), curveMoves(plot, kept(before), kept(figure))];
  if (moves && moves.every(Boolean)) {
    for (const move of moves.flat()) move();
    Object.assign(plot.layout, marks);
  } else if (marks && before.data === figure.data) {
    await plotly.relayout(plot, marks);
  } else {
    chart.width = plot.clientWidth;
    const layout = coloured({ ...figure.layout, width: chart.width || undefined, showlegend: false }, colours);
    await plotly.react(plot, coloured(kept(figure), colours), layout, CONFIG);
  }
  chart.drawn = chart.look === look ? figure : null; // a curve put away meanwhile is still there
  fitWidth(chart);
}

// The legend: one button for each named curve, with its value where it has one; pressed, it goes.
function showKey(chart, { data, layout }) {
  const named = data.filter((trace) => trace.name && trace.showlegend !== false);
  chart.key.hidden = named.length < 2;
  keep(chart.key, named, (t) => t.name, (t) => makeEntry(chart, t)).forEach(({ node, swatch, value }, i) => {
    const { name, mode, line = {}, marker = {} } = named[i];
    const tone = plainTone(line.color ?? marker.color);
    const dash = /px|dot/.test(line.dash ?? "") ? (Number.parseFloat(line.dash) >= 4 ? "dashed" : "dotted") : "solid";
    set(node, { "aria-pressed": !chart.hidden.has(name) });
    const spot = mode === "markers" && marker.symbol !== "line-ns"; // those are ends of bars, hatched where lines are dashed
    set(swatch, { class: spot ? `ring ${marker.symbol ?? ""}` : null });
    swatch.style[spot ? "border" : "borderTop"] = `${Math.max(2, 1.4 * (line.width ?? 1))}px ${dash} ${tone}`;
    value.style.color = tone.replace(/(-text)?\)$/, "-text)");
    write(value, layout.meta?.values[name] ?? "");
  });
}

function makeEntry(chart, { name }) {
  const [swatch, value] = [html("i"), html("b")];
  const toggle = () => {
    if (!chart.hidden.delete(name)) chart.hidden.add(name);
    drawAnew(chart);
  };
  const node = button("", toggle, { class: null });
  node.append(swatch, html("span", {}, decoded(name)), value);
  return { node, swatch, value };
}

const plainTone = (colour) => [colour].flat()[0]?.replace(/^(var\(--[a-z-]+).*$/, "$1)") ?? "currentColor";
const decoded = (text) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

// A layout without its marks (shapes and notes).
const frame = ({ shapes, annotations, meta, ...rest }) => JSON.stringify(rest);

// plotly takes 25 ms to move a line and a dot: what it drew is shifted instead, and its layout told, so
// that it draws them there itself when next zoomed, resized or taken away as a picture. Nothing where
// more than places and words changed, or a mark would leave what is in view.
function markMoves(plot, marks) {
  const { xaxis, yaxis } = plot._fullLayout;
  const spot = (x, y, { type, xref, yref }) => [
    xref === "paper" ? 0 : type === "line" ? xaxis.d2p(x) : xaxis.r2p(x), yref === "paper" ? 0 : yaxis.r2p(y)];
  const moves = [];
  for (const [kind, drawn] of [["shapes", ".shapelayer path"], ["annotations", ".annotation"]]) {
    const before = plot.layout[kind] ?? [];
    if (before.length !== marks[kind].length) return null;
    for (const [i, to] of marks[kind].entries()) {
      const node = plot.querySelector(`${drawn}[data-index="${i}"]`);
      if (!node || apart(before[i]) !== apart(to) || to.x0 !== to.x1) return null;
      const base = (node.base ??= before[i]); // where it stood when plotly drew it
      const [x, y] = spot(to.x ?? to.x0, to.y, to);
      const [left, top] = spot(base.x ?? base.x0, base.y, base);
      if (!(x >= 0 && x <= xaxis._length && y >= 0 && y <= yaxis._length)) return null;
      moves.push(() => {
        set(node, { transform: `translate(${x - left},${y - top})` });
        if (to.text) write(node.querySelector("text tspan") ?? node.querySelector("text"), decoded(to.text.replace(/<\/?b>/g, "")));
      });
    }
  }
  return moves;
}

// The same for lines and for names at their ends of which the heights alone changed, where plotly takes
// 15 to 20 ms: what it drew is bent, and its data and its points told, by which it hovers and zooms.
function curveMoves(plot, before, after) {
  const { xaxis, yaxis } = plot._fullLayout;
  if (before.length !== after.length) return null;
  const moves = [];
  for (const [i, { mode, fill, line, error_y: whiskers, y }] of after.entries()) {
    if (after[i] === before[i]) continue;
    const points = plot.calcdata[i];
    const drawn = points[0].node3?.node().querySelectorAll(mode === "lines" ? ".js-line" : ".textpoint text");
    if (!["lines", "text"].includes(mode) || fill || whiskers || line?.shape || level(before[i]) !== level(after[i])) return null;
    if (drawn?.length !== 1 || drawn[0].childElementCount) return null;
    const heights = y.map((value) => yaxis.d2c(value));
    const places = points.map(({ x }, j) => [xaxis.c2p(x), yaxis.c2p(heights[j])].map((place) => place.toFixed(2)));
    const inView = ([, top]) => mode === "lines" || (top >= 0 && top <= yaxis._length);
    if (!heights.every(Number.isFinite) || !places.every(inView)) return null;
    moves.push(() => {
      set(drawn[0], mode === "lines" ? { d: `M${places.join("L")}` } : { y: places[0][1] });
      points.forEach((point, j) => { point.y = heights[j]; });
      plot.data[i].y = plot._fullData[i].y = y;
    });
  }
  return moves;
}

// A curve without its heights.
const level = ({ y, ...rest }) => JSON.stringify([rest, y?.length]);
// A mark without its place and its words; words with other tags than bold around them are not ours to write.
const apart = ({ x, y, x0, x1, text = "", ...rest }) => JSON.stringify([rest, /^<b>[^<]*<\/b>$/.test(text), /<(?!\/?b>)/.test(text)]);

function fitWidth(chart) {
  const width = chart.plot.clientWidth;
  if (!chart.drawn || !width || width === chart.width) return;
  chart.width = width;
  loadPlotly().then((plotly) => plotly.relayout(chart.plot, { width }));
}

// Names of the palette as the colours they have on this page, light or dark.
function coloursOf(node) {
  const known = new Map();
  const probe = html("i", { hidden: true });
  node.append(probe);
  return (name) => {
    probe.style.color = `var(--${name})`;
    if (!known.has(name)) known.set(name, getComputedStyle(probe).color);
    return known.get(name);
  };
}

function coloured(value, colours) {
  if (typeof value === "string") {
    const tone = TONE.exec(value);
    if (!tone) return value;
    const solid = colours(tone[1]);
    return tone[2] ? solid.replace(/^rgb\((.*)\)$/, `rgba($1, ${tone[2]})`) : solid;
  }
  // a step of a colour scale is a number and a colour
  if (Array.isArray(value)) return typeof value.at(-1) === "number" ? value : value.map((v) => coloured(v, colours));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, coloured(v, colours)]));
}

// The picture as it stands, with title and scenario, so that it explains itself elsewhere.
async function takePicture(chart, format) {
  const plotly = await loadPlotly();
  const { layout, data } = chart.plot;
  const { title, file } = chart.data;
  const height = layout.height + 70;
  const margin = { ...layout.margin, t: (layout.margin.t ?? 0) + 44, b: (layout.margin.b ?? 0) + 26 };
  const paper = { xref: "paper", yref: "paper", x: 0, y: 0, yshift: -62, xanchor: "left" };
  const note = { ...paper, text: plainText(chart.stamp), showarrow: false, font: { size: 10 } };
  const framed = {
    ...layout, margin, showlegend: true, height, width: PICTURE.width, paper_bgcolor: coloursOf(chart.plot)("page"),
    title: { text: plainText(title), x: 0.01, xanchor: "left", font: { size: 16 } },
    annotations: [...(layout.annotations ?? []), note],
  };
  const image = await plotly.toImage({ data, layout: framed }, { format, width: PICTURE.width, height, scale: format === "png" ? PICTURE.scale : 1 });
  html("a", { href: image, download: fileName(file).replace(/\.csv$/, `.${format}`) }).click();
}

// plotly reads a few tags in texts; names come from files and are never markup.
const plainText = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
