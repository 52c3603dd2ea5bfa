// A small table of texts.
import { html, keepPlaces, write } from "./dom.js";
import { makeView } from "./view.js";

export function makeTable(name) {
  const view = makeView(name, () => tableRows(shown.data.kept ?? shown.data.table));
  const table = html("table", { class: "facts" }, html("thead"), html("tbody"));
  view.body.append(html("div", { class: "scroll" }, table));
  const shown = { data: null };
  return {
    node: view.node,
    update(data) {
      if (data === shown.data) return;
      shown.data = data;
      view.show(data);
      table.ariaLabel = data.alt;
      const [head, ...rows] = tableRows(data.table);
      fillTable(table, { head, rows });
    },
  };
}

// Columns come whole, or in the runs in which they travelled.
export function tableRows({ head, columns }) {
  const whole = columns.map((column) => column.flat());
  return [head, ...(whole[0] ?? []).map((_, i) => whole.map((c) => c[i]))];
}

export function fillTable(table, data) {
  table.hidden = !data;
  if (!data) return;
  const fill = (section, tag, lines) => keepPlaces(section, lines, () => ({ node: html("tr") }))
    .forEach(({ node }, i) => keepPlaces(node, lines[i], () => ({ node: html(tag) }))
      .forEach(({ node: cell }, j) => write(cell, String(lines[i][j]))));
  fill(table.children[0], "th", [data.head]);
  fill(table.children[1], "td", data.rows);
}
