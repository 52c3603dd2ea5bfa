// The proof of the guarantee, and three facts about the published formulas.
import { html, keep, set, svg, write } from "./dom.js";
import { drawColumns, drawRows, line, linearScale, logScale } from "./scale.js";
import { number } from "./words.js";
import { makeView } from "./view.js";
import { paintRuns } from "./top.js";

export function makeProof() {
  const view = makeView("proof", () => [["check", "holds"], ...proof.data.checks.map((c) => [c, "yes"])]);
  const text = html("div", { class: "sentences" });
  const checks = html("ul", { class: "checks" });
  view.body.append(text, checks);
  const proof = { data: null };
  return {
    node: view.node,
    update(data) {
      proof.data = data;
      view.show(data);
      keep(text, data.sentences.map((_, i) => i), (i) => i, () => ({ node: html("p") }))
        .forEach(({ node }, i) => paintRuns(node, data.sentences[i]));
      keep(checks, data.checks, (c) => c, (c) => ({ node: html("li", {}, c) }));
    },
  };
}

export function makeFindings() {
  const node = html("div", { class: "findings" });
  return {
    node,
    update(findings) {
      keep(node, findings, (f) => f.kind, makeFinding).forEach((piece, i) => piece.update(findings[i]));
    },
  };
}

const PICTURES = { constant: makeConstant, sampling: makeSampling, literal: makeBars };

function makeFinding({ kind }) {
  const view = makeView(kind, () => picture.table(view.texts));
  const picture = PICTURES[kind]();
  view.body.append(picture.node);
  return { node: view.node, update(data) { view.show(data); picture.update(data); } };
}

// A formula written out for one node.
function makeConstant() {
  const node = html("div", { class: "written" });
  return {
    node,
    update: ({ lines }) => keep(node, lines.map((_, i) => i), (i) => i, () => ({ node: html("p") }))
      .forEach((piece, i) => write(piece.node, lines[i])),
    table: ({ table }) => table,
  };
}

const SMALL = { left: 34, right: 300, top: 14, bottom: 124, width: 312, height: 160 };

// Relative noise of Stage I against its sampling rate; without sampling it is 1.
function makeSampling() {
  const rows = svg("g");
  const columns = svg("g");
  const even = svg("line", { class: "now", x1: SMALL.left, x2: SMALL.right });
  const evenName = svg("text", { class: "second", x: SMALL.left + 6 }, "without sampling: 1×");
  const curve = svg("path", { class: "median stroke-data-dependent" });
  const ring = svg("circle", { class: "ring fill-data-dependent", r: 4.5 });
  const label = svg("text", { class: "strong halo tone-data-dependent" });
  const unit = svg("text", { class: "second", x: (SMALL.left + SMALL.right) / 2, y: SMALL.height - 3, "text-anchor": "middle" }, "sampling rate γ (log scale)");
  const node = svg("svg", { class: "chart", viewBox: `0 0 ${SMALL.width} ${SMALL.height}`, role: "img" },
    rows, columns, even, evenName, curve, unit, ring, label);
  return {
    node,
    update({ rates, ratios, mark, alt }) {
      const top = Math.max(1.5, ...ratios);
      const x = logScale([rates[0], rates.at(-1)], [SMALL.left, SMALL.right]);
      const y = linearScale([top > 3 ? 0.3 : 0.7, top], [SMALL.bottom, SMALL.top]);
      const ticks = [1, 1.5, 2, 3, 5, 10, 20, 50].filter((t) => t <= top);
      const apart = ticks.filter((t, i) => i === 0 || y(ticks[i - 1]) - y(t) > 13 || t === ticks.at(-1));
      drawRows(rows, apart.map((t) => [t, `${t}×`]), y, [SMALL.left, SMALL.right], { x: SMALL.left - 6, anchor: "end" });
      drawColumns(columns, [0.01, 0.03, 0.1, 0.3, 1].map((t) => [t, String(t)]), x, [SMALL.left, SMALL.right], SMALL.bottom);
      set(even, { y1: y(1), y2: y(1) });
      set(evenName, { y: y(1) + 13 });
      set(curve, { d: line(rates.map(x), ratios.map(y)) });
      set(ring, { cx: x(mark[0]).toFixed(1), cy: y(mark[1]).toFixed(1) });
      const right = x(mark[0]) < SMALL.right - 100;
      set(label, { x: (x(mark[0]) + (right ? 8 : -8)).toFixed(1), y: Math.max(SMALL.top + 8, y(mark[1]) - (right ? 7 : 14)).toFixed(1), "text-anchor": right ? "start" : "end" });
      write(label, `${mark[1].toFixed(2)}× at γ = ${mark[0]}`);
      set(node, { "aria-label": alt });
    },
    table: ({ rates, ratios }) => [["gamma", "relative noise"], ...rates.map((r, i) => [r, ratios[i]])],
  };
}

// One bar with its 95 % interval for each reading.
function makeBars() {
  const node = html("div", { class: "readings", role: "img" });
  return {
    node,
    update({ bars, alt }) {
      const top = Math.max(...bars.map((b) => b.high));
      set(node, { "aria-label": alt });
      keep(node, bars, (b) => b.name, (b) => {
        const bar = html("i", { class: `beam fill-${b.hue}` });
        const whisker = html("i", { class: "whisker" });
        const value = html("b");
        return { node: html("div", {}, html("span", {}, b.name), value, html("div", { class: "length" }, bar, whisker)), bar, whisker, value };
      }).forEach(({ bar, whisker, value }, i) => {
        const b = bars[i];
        bar.style.width = `${100 * b.value / top}%`;
        whisker.style.left = `${100 * b.low / top}%`;
        whisker.style.width = `${100 * (b.high - b.low) / top}%`;
        write(value, `${number("error", b.value)} (${number("error", b.low)} to ${number("error", b.high)})`);
      });
    },
    table: ({ bars }) => [["reading", "median", "2.5 %", "97.5 %"], ...bars.map((b) => [b.name, b.value, b.low, b.high])],
  };
}
