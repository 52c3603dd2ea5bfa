// Truth across, estimate up: one panel for each estimator, every dot one cell of one table.
import { html, keep, set, svg, write } from "./dom.js";
import { drawColumns, drawRows, linearScale } from "./scale.js";
import { number } from "./words.js";
import { makeView } from "./view.js";

const PANEL = { width: 200, height: 206, left: 42, right: 196, top: 8, bottom: 162 };

export function makeScatter() {
  const view = makeView("scatters", () => tableOfScatter(view.texts));
  const panels = html("div", { class: "panels" });
  view.body.append(panels);
  return {
    node: view.node,
    update(data) {
      view.show(data);
      keep(panels, data.panels, (p) => p.name, makePanelOf).forEach((panel, i) => panel.update(data, data.panels[i]));
    },
  };
}

function makePanelOf({ hue }) {
  const name = html("b", { class: `tone-${hue}` });
  const note = html("span", { class: "range" });
  const rows = svg("g");
  const columns = svg("g");
  const equal = svg("path", { class: "now", d: `M${PANEL.left} ${PANEL.bottom}L${PANEL.right} ${PANEL.top}` });
  const dots = svg("path", { class: `cloud stroke-${hue}` });
  const middle = (PANEL.left + PANEL.right) / 2;
  const across = svg("text", { class: "second", "text-anchor": "middle", x: middle, y: PANEL.height - 6 }, "true probability");
  const up = svg("text", { class: "second", "text-anchor": "middle", transform: `translate(10 ${(PANEL.top + PANEL.bottom) / 2}) rotate(-90)` }, "learned");
  const picture = svg("svg", { class: "chart", role: "img", viewBox: `0 0 ${PANEL.width} ${PANEL.height}` }, rows, columns, equal, dots, across, up);
  return {
    node: html("figure", {}, html("figcaption", {}, name, note), picture),
    update(data, panel) {
      write(name, panel.name);
      write(note, panel.learned.length ? ` off by ${number("error", panel.error)}` : " not yet");
      set(picture, { "aria-label": `${panel.name}: ${data.alt}` });
      const x = linearScale([0, data.most], [PANEL.left, PANEL.right]);
      const y = linearScale([0, data.most], [PANEL.bottom, PANEL.top]);
      const ticks = data.ticks.map((t) => [t, String(t)]);
      drawRows(rows, ticks, y, [PANEL.left, PANEL.right], { x: PANEL.left - 6, anchor: "end" });
      drawColumns(columns, ticks, x, [PANEL.left, PANEL.right], PANEL.bottom);
      // a line of no length with round ends is a dot: one element for all of them
      set(dots, { d: panel.learned.map((v, i) => `M${x(data.truth[i]).toFixed(1)} ${y(v).toFixed(1)}h0`).join("") });
    },
  };
}

function tableOfScatter({ panels, truth, cells }) {
  const shown = panels.filter((p) => p.learned.length);
  return [["cell", "truth", ...shown.map((p) => p.name)], ...truth.map((t, i) => [cells[i], t, ...shown.map((p) => p.learned[i])])];
}
