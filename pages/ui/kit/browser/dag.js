// Where the budget goes: the network, its nodes filled by a measure and labelled with it.
import { choices, html, keep, segmented, set, svg, write } from "./dom.js";
import { linkedVariant, nameVariant } from "./link.js";
import { number } from "./words.js";
import { makeView } from "./view.js";
import { makeEditor } from "./edit.js";
import { answerRows, makeForget, observeByKey, paintBeliefs } from "./beliefs.js";

const SELECT_PATIENCE = 1500;
const SQUEEZE = 1.15; // shrunk by no more than this without a word
const LEGIBLE = 1.45; // and by no more than this unless asked
const GROWN = 1.3; // and enlarged by no more where there is room

export function makeGraph(name, send) {
  const view = makeView(name, () => tableOf(graph.data));
  const fill = segmented("Fill nodes by", (key) => { choices.fill = key; paint(graph); });
  const method = segmented("Method", (key) => send("method", key));
  const zoom = segmented("Size", (key) => { choices.zoom = key; paint(graph); });
  const kind = segmented("In the nodes", (key) => send("showing", key));
  view.controls.append(kind.node, method.node);
  const legend = makeLegend();
  const [edges, nodes] = [svg("g"), svg("g")];
  const picture = svg("svg", { role: "group" }, edges, nodes);
  const scroll = html("div", { class: "scroll" }, picture);
  const graph = { view, kind, fill, method, zoom, legend, edges, nodes, picture, scroll, send };
  graph.repaint = () => paint(graph);
  graph.focus = (name) => nodes.kept.get(name)?.node.focus();
  graph.editor = makeEditor(graph);
  graph.forget = makeForget(graph);
  const bar = html("div", { class: "bar" }, fill.node, legend.node, zoom.node, graph.forget.node, graph.editor.tools);
  view.body.append(bar, ...graph.editor.lines, scroll);
  nodes.addEventListener("keydown", (event) => steer(graph, event));
  new ResizeObserver(([entry]) => {
    graph.room = entry.contentRect.width; // kept: asking the page while painting would cost a layout
    if (graph.data) resize(graph);
  }).observe(scroll);
  return {
    node: view.node,
    update(data) {
      graph.data = data;
      if (graph.asked && (graph.asked === data.selected || performance.now() - graph.askedAt > SELECT_PATIENCE)) graph.asked = null;
      view.show(data);
      paint(graph);
    },
  };
}

const selectedNode = (graph) => graph.asked ?? graph.data.selected;

const shownMeasure = ({ name, measures }) =>
  measures.find((m) => m.key === choices.fill) ?? linkedVariant(name, measures) ?? measures[0];

function paint(graph) {
  const { data, picture } = graph;
  const measure = data.answers ? null : shownMeasure(data);
  graph.kind.show(data.kinds.map((k) => [k, k]), data.showing);
  graph.fill.show(data.measures.map((m) => [m.key, m.title]), measure?.key);
  nameVariant(data.name, picture, data.measures.indexOf(measure));
  graph.method.show(data.methods.map((m) => [m, m]), data.method);
  graph.forget.show(data);
  set(picture, { viewBox: `0 0 ${data.width} ${data.height}`, "aria-label": data.alt });
  graph.legend.node.hidden = !measure || measure.kind === "word";
  const range = measure && rangeOf(measure.values);
  if (measure) graph.legend.show(measure, range);
  paintNodes(graph, measure, range);
  paintEdges(graph);
  graph.editor.show();
  resize(graph);
}

function rangeOf(values) {
  const known = values.filter((v) => v !== null);
  const low = Math.min(...known);
  const high = Math.max(...known);
  return { low, high, constant: high - low <= 1e-9 * Math.abs(high) }; // one tone, not the noise of its rounding
}

function paintNodes(graph, measure, range) {
  const { data } = graph;
  const selected = selectedNode(graph);
  const parents = new Set(data.edges.filter((e) => e.child === selected).map((e) => e.parent));
  const pieces = keep(graph.nodes, data.nodes, (n) => n.name, (n) => makeNode(graph, n));
  data.nodes.forEach((n, i) => {
    const piece = pieces[i];
    const belief = data.answers?.nodes[i];
    const mark = n.name === selected ? "selected" : parents.has(n.name) ? "parent" : "";
    const known = belief?.given ? "given" : belief?.faint ? "faint" : measure?.marks?.[i] ?? "";
    set(piece.node, {
      transform: `translate(${n.x} ${n.y})`,
      class: `node ${mark} ${known} ${graph.editor.mark(n.name)}`.trimEnd(),
      tabindex: n.name === selected ? 0 : -1,
      "aria-pressed": n.name === selected,
    });
    set(piece.box, { width: data.box_width, height: n.height });
    set(piece.ring, { width: data.box_width + 8, height: n.height + 8 });
    for (const text of [piece.label, piece.figure]) set(text, { x: data.box_width / 2 });
    write(piece.label, n.label);
    if (measure) paintMeasure(piece, n, measure, range, i);
    else {
      piece.box.style.fill = "";
      write(piece.figure, "");
      set(piece.node, { "aria-label": `${n.name}, ${belief.given ? `known: ${belief.given}` : "states below"}` });
    }
    if (belief || piece.rows) paintBeliefs(graph, piece, n, belief, n.name === selected);
  });
}

function paintMeasure({ node, box, figure }, n, measure, range, i) {
  const value = measure.values[i];
  const text = number(measure.kind, value);
  const share = range.constant || typeof value !== "number" ? 0.5 : (value - range.low) / (range.high - range.low);
  box.style.fill = `color-mix(in oklab, var(--${measure.tone}-high) ${Math.round(100 * share)}%, var(--${measure.tone}-low))`;
  write(figure, text);
  set(node, { "aria-label": `${n.name}, ${measure.title} ${text}` });
}

