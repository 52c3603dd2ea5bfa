// The selected node's conditional: one row for each setting of its parents, truth and bands.
import { button, html, keepPlaces, set, write } from "./dom.js";
import { number } from "./words.js";
import { makeView } from "./view.js";

const FEW_ROWS = 24;
const FEW_RECORDS = 50;
const BAND_LIMITS = [[0, 6, "wide"], [1, 5, "middle"], [2, 4, "narrow"]];
const STATE_WIDTH = 215; // of a strip, the truth and the range together
const LETTER = 7;
const RANGE_NAMES = ["2.5 %", "10 %", "25 %", "median", "75 %", "90 %", "97.5 %"];

export function makePanel(name) {
  const view = makeView(name, () => tableOfConditional(panel.data));
  const [head, body] = [html("thead"), html("tbody")];
  const table = html("table", { class: "conditional" }, head, body);
  const more = button("", () => { panel.all = !panel.all; paintPanel(panel); });
  const left = html("span", { class: "left-out" });
  const scroll = html("div", { class: "scroll" }, table);
  view.body.append(scroll, html("div", { class: "more" }, more, left));
  const panel = { view, head, body, table, scroll, more, left, all: false, shape: "" };
  new ResizeObserver(() => panel.data && fitNumbers(panel)).observe(scroll);
  return {
    node: view.node,
    update(data) {
      panel.data = data;
      view.show(data);
      set(table, { "aria-label": data.alt });
      paintPanel(panel);
    },
  };
}

function paintPanel(panel) {
  const { data } = panel;
  const shape = JSON.stringify([data.node, data.parents, data.states]);
  if (shape !== panel.shape) rebuild(panel, shape);
  const count = data.settings.length;
  const shown = panel.all ? count : Math.min(count, FEW_ROWS);
  panel.more.hidden = count <= FEW_ROWS;
  write(panel.more, panel.all ? `Show the first ${FEW_ROWS} rows` : `Show all ${number("count", count)} rows`);
  write(panel.left, data.total > count ? `The first ${number("count", count)} of ${number("count", data.total)} rows are here.` : "");
  keepPlaces(panel.body, data.settings.slice(0, shown), () => makeRow(data)).forEach((row, r) => paintRow(row, data, r));
}

// Truth and range in figures where there is room; the strips, the table's file and screen
// readers have them in any case.
function fitNumbers({ data, scroll, table }) {
  const letters = data.parents.map((name, j) =>
    Math.max(name.length, ...data.settings.slice(0, FEW_ROWS).map((setting) => setting[j].length)));
  const given = letters.reduce((total, most) => total + Math.min(120, LETTER * most + 16), 70);
  const needed = given + STATE_WIDTH * data.states.length;
  table.classList.toggle("numbers-hidden", scroll.clientWidth < needed);
}

// Another node has other columns: the table starts afresh.
function rebuild(panel, shape) {
  const { data } = panel;
  panel.shape = shape;
  panel.all = false;
  keepPlaces(panel.body, [], null);
  const given = data.parents.map((name) => html("th", { scope: "col", class: "given", title: name }, name));
  const states = data.states.flatMap((state) => [
    html("th", { scope: "col", class: "state", title: state }, state),
    html("th", { scope: "col", class: "truth" }, "truth"),
    html("th", { scope: "col", class: `range tone-${data.hue}` }, "95 % range"),
  ]);
  panel.head.replaceChildren(html("tr", {}, ...given, html("th", { scope: "col", class: "records" }, "records"), ...states));
  fitNumbers(panel);
}

function makeRow(data) {
  const given = data.parents.map(() => html("td", { class: "given" }));
  const records = html("td", { class: "records" });
  const cells = data.states.map(() => {
    const bands = BAND_LIMITS.map(([, , name]) => html("i", { class: `${name} fill-${data.hue}` }));
    const tick = html("i", { class: "tick" });
    const strip = html("td", { class: "state" }, html("div", { class: "strip", "aria-hidden": "true" }, ...bands, tick));
    const truth = html("td", { class: "truth" });
    const range = html("td", { class: `range tone-${data.hue}` });
    return { bands, tick, truth, range, nodes: [strip, truth, range] };
  });
  const node = html("tr", {}, ...given, records, ...cells.flatMap((c) => c.nodes));
  return { node, given, records, cells };
}

const place = (value) => `${(100 * value).toFixed(2)}%`;

function paintRow({ given, records, cells }, data, r) {
  given.forEach((cell, j) => set(write(cell, data.settings[r][j]), { title: data.settings[r][j] }));
  const few = data.records[r] < FEW_RECORDS;
  write(records, `${number("count", data.records[r])}${few ? "*" : "\u2007"}`);
  records.classList.toggle("few", few);
  cells.forEach(({ bands, tick, truth, range, nodes }, s) => {
    const at = (q) => data.bands[q][r][s] ?? 0;
    BAND_LIMITS.forEach(([low, high], b) => {
      bands[b].style.left = place(at(low));
      bands[b].style.width = place(at(high) - at(low));
    });
    tick.style.left = place(data.truth[r][s] ?? 0);
    tick.hidden = data.truth[r][s] === null;
    write(truth, number("probability", data.truth[r][s]));
    write(range, `${number("probability", at(0))} to ${number("probability", at(6))}`);
    set(nodes[0], { title: `truth ${truth.textContent}, 95 % of releases ${range.textContent}` });
  });
}

function tableOfConditional(data) {
  const rows = [[...data.parents, "records", data.node, "truth", ...RANGE_NAMES]];
  data.settings.forEach((setting, r) => data.states.forEach((state, s) => {
    rows.push([...setting, data.records[r], state, data.truth[r][s], ...data.bands.map((q) => q[r][s])]);
  }));
  return rows;
}
