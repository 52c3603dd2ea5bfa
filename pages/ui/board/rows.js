// Budget of every node under each method, and what it follows from: one row for each node.
import { button, choices, html, keep, segmented, set, svg, write } from "./dom.js";
import { number } from "./words.js";
import { makeView } from "./view.js";

const ORDERS = [["epsilon", "by ε"], ["height", "by height"], ["name", "by name"]];
const LOCKED = 0.2; // share asked for when a lock is closed
const SHACKLE = { closed: "M2.5 6V4a3 3 0 0 1 6 0v2", open: "M2.5 6V3.4a3 3 0 0 1 5.8-1" };

let askNumber = 0; // equal requests in a row are still two requests

export function makeRows(send, select) {
  const view = makeView("rows", () => tableOfRows(rows.data));
  const sort = segmented("Sort", (key) => { choices.sort = key; paintRows(rows); });
  const summary = html("span", { class: "summary", role: "status" });
  const free = button("Unlock all", () => send("unlock", (askNumber += 1)));
  view.controls.append(summary, free, sort.node);
  const key = html("div", { class: "key" });
  const message = html("p", { class: "message", role: "alert" });
  const head = html("thead");
  const body = html("tbody");
  const table = html("table", { class: "plan" }, head, body);
  view.body.append(key, message, html("div", { class: "scroll" }, table));
  const rows = { view, sort, summary, free, key, message, head, body, table, send, select, shape: "" };
  return {
    node: view.node,
    update(data, selected) {
      Object.assign(rows, { data, selected });
      view.show(data);
      set(table, { "aria-label": data.alt });
      paintRows(rows);
    },
  };
}

function paintRows(rows) {
  const { data } = rows;
  rows.sort.show(ORDERS, choices.sort ?? "epsilon");
  write(rows.summary, data.summary);
  rows.free.hidden = data.summary === "";
  rows.table.classList.toggle("held", data.floors.some((f) => f > 0));
  rows.message.hidden = data.message === "";
  write(rows.message, data.message);
  paintLegend(rows);
  const top = niceTop(data.series.flatMap((s) => [...s.values, ...(s.high ?? [])]));
  const shape = JSON.stringify(data.columns.map((c) => [c.head, c.formula, c.hue]));
  if (shape !== rows.shape) makeHead(rows, shape);
  paintAxis(rows, top);
  rows.table.style.setProperty("--step", `${100 * top.step / top.high}%`);
  const order = sorted(data);
  const pieces = keep(rows.body, order, (i) => data.nodes[i], (i) => makeLine(rows, data.nodes[i]));
  order.forEach((i, place) => paintLine(rows, pieces[place], i, order, place, top.high));
}

// By ε: the nodes of one table stand together, the best served first.
function sorted(data) {
  const table = (i) => data.tables?.[i] ?? i;
  const by = {
    epsilon: (a, b) => data.order[b] - data.order[a] || table(a) - table(b) || a - b,
    height: (a, b) => data.heights[b] - data.heights[a] || data.order[b] - data.order[a] || a - b,
    name: (a, b) => data.nodes[a].localeCompare(data.nodes[b]) || a - b,
  }[choices.sort ?? "epsilon"];
  return data.nodes.map((_, i) => i).sort(by);
}

// The smallest round number above all values, and a step that divides it.
function niceTop(values) {
  const most = Math.max(...values.filter((v) => v !== null), 1e-12) * 1.02;
  const unit = 10 ** Math.floor(Math.log10(most));
  const step = [0.1, 0.2, 0.5, 1, 2].map((s) => s * unit).find((s) => most / s <= 6);
  return { step, high: Math.ceil(most / step) * step };
}

function paintLegend({ data, key }) {
  keep(key, data.series, (s) => s.method, (s) => {
    const swatch = html("i", { class: isConstant(s) ? "dash" : `fill-${s.hue}` });
    const text = html("span");
    return { node: html("span", {}, swatch, text), text, swatch };
  }).forEach(({ text, swatch }, i) => {
    const s = data.series[i];
    const constant = isConstant(s);
    set(swatch, { class: s.hue === "uniform" ? "dash stroke-uniform" : `fill-${s.hue}` });
    const more = constant ? `: ${number("epsilon", s.values[0])} for every node` : s.low ? ", thin line: 95 % of plans" : "";
    write(text, `${s.method}${more}`);
  });
}

