// Scales, ticks and lines of the two charts.
import { keep, set, svg, write } from "./dom.js";

export function logScale([low, high], [from, to]) {
  const span = Math.log(high / low);
  return (value) => from + ((to - from) * Math.log(Math.min(high, Math.max(low, value)) / low)) / span;
}

export function linearScale([low, high], [from, to]) {
  return (value) => from + ((to - from) * (Math.min(high, Math.max(low, value)) - low)) / (high - low);
}

// 0.01, 0.03, 0.1, ...: powers of ten and three times those, within the limits; over many
// decades the powers alone.
export function logTicks(low, high) {
  const ticks = [];
  const digits = high / low > 5000 ? [1] : [1, 3];
  for (let power = Math.floor(Math.log10(low)) - 1; power <= Math.ceil(Math.log10(high)); power += 1) {
    for (const digit of digits) {
      const tick = Number(`${digit}e${power}`);
      if (tick >= low * 0.999 && tick <= high * 1.001) ticks.push(tick);
    }
  }
  return ticks;
}

// The smallest range of such ticks around the values.
export function logLimits(values) {
  const positive = values.filter((v) => v > 0);
  if (positive.length === 0) return null;
  const low = Math.min(...positive);
  const high = Math.max(...positive);
  const below = logTicks(low / 10, low * 1.001).at(-1);
  const above = logTicks(high * 0.999, high * 10)[0];
  return [below, above > below ? above : below * 10];
}

const point = (x, y) => `${x.toFixed(1)} ${y.toFixed(1)}`;

export const line = (xs, ys) => xs.map((x, i) => (i ? "L" : "M") + point(x, ys[i])).join("");

export const area = (xs, lower, upper) =>
  `${line(xs, upper)}${xs.map((_, i) => `L${point(xs.at(-1 - i), lower.at(-1 - i))}`).join("")}Z`;

// Gridlines with labels; `at` is where the labels stand and which way they are anchored.
export function drawRows(group, ticks, y, [from, to], at) {
  keep(group, ticks, ([value]) => value, () => {
    const piece = { rule: svg("line", { class: "grid" }), text: svg("text", { class: "second" }) };
    return { ...piece, node: svg("g", {}, piece.rule, piece.text) };
  }).forEach(({ rule, text }, i) => {
    const height = y(ticks[i][0]).toFixed(1);
    set(rule, { x1: from, x2: to, y1: height, y2: height });
    set(text, { x: at.x, y: Number(height) + 4, "text-anchor": at.anchor });
    write(text, ticks[i][1]);
  });
}

export function drawColumns(group, ticks, x, [from, to], height) {
  const axis = (group.axis ??= svg("line", { class: "axis" }));
  if (axis.parentNode !== group) group.prepend(axis);
  set(axis, { x1: from, x2: to, y1: height, y2: height });
  const inner = (group.inner ??= group.appendChild(svg("g")));
  keep(inner, ticks, ([value]) => value, () => {
    const piece = { rule: svg("line", { class: "axis" }), text: svg("text", { class: "second", "text-anchor": "middle" }) };
    return { ...piece, node: svg("g", {}, piece.rule, piece.text) };
  }).forEach(({ rule, text }, i) => {
    const place = x(ticks[i][0]).toFixed(1);
    set(rule, { x1: place, x2: place, y1: height, y2: height + 4 });
    set(text, { x: place, y: height + 16 });
    write(text, ticks[i][1]);
  });
}
