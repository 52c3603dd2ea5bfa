// How far marginals are off: methods and baselines against ε, and where the error comes from.
import { html, keep } from "./dom.js";
import { makeLines } from "./lines.js";

const comparisons = new WeakMap();

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".board");
  if (!comparisons.has(root)) {
    const charts = html("div", { class: "pair" });
    root.append(html("div", { class: "sheet" }, charts));
    comparisons.set(root, charts);
  }
  keep(comparisons.get(root), data.charts, (c) => c.metric, makeLines)
    .forEach((chart, i) => chart.update(data.charts[i], data.epsilon));
}
