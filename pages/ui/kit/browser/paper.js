// A document of ours as its readers will see it, in a frame that runs nothing and reaches nothing.
import { html, set } from "./dom.js";

export function makePaper() {
  // an empty sandbox: no script, no form, no origin of its own; the document forbids them as well
  const frame = html("iframe", { class: "paper-frame", sandbox: "", referrerpolicy: "no-referrer", tabindex: 0 });
  return {
    node: html("section", { class: "view" }, frame),
    update(data) {
      set(frame, { title: data.title, srcdoc: data.html });
    },
  };
}
