// The plan in a few lines, and the meter: spent, this release, left.
import { html, keep, set, svg, write } from "./dom.js";
import { makeView } from "./view.js";

const HIGH = 66;
const BAR = { top: 22, height: 22 };
const round = (value) => Number(value.toPrecision(6));

function makePlan() {
  const view = makeView("plan-view", () => [["what", "plan"], ...view.texts.rows]);
  const body = html("tbody");
  view.body.append(html("table", { class: "plan-table" }, body));
  return {
    node: view.node,
    update(data) {
      view.show(data);
      keep(body, data.rows, ([what]) => what, ([what]) => {
        const value = html("td");
        return { node: html("tr", {}, html("th", { scope: "row" }, what), value), value };
      }).forEach(({ value }, i) => write(value, data.rows[i][1]));
    },
  };
}

function makeMeter() {
  const view = makeView("meter-view", () => [["part", "epsilon"], ["budget", meter.data.budget], ...meter.data.spent.map((s, i) => [`payment ${i + 1}`, s]),
    ["this release", meter.data.cost], ["left after it", meter.data.after]]);
  const stripes = svg("pattern", { id: "stripes", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    svg("rect", { class: "stripe-ground", width: 6, height: 6 }), svg("rect", { class: "stripe", width: 2.6, height: 6 }));
  const back = svg("rect", { class: "meter-back", x: 0.5, y: BAR.top + 0.5, height: BAR.height - 1, rx: 4 });
  const parts = svg("g");
  const mine = svg("rect", { class: "meter-mine", y: BAR.top + 1, height: BAR.height - 2, fill: "url(#stripes)" });
  const end = svg("line", { class: "meter-end", y1: BAR.top - 3, y2: BAR.top + BAR.height + 3 });
  const words = [svg("text", { class: "second", y: 14 }), svg("text", { class: "tone-risk strong", y: 14, "text-anchor": "middle" }), svg("text", { class: "second", y: 14, "text-anchor": "end" })];
  const ticks = svg("g");
  const picture = svg("svg", { class: "meter", role: "img", height: HIGH }, svg("defs", {}, stripes), back, parts, mine, end, ...words, ticks);
  const none = html("p", { class: "empty" }, "State the total budget of these data above.");
  const room = html("div", {}, none, picture);
  view.body.append(room);
  const meter = { view, back, parts, mine, end, words, ticks, picture, none, width: 396, data: null };
  new ResizeObserver(([entry]) => {
    meter.width = Math.max(240, entry.contentRect.width);
    if (meter.data) paintMeter(meter);
  }).observe(room);
  return {
    node: view.node,
    update(data) {
      meter.data = data;
      view.show(data);
      set(picture, { "aria-label": data.alt });
      paintMeter(meter);
    },
  };
}

function paintMeter({ back, parts, mine, end, words, ticks, picture, none, width, data }) {
  none.hidden = data.budget !== null;
  picture.style.display = data.budget === null ? "none" : "";
  if (data.budget === null) return;
  const spent = data.spent.reduce((a, b) => a + b, 0);
  const most = Math.max(data.budget, spent + data.cost);
  const x = (value) => (width * value) / most;
  set(picture, { viewBox: `0 0 ${width} ${HIGH}`, width });
  set(back, { width: x(data.budget) - 1 });
  let from = 0;
  const places = data.spent.map((value) => { const place = { from, value }; from += value; return place; });
  keep(parts, places.map((_, i) => i), (i) => i, () => {
    const box = svg("rect", { class: "meter-spent", y: BAR.top + 1, height: BAR.height - 2 });
    const text = svg("text", { class: "meter-value", y: BAR.top + 16, "text-anchor": "middle" });
    return { node: svg("g", {}, box, text), box, text };
  }).forEach(({ box, text }, i) => {
    const { from: start, value } = places[i];
    set(box, { x: x(start) + 1, width: Math.max(x(value) - 1.5, 1) });
    set(text, { x: x(start + value / 2) });
    write(text, x(value) > 34 ? String(round(value)) : "");
  });
  set(mine, { x: x(spent) + 1, width: Math.max(x(data.cost) - 2, 2) });
  set(end, { x1: x(data.budget) - 0.5, x2: x(data.budget) - 0.5 });
  paintMeterWords(words, data, spent, x, width);
  const step = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 25, 50, 100, 250].find((s) => most / s <= 6) ?? most;
  const marks = Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, i) => round(i * step));
  keep(ticks, marks, (m) => m, () => {
    const piece = { rule: svg("line", { class: "axis", y1: BAR.top + BAR.height, y2: BAR.top + BAR.height + 4 }), text: svg("text", { class: "second", y: HIGH - 3 }) };
    return { ...piece, node: svg("g", {}, piece.rule, piece.text) };
  }).forEach(({ rule, text }, i) => {
    const place = Math.min(Math.max(x(marks[i]), 0.5), width - 0.5);
    set(rule, { x1: place, x2: place });
    set(text, { x: place, "text-anchor": place < 12 ? "start" : place > width - 12 ? "end" : "middle" });
    write(text, i === 0 ? "ε 0" : String(marks[i]));
  });
}

// Three texts over the bar: at their parts where there is room, else left, middle, right.
function paintMeterWords(words, data, spent, x, width) {
  write(words[0], `spent ${round(spent)}`);
  write(words[1], `this release ${round(data.cost)}`);
  write(words[2], data.after < 0 ? `short by ${round(-data.after)}` : `left after ${round(data.after)}`);
  const middle = Math.min(Math.max(x(spent + data.cost / 2), 136), width - 156);
  set(words[0], { x: 0 });
  set(words[1], { x: middle });
  set(words[2], { x: width, class: data.after < 0 ? "tone-risk strong" : "second" });
}

const plans = new WeakMap();

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".board");
  if (!plans.has(root)) {
    const made = { plan: makePlan(), meter: makeMeter() };
    root.append(html("div", { class: "sheet stacked" }, made.plan.node, made.meter.node));
    plans.set(root, made);
  }
  const made = plans.get(root);
  made.plan.update(data.plan);
  made.meter.update(data.meter);
}
