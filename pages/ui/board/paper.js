// The dossier as its readers will see it, in a frame that runs nothing and reaches nothing.
import { html, set } from "./dom.js";

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".board");
  // an empty sandbox: no script, no form, no origin of its own; the document forbids them as well
  root.frame ??= root.appendChild(html("iframe", { class: "paper-frame", sandbox: "", referrerpolicy: "no-referrer", tabindex: 0 }));
  set(root.frame, { title: data.title });
  if (root.shown !== data.html) {
    root.shown = data.html;
    root.frame.srcdoc = data.html;
  }
}
