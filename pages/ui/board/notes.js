// Views that need no curve: forecast against measured, bounds, what an error costs.
import { html, keep } from "./dom.js";
import { makeFacts, makePoints } from "./facts.js";

const makeNote = ({ kind }) => (kind === "points" ? makePoints() : makeFacts("facts"));

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".board");
  root.pair ??= root.appendChild(html("div", { class: "sheet" })).appendChild(html("div", { class: "pair" }));
  root.pair.classList.toggle("alone", data.views.length === 1);
  keep(root.pair, data.views, (v) => v.file, makeNote).forEach((view, i) => view.update(data.views[i]));
}
