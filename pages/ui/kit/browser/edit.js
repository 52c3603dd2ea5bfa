// Editing the graph: a parent, then a child, adds an edge; an edge clicked or deleted goes.
// Nothing changes here. The server decides, and the next data shows what it decided.
import { button, html, svg, write } from "./dom.js";

const HINT = "A parent, then its child: adds an edge. An edge: removes it. Click, or Tab and Enter; Esc ends.";

export function makeEditor(graph) {
  const state = { on: false, parent: null, nonce: 0 };
  const toggle = button("Edit edges", () => turn(!state.on), { "aria-pressed": "false" });
  const restore = button("Restore original", () => ask("restore", "", ""));
  const hint = html("p", { class: "hint", role: "status" });
  const message = html("p", { class: "message", role: "alert", hidden: "" });
  const band = svg("path", { class: "band" });
  graph.picture.prepend(band);

  function turn(on) {
    state.on = on;
    state.parent = null;
    graph.repaint();
  }

  const ask = (op, parent, child) => graph.send("edit", { op, parent, child, nonce: ++state.nonce });

  function pick(name) {
    const parent = state.parent;
    if (parent !== null && parent !== name) ask("add", parent, name);
    state.parent = parent === null ? name : null;
    graph.repaint();
  }

  function remove(edge) {
    graph.focus(edge.parent); // the edge that holds the focus is about to go
    ask("remove", edge.parent, edge.child);
  }

  function listen(node, edge) {
    node.addEventListener("click", () => state.on && remove(edge));
    node.addEventListener("keydown", (event) => {
      if (!state.on || !["Delete", "Backspace", "Enter"].includes(event.key)) return;
      event.preventDefault();
      remove(edge);
    });
  }

  function follow(event) {
    const from = state.parent && graph.data.nodes.find((n) => n.name === state.parent);
    if (!from) return;
    const to = new DOMPoint(event.clientX, event.clientY).matrixTransform(graph.picture.getScreenCTM().inverse());
    band.setAttribute("d", `M${from.x + graph.data.box_width / 2} ${from.y + from.height}L${to.x} ${to.y}`);
  }

  function show() {
    const { data } = graph;
    if (state.parent !== null && !data.nodes.some((n) => n.name === state.parent)) state.parent = null;
    graph.picture.classList.toggle("editing", state.on);
    toggle.setAttribute("aria-pressed", String(state.on));
    write(toggle, state.on ? "Done" : "Edit edges");
    toggle.hidden = !data.editable;
    restore.hidden = !data.edited || !data.editable;
    hint.hidden = !state.on;
    write(hint, state.parent === null ? HINT : `${state.parent} → now its child, or Esc`);
    message.hidden = data.message === "";
    write(message, data.message);
    if (state.parent === null) band.removeAttribute("d");
  }

  graph.picture.addEventListener("pointermove", follow);
  graph.view.node.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !state.on) return;
    event.stopPropagation();
    turn(state.parent !== null); // first the parent is let go, then the editing ends
  });

  return {
    tools: html("div", { class: "tools" }, restore, toggle),
    lines: [hint, message],
    show, pick, listen, active: () => state.on,
    mark: (name) => (name === state.parent ? "picked" : ""),
    edgeAttributes: (edge) => (state.on
      ? { tabindex: 0, role: "button", "aria-label": `edge from ${edge.parent} to ${edge.child}; Delete removes it` }
      : { tabindex: null, role: null, "aria-label": null }),
  };
}