function makeNode(graph, { name }) {
  const title = write(svg("title"), name);
  const box = svg("rect", { class: "box", rx: 6 });
  const ring = svg("rect", { class: "focus", x: -4, y: -4, rx: 9 });
  const label = svg("text", { class: "name", y: 15 });
  const figure = svg("text", { class: "figure", y: 29 });
  const node = svg("g", { role: "button", "data-name": name }, title, ring, box, label, figure);
  node.addEventListener("click", () => press(graph, name));
  return { node, box, ring, label, figure };
}

function paintEdges(graph) {
  const selected = selectedNode(graph);
  const isNear = (e) => e.parent === selected || e.child === selected;
  const edges = graph.data.edges;
  const ordered = [...edges.filter((e) => !isNear(e)), ...edges.filter(isNear)]; // near on top
  const pieces = keep(graph.edges, ordered, (e) => `${e.parent}\u0000${e.child}`, (e) => makeEdge(graph, e));
  ordered.forEach((e, i) => {
    const { node, line, head, hit } = pieces[i];
    for (const [path, d] of [[line, e.d], [head, e.head], [hit, e.d]]) set(path, { d });
    set(node, { class: isNear(e) ? "edge near" : "edge", ...graph.editor.edgeAttributes(e) });
  });
}

function makeEdge(graph, edge) {
  const [line, head, hit] = ["line", "head", "hit"].map((part) => svg("path", { class: part }));
  const node = svg("g", {}, line, head, hit);
  graph.editor.listen(node, edge);
  return { node, line, head, hit };
}

// Large drawings scroll at full size, so that names stay readable, or are fitted on demand.
function resize(graph) {
  const { room, data: { width } } = graph;
  if (!room) return;
  const wide = width > room * SQUEEZE;
  const zoomed = wide ? choices.zoom ?? (width > room * LEGIBLE ? "full" : "fit") : "full";
  graph.zoom.show(wide ? [["full", "100 %"], ["fit", "fit"]] : [], zoomed);
  const shown = wide && zoomed === "full" ? width : Math.min(width * GROWN, room);
  graph.picture.style.width = `${shown}px`;
  if (wide && zoomed === "full") reveal(graph, selectedNode(graph));
}

function reveal(graph, name) {
  if (graph.revealed === name) return;
  graph.revealed = name;
  const spot = graph.data.nodes.find((n) => n.name === name);
  const { scroll, data: { box_width: width } } = graph;
  const outside = spot && (spot.x < scroll.scrollLeft || spot.x + width > scroll.scrollLeft + scroll.clientWidth);
  if (outside) scroll.scrollLeft = spot.x - (scroll.clientWidth - width) / 2;
}

const press = (graph, name) => (graph.editor.active() ? graph.editor.pick(name) : select(graph, name));

function select(graph, name) {
  if (name === selectedNode(graph)) return;
  graph.asked = name;
  graph.askedAt = performance.now();
  paint(graph);
  graph.send("selected", name);
}

// Arrow keys: up to a parent, down to a child, sideways along the row.
function steer(graph, event) {
  const { name } = event.target.dataset;
  if (name === undefined) return; // a state in a node has the focus
  const target = neighbour(graph.data, name, event.key);
  if (event.key === "Enter" || event.key === " ") press(graph, name);
  else if (target !== null) {
    graph.focus(target);
    if (!graph.editor.active()) select(graph, target);
  } else if (!observeByKey(graph, name, event.key)) return;
  event.preventDefault();
}

function neighbour({ nodes, edges }, name, key) {
  const here = nodes.find((n) => n.name === name);
  const named = new Map(nodes.map((n) => [n.name, n]));
  const options = {
    ArrowUp: () => edges.filter((e) => e.child === name).map((e) => named.get(e.parent)),
    ArrowDown: () => edges.filter((e) => e.parent === name).map((e) => named.get(e.child)),
    ArrowLeft: () => nodes.filter((n) => n.y === here.y && n.x < here.x),
    ArrowRight: () => nodes.filter((n) => n.y === here.y && n.x > here.x),
  }[key];
  if (!options) return null;
  const distance = (n) => Math.hypot(n.x - here.x, n.y - here.y);
  const found = options();
  return found.length ? found.reduce((a, b) => (distance(b) < distance(a) ? b : a)).name : null;
}

function makeLegend() {
  const [low, bar, high] = [html("span"), html("i", { "aria-hidden": "true" }), html("span")];
  const node = html("div", { class: "legend" }, low, bar, high);
  const show = (measure, range) => {
    const tone = (end) => `var(--${measure.tone}-${end})`;
    const middle = `color-mix(in oklab, ${tone("high")} 50%, ${tone("low")})`;
    bar.style.background = range.constant ? middle : `linear-gradient(in oklab to right, ${tone("low")}, ${tone("high")})`;
    write(low, range.constant ? "every node" : number(measure.kind, range.low));
    write(high, number(measure.kind, range.high));
  };
  return { node, show };
}

function tableOf(data) {
  if (data.answers) return answerRows(data);
  const { nodes, edges, measures } = data;
  const head = ["node", "parents", ...measures.map((m) => m.title)];
  const parents = (name) => edges.filter((e) => e.child === name).map((e) => e.parent).join(" ");
  return [head, ...nodes.map((n, i) => [n.name, parents(n.name), ...measures.map((m) => m.values[i])])];
}
