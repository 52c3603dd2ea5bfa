// Marks that say without colour what a number claims, and whether it passes.
import { svg } from "./dom.js";

// Hue says what is published; the style says how sure the claim is.
export const claimClass = ({ about, claim, strong }) => `claim ${about} ${claim}${strong ? " strong-line" : ""}`;

export function claimMark(row) {
  const shape = row.claim === "measured"
    ? [svg("line", { x1: 13, x2: 13, y1: 1, y2: 13 }), svg("circle", { cx: 13, cy: 7, r: 3.2 })]
    : [svg("line", { x1: 1, x2: 25, y1: 7, y2: 7 })];
  return svg("svg", { class: claimClass(row), width: 26, height: 14, viewBox: "0 0 26 14", "aria-hidden": "true" }, ...shape);
}

const SHAPES = {
  pass: ["circle", "M4.6 8.2 7 10.6 11.4 5.6"],
  fail: ["triangle", "M8 6v3.4M8 11.3v.4"],
  unknown: ["dashed", "M5 8h6"],
};

// A tick in a circle, an exclamation mark in a triangle, a dash in a dashed circle.
export function verdictIcon(verdict, label) {
  const [frame, path] = SHAPES[verdict];
  const outline = frame === "triangle"
    ? svg("path", { class: "frame", d: "M8 1.4 15 14H1Z" })
    : svg("circle", { class: frame === "dashed" ? "frame dashed" : "frame", cx: 8, cy: 8, r: 6.6 });
  const sign = svg("path", { class: "sign", d: path });
  return svg("svg", { class: `verdict ${verdict}`, width: 16, height: 16, viewBox: "0 0 16 16", role: "img", "aria-label": label }, outline, sign);
}
