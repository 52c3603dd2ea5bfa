// Views beside the curves: a table of texts, and forecast against measured.
import { html, keep, set, svg, write } from "./dom.js";
import { drawColumns, drawRows, logLimits, logScale, logTicks } from "./scale.js";
import { number } from "./words.js";
import { makeView } from "./view.js";

export function makeFacts(name) {
  const view = makeView(name, () => [view.texts.head, ...view.texts.rows]);
  const head = html("thead");
  const body = html("tbody");
  const table = html("table", { class: "matches" }, head, body);
  view.body.append(html("div", { class: "scroll" }, table));
  return {
    node: view.node,
    update(data) {
      view.show(data);
      set(table, { "aria-label": data.alt });
      fill(head, [data.head], "th");
      fill(body, data.rows, "td");
    },
  };
}

function fill(parent, rows, tag) {
  keep(parent, rows.map((_, i) => i), (i) => i, () => ({ node: html("tr") })).forEach(({ node }, i) => {
    keep(node, rows[i].map((_, j) => j), (j) => j, () => ({ node: html(tag) }))
      .forEach((cell, j) => write(cell.node, rows[i][j]));
  });
}

const SQUARE = { left: 48, right: 330, top: 8, bottom: 226, width: 344, height: 264 };

export function makePoints() {
  const view = makeView("points", () => [["method", "node", "forecast", "measured"], ...view.texts.series.flatMap((s) =>
    view.texts.names.map((name, i) => [s.method, name, s.across[i], s.up[i]]))]);
  const key = html("div", { class: "key" });
  const rows = svg("g");
  const columns = svg("g");
  const equal = svg("path", { class: "now" });
  const dots = svg("g");
  const across = svg("text", { class: "second", "text-anchor": "middle", x: (SQUARE.left + SQUARE.right) / 2, y: SQUARE.height - 3 });
  const up = svg("text", { class: "second", "text-anchor": "middle", transform: `translate(11 ${(SQUARE.top + SQUARE.bottom) / 2}) rotate(-90)` });
  const picture = svg("svg", { class: "chart", role: "img", viewBox: `0 0 ${SQUARE.width} ${SQUARE.height}` }, rows, columns, equal, dots, across, up);
  view.body.append(key, picture);
  return {
    node: view.node,
    update(data) {
      view.show(data);
      set(picture, { "aria-label": data.alt });
      write(across, "forecast, in records (log scale)");
      write(up, "measured, in records");
      keep(key, data.series, (s) => s.method, (s) => ({ node: html("span", {}, html("i", { class: `fill-${s.hue}` }), s.method) }));
      picture.style.display = data.series.length === 0 ? "none" : "";
      const limits = logLimits(data.series.flatMap((s) => [...s.across, ...s.up])) ?? [0.1, 10];
      const x = logScale(limits, [SQUARE.left, SQUARE.right]);
      const y = logScale(limits, [SQUARE.bottom, SQUARE.top]);
      const ticks = logTicks(...limits).map((t) => [t, t >= 1000 ? number("count", t) : String(t)]);
      drawRows(rows, ticks, y, [SQUARE.left, SQUARE.right], { x: SQUARE.left - 6, anchor: "end" });
      drawColumns(columns, ticks, x, [SQUARE.left, SQUARE.right], SQUARE.bottom);
      set(equal, { d: `M${SQUARE.left} ${SQUARE.bottom}L${SQUARE.right} ${SQUARE.top}` });
      const every = data.series.flatMap((s) => data.names.map((name, i) => ({ s, name, i })));
      keep(dots, every, ({ s, name }) => `${s.method}\u0000${name}`, ({ s }) => {
        const title = svg("title");
        return { node: svg("circle", { class: `ring fill-${s.hue}`, r: 4 }, title), title };
      }).forEach(({ node, title }, k) => {
        const { s, name, i } = every[k];
        set(node, { cx: x(s.across[i] ?? limits[0]).toFixed(1), cy: y(s.up[i] ?? limits[0]).toFixed(1) });
        write(title, `${name}, ${s.method}: forecast ${number("error", s.across[i])}, measured ${number("error", s.up[i])}`);
      });
    },
  };
}