const isConstant = (s) => s.values.every((v) => Math.abs(v - s.values[0]) <= 1e-9 * Math.abs(s.values[0]));

function makeHead(rows, shape) {
  rows.shape = shape;
  const axis = html("div", { class: "ticks" });
  const cell = (name, title, tip) => html("th", { scope: "col", class: name }, ...heading(title, tip));
  rows.axis = axis;
  rows.head.replaceChildren(html("tr", {},
    cell("lock", ["", "lock"], "At least this share of the budget of the released tables; the other nodes share the rest in their own proportions."),
    cell("name", ["", "node"]),
    html("th", { class: "join" }, html("span", { class: "sr" }, "table")),
    html("th", { scope: "col", class: "bars" }, html("span", { class: "unit" }, "budget ε of the node"), axis),
    cell("weight", ["impor-", "tance"], "How much the node's error counts, in nodes: 2 counts for two."),
    ...rows.data.columns.map((c) => cell(`figure ${c.hue && `tone-${c.hue}`}`, c.head, c.formula))));
}

function heading([first, second], tip) {
  const lines = [html("span", {}, first), html("br"), html("span", { class: "symbol" }, second)];
  if (!tip) return lines;
  const label = html("span", { class: "tipped", tabindex: 0 }, ...lines);
  return [label, html("span", { class: "tip", role: "tooltip" }, tip)];
}

function paintAxis({ axis }, { step, high }) {
  const ticks = Array.from({ length: Math.round(high / step) + 1 }, (_, i) => Number((i * step).toPrecision(6)));
  keep(axis, ticks, (t) => t, (t) => ({ node: html("span", {}, String(t)) })).forEach(({ node }, i) => {
    node.style.left = `${100 * ticks[i] / high}%`;
  });
}

function makeLine(rows, name) {
  const shackle = svg("path", { fill: "none", stroke: "currentColor", "stroke-width": 1.3 });
  const icon = svg("svg", { width: 11, height: 13, viewBox: "0 0 11 13", "aria-hidden": "true" },
    svg("rect", { x: 0.7, y: 6, width: 9.6, height: 6.4, rx: 1.4, stroke: "currentColor", "stroke-width": 1.3 }), shackle);
  const lock = html("button", { type: "button", class: "toggle" }, icon);
  const floor = html("input", { type: "number", min: 1, max: 99, step: 1 });
  const share = html("label", { class: "floor" }, "≥", floor, "%");
  const weight = html("input", { type: "number", min: 0.1, max: 1000, step: 0.5 });
  const pick = html("button", { type: "button", class: "pick" });
  const bracket = html("i");
  const mark = html("span");
  const track = html("div", { class: "track" });
  const node = html("tr", {},
    html("td", { class: "lock" }, lock, share), html("th", { scope: "row", class: "name" }, pick),
    html("td", { class: "join" }, bracket, mark), html("td", { class: "bars" }, track),
    html("td", { class: "weight" }, "×", weight));
  const line = { node, lock, shackle, icon, floor, share, weight, pick, bracket, mark, track, figures: [] };
  const ask = (changes) => {
    const i = rows.data.nodes.indexOf(name);
    const now = { floor: rows.data.floors[i], weight: rows.data.weights[i] };
    rows.send("setting", { node: name, ...now, ...changes, nonce: (askNumber += 1) });
  };
  lock.addEventListener("click", () => ask({ floor: rows.data.floors[rows.data.nodes.indexOf(name)] ? 0 : LOCKED }));
  floor.addEventListener("change", () => floor.value !== "" && ask({ floor: Math.min(99, Math.max(0, Number(floor.value))) / 100 }));
  weight.addEventListener("change", () => Number(weight.value) > 0 && ask({ weight: Math.min(1000, Number(weight.value)) }));
  pick.addEventListener("click", () => rows.select(name));
  return line;
}

