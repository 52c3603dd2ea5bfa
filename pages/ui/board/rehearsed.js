// What a rehearsal on a stand-in showed: nested ranges over runs, the median, the limit.
import { html, keep, set, svg, write } from "./dom.js";
import { drawColumns, linearScale } from "./scale.js";
import { number } from "./words.js";
import { makeView } from "./view.js";
import { paintRuns } from "./top.js";

const LEVELS = ["2.5 %", "10 %", "25 %", "median", "75 %", "90 %", "97.5 %"];
const RANGES = [[0, 6, 0.2], [1, 5, 0.3], [2, 4, 0.55]];
const STEP = 38;
const FROM = 118;

function makeRehearsed() {
  const view = makeView("rehearsed-view", () => [["error of", ...LEVELS], ...chart.data.bands.map((b) => [b.name, ...b.values])]);
  const said = html("p", { class: "said-plain" });
  const rows = svg("g");
  const columns = svg("g");
  const limit = svg("line", { class: "now" });
  const limitName = svg("text", { class: "second" });
  const unit = svg("text", { class: "second", "text-anchor": "middle" }, "total difference of probabilities (0: none, 2: the most)");
  const picture = svg("svg", { class: "plot", role: "img" }, columns, rows, limit, limitName, unit);
  const room = html("div", { class: "plot-room" }, picture);
  view.body.append(said, room);
  const chart = { said, rows, columns, limit, limitName, unit, picture, width: 500, data: null };
  new ResizeObserver(([entry]) => {
    chart.width = Math.max(280, entry.contentRect.width);
    if (chart.data) paintRehearsed(chart);
  }).observe(room);
  return {
    node: view.node,
    update(data) {
      chart.data = data;
      view.show(data);
      set(picture, { "aria-label": data.alt });
      paintRuns(said, data.finding);
      paintRehearsed(chart);
    },
  };
}

function paintRehearsed({ rows, columns, limit, limitName, unit, picture, width, data }) {
  const floor = 14 + data.bands.length * STEP;
  const most = 1.08 * Math.max(data.limit, ...data.bands.map((b) => b.values[6]));
  const right = width - 74;
  const x = linearScale([0, most], [FROM, right]);
  set(picture, { viewBox: `0 0 ${width} ${floor + 40}`, width, height: floor + 40 });
  const step = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5].find((s) => most / s <= 6) ?? 1;
  const ticks = Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => Number((i * step).toPrecision(6)));
  drawColumns(columns, ticks.map((t) => [t, String(t)]), x, [FROM, right], floor);
  keep(rows, data.bands, (b) => b.name, () => {
    const name = svg("text", { "text-anchor": "end", x: FROM - 12 });
    const beams = RANGES.map(([, , opacity]) => svg("rect", { height: 18, opacity }));
    const middle = svg("line", { class: "tick-median" });
    const value = svg("text", { class: "strong" });
    return { node: svg("g", {}, name, ...beams, middle, value), name, beams, middle, value };
  }).forEach(({ name, beams, middle, value }, i) => {
    const { name: text, values } = data.bands[i];
    const y = 14 + i * STEP;
    set(write(name, text), { y: y + 14 });
    RANGES.forEach(([low, high], k) => set(beams[k], { class: `fill-${data.hue}`, x: x(values[low]), y, width: Math.max(x(values[high]) - x(values[low]), 1) }));
    set(middle, { x1: x(values[3]), x2: x(values[3]), y1: y - 2, y2: y + 20 });
    set(write(value, number("error", values[3])), { x: x(values[6]) + 8, y: y + 14 });
  });
  set(limit, { x1: x(data.limit), x2: x(data.limit), y1: 6, y2: 10 + STEP });
  set(write(limitName, "limit of a row"), { x: x(data.limit) + 5, y: 10 });
  set(unit, { x: (FROM + right) / 2, y: floor + 36 });
}

const rehearsedBoards = new WeakMap();

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".board");
  if (!rehearsedBoards.has(root)) {
    const made = makeRehearsed();
    root.append(html("div", { class: "sheet" }, made.node));
    rehearsedBoards.set(root, made);
  }
  rehearsedBoards.get(root).update(data);
}
