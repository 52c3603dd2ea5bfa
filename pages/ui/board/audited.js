// What an audit proves: the lower bound of each pair of neighbours against the claim.
import { html, keep, set, svg, write } from "./dom.js";
import { drawColumns, linearScale } from "./scale.js";
import { makeView } from "./view.js";

const ROW = 30;
const TOP = 26;

function makeAudited() {
  const view = makeView("audited-view", () => [["pair of neighbours", "proven at least", "claim"], ...chart.data.rows.map((r) => [r.name, r.bound, chart.data.claim])]);
  const said = html("p", { class: "said-plain" });
  const rows = svg("g");
  const columns = svg("g");
  const claim = svg("line", { class: "claim-line", y1: TOP - 6 });
  const name = svg("text", { class: "strong", y: 12, "text-anchor": "middle" });
  const unit = svg("text", { class: "second", "text-anchor": "middle" });
  const picture = svg("svg", { class: "plot", role: "img" }, columns, rows, claim, name, unit);
  const room = html("div", { class: "plot-room" }, picture);
  view.body.append(said, room);
  const chart = { said, rows, columns, claim, name, unit, picture, width: 600, data: null };
  new ResizeObserver(([entry]) => {
    chart.width = Math.max(280, entry.contentRect.width);
    if (chart.data) paintAudited(chart);
  }).observe(room);
  return {
    node: view.node,
    update(data) {
      chart.data = data;
      view.show(data);
      write(said, data.said);
      set(picture, { "aria-label": data.alt });
      paintAudited(chart);
    },
  };
}

function paintAudited({ rows, columns, claim, name, unit, picture, width, data }) {
  const narrow = width < 560;
  const from = narrow ? 12 : 262;
  const row = narrow ? ROW + 18 : ROW;
  const right = width - 64;
  const floor = TOP + Math.max(data.rows.length, 1) * row;
  const most = 1.15 * Math.max(data.claim, ...data.rows.map((r) => r.bound));
  const x = linearScale([0, most], [from, right]);
  set(picture, { viewBox: `0 0 ${width} ${floor + 42}`, width, height: floor + 42 });
  const step = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100].find((s) => most / s <= 7) ?? most;
  const ticks = Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => Number((i * step).toPrecision(6)));
  drawColumns(columns, ticks.map((t) => [t, String(t)]), x, [from, right], floor);
  keep(rows, data.rows, (r) => r.name, () => {
    const label = svg("text");
    const beam = svg("rect", { height: 14 });
    const value = svg("text");
    return { node: svg("g", {}, label, beam, value), label, beam, value };
  }).forEach(({ label, beam, value }, i) => {
    const { name: text, bound } = data.rows[i];
    const y = TOP + i * row + (narrow ? 20 : 2);
    const over = bound > data.claim;
    set(write(label, text), narrow ? { x: from, y: y - 6, "text-anchor": "start" } : { x: from - 12, y: y + 11, "text-anchor": "end" });
    set(beam, { class: over ? "fill-risk" : "beam-quiet", x: from, y, width: Math.max(x(bound) - from, 1.5) });
    set(write(value, over ? `${bound.toFixed(2)} above` : bound.toFixed(2)), { class: over ? "tone-risk strong" : "second", x: x(bound) + 7, y: y + 11 });
  });
  set(claim, { x1: x(data.claim), x2: x(data.claim), y2: floor });
  set(write(name, `claim ε = ${data.claim}`), { x: Math.max(x(data.claim), from + 40) });
  set(write(unit, data.unit), { x: (from + right) / 2, y: floor + 36 });
}

const auditedBoards = new WeakMap();

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".board");
  if (!auditedBoards.has(root)) {
    const made = makeAudited();
    root.append(html("div", { class: "sheet" }, made.node));
    auditedBoards.set(root, made);
  }
  auditedBoards.get(root).update(data);
}