function paintLine(rows, line, i, order, place, high) {
  const { data } = rows;
  const name = data.nodes[i];
  const locked = data.floors[i] > 0;
  set(line.node, { class: `${locked ? "locked" : ""} ${rows.selected === name ? "picked" : ""}`.trim() });
  set(line.lock, {
    "aria-pressed": String(locked), "aria-label": `lock ${name}`,
    title: locked ? "Unlock" : `At least ${100 * LOCKED} % of ε for ${name}`,
  });
  set(line.shackle, { d: SHACKLE[locked ? "closed" : "open"] });
  line.share.hidden = !locked;
  follow(line.floor, Number((100 * data.floors[i]).toPrecision(6)), `least share of ${name}, per cent`);
  follow(line.weight, Number(data.weights[i].toPrecision(6)), `importance of ${name}`);
  write(line.pick, name);
  set(line.pick, { title: name });
  paintJoin(line, data, i, order, place);
  paintTrack(line, data, i, high);
  while (line.figures.length > data.columns.length) line.figures.pop().remove();
  while (line.figures.length < data.columns.length) line.figures.push(line.node.appendChild(html("td", { class: "figure" })));
  data.columns.forEach((column, c) => {
    write(line.figures[c], number(column.kind, column.values[i]));
    line.figures[c].classList.toggle("again", c === 0 && line.again);
    line.figures[c].classList.toggle("first", c === 0 && !line.again);
  });
}

// A field that is being typed in keeps what is typed.
export function follow(input, value, label) {
  set(input, { "aria-label": label });
  if (input.getRootNode().activeElement !== input && input.value !== String(value)) input.value = value;
}

// A bracket joins neighbours of one table; where the order parts them, the table's number stands.
function paintJoin(line, data, i, order, place) {
  const same = (other) => data.tables !== null && other !== undefined && data.tables[other] === data.tables[i];
  const above = same(order[place - 1]);
  const below = same(order[place + 1]);
  const size = data.tables === null ? 1 : data.tables.filter((t) => t === data.tables[i]).length;
  line.again = above;
  const whole = (choices.sort ?? "epsilon") === "epsilon" && data.together;
  set(line.bracket, { class: whole && size > 1 ? `bracket ${above ? "" : "from"} ${below ? "" : "to"}`.trim() : "" });
  write(line.mark, !whole && size > 1 ? `t${data.tables[i] + 1}` : "");
  set(line.mark, { title: !whole && size > 1 ? "the table it is read from" : null });
}

function paintTrack({ track }, data, i, high) {
  const at = (value) => `${(100 * (value ?? 0) / high).toFixed(2)}%`;
  keep(track, data.series, (s) => s.method, (s) => {
    const line = s.hue === "uniform";
    const bar = html("i", { class: line ? "rule" : `beam fill-${s.hue}` });
    const whisker = html("i", { class: "whisker" });
    return { node: html("div", { class: line ? "over" : "slot" }, bar, whisker), bar, whisker, line };
  }).forEach(({ bar, whisker, line }, k) => {
    const s = data.series[k];
    bar.style[line ? "left" : "width"] = at(s.values[i]);
    whisker.hidden = s.low === null;
    if (s.low === null) return;
    whisker.style.left = at(s.low[i]);
    whisker.style.width = at(s.high[i] - s.low[i]);
  });
  set(track, { title: data.series.map((s) => `${s.method} ${number("epsilon", s.values[i])}`).join(", ") });
}

function tableOfRows(data) {
  const spread = data.series.filter((s) => s.low !== null);
  const head = ["node", ...data.series.map((s) => `${s.method} epsilon`), ...spread.flatMap((s) => [`${s.method} 2.5 %`, `${s.method} 97.5 %`]),
    "table", "at least", "importance", ...data.columns.slice(data.epsilons).map((c) => c.head.join(" ").trim())];
  return [head, ...data.nodes.map((name, i) => [name, ...data.series.map((s) => s.values[i]),
    ...spread.flatMap((s) => [s.low[i], s.high[i]]), data.tables === null ? "" : data.tables[i] + 1,
    data.floors[i], data.weights[i], ...data.columns.slice(data.epsilons).map((c) => c.values[i])])];
}
