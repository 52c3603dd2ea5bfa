// What stands above the review: one finding, and the ε that the slider waits for.
import { html } from "./dom.js";
import { announce, makeTop } from "./top.js";

const releaseTops = new WeakMap();

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".board");
  if (!releaseTops.has(root)) {
    const top = makeTop();
    root.append(html("div", { class: "sheet" }, ...top.nodes));
    releaseTops.set(root, top);
  }
  releaseTops.get(root).update(data);
  announce(root, data.epsilon);
}
