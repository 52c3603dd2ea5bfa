// Numbers as readers see them, and tables as files.
import { html } from "./dom.js";

const significant = (value, digits) => {
  if (value === 0) return "0";
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(decimals, 12));
};

const formats = {
  epsilon: (v) => (v >= 100 ? v.toFixed(0) : v >= 1 ? v.toFixed(2) : v >= 0.01 ? v.toFixed(3) : significant(v, 2)),
  error: (v) => significant(v, 2),
  share: (v) => `${(100 * v).toFixed(100 * v < 1 ? 2 : 100 * v < 20 ? 1 : 0)} %`,
  probability: (v) => v.toFixed(2),
  word: (v) => v,
  count: (v) => Math.round(v).toLocaleString("en"),
};

export const number = (kind, value) => (value === null || value === undefined ? "–" : formats[kind](value));

// A spreadsheet takes a text that begins with = + - @ for a formula; a number may be negative.
function cell(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || /^-?\d+(\.\d+)?$/.test(value)) return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csv = (rows) => rows.map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";

export function download(file, rows) {
  const address = URL.createObjectURL(new Blob(["\ufeff", csv(rows)], { type: "text/csv;charset=utf-8" }));
  html("a", { href: address, download: file }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
