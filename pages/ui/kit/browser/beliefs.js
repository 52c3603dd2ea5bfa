// Answers in the nodes: a row for each state with the private median, its 95 % band and the truth.
import { button, keepPlaces, set, svg, write } from "./dom.js";
import { number } from "./words.js";

const BAR_LEFT = 70; // pixels: the state's name stands before the bar, its probability behind
const BAR_WIDTH = 54;
const NAME_LEFT = 8;
const at = (share) => (BAR_LEFT + BAR_WIDTH * share).toFixed(2);

let asking = 0; // tells a question from the same one asked before

const tell = (graph, node, state) => graph.send("evidence", { node, state, nonce: ++asking });

const inWords = ({ states, truth, bands }, name, s) =>
  `${name} = ${states[s]}: private ${number("probability", bands[1][s])}, 95 % of releases ${number("probability", bands[0][s])} to ${number("probability", bands[2][s])}, truth ${number("probability", truth[s])}`;

export function paintBeliefs(graph, piece, n, belief, selected) {
  const rows = (piece.rows ??= piece.node.appendChild(svg("g")));
  const { row = 0, head = 0 } = graph.data.answers ?? {};
  const shown = belief?.states ?? [];
  const pieces = keepPlaces(rows, shown, (s) => makeState(graph, n.name, s, graph.data.box_width, row));
  pieces.forEach(({ node, label, bar, band, tick, value, title }, s) => {
    const [low, middle, high] = belief.bands.map((levels) => levels[s]);
    const given = belief.given === belief.states[s];
    set(node, {
      class: given ? "state given" : "state",
      transform: `translate(0 ${head + s * row})`,
      tabindex: selected ? 0 : -1,
      "aria-pressed": given,
      "aria-label": inWords(belief, n.name, s),
    });
    write(label, belief.labels[s]);
    set(bar, { width: (BAR_WIDTH * middle).toFixed(2), class: `fill-${graph.data.hue}` });
    set(band, { x1: at(low), x2: at(high) });
    set(tick, { x1: at(belief.truth[s]), x2: at(belief.truth[s]) });
    write(value, given ? "known" : number("probability", middle));
    write(title, inWords(belief, n.name, s));
  });
  const more = (piece.more ??= piece.node.appendChild(svg("text", { class: "figure", x: graph.data.box_width / 2 })));
  set(more, { y: head + shown.length * row + 11 });
  write(more, belief?.more ? `${belief.more} more in the CSV` : "");
}

function makeState(graph, name, s, width, row) {
  const middle = row / 2;
  const title = svg("title");
  const ground = svg("rect", { class: "ground", x: 3, width: width - 6, height: row, rx: 3 });
  const label = svg("text", { class: "state-name", x: NAME_LEFT, y: middle + 4 });
  const track = svg("rect", { class: "track", x: BAR_LEFT, y: middle - 3.5, width: BAR_WIDTH, height: 7 });
  const bar = svg("rect", { x: BAR_LEFT, y: middle - 3.5, height: 7 });
  const band = svg("line", { class: "spread", y1: middle, y2: middle });
  const tick = svg("line", { class: "true", y1: middle - 6, y2: middle + 6 });
  const value = svg("text", { class: "state-value", x: width - NAME_LEFT, y: middle + 4 });
  const node = svg("g", { role: "button" }, title, ground, label, track, bar, band, tick, value);
  const toggle = (event) => {
    if (graph.editor.active()) return; // the node is picked as an end of an edge
    event.stopPropagation();
    event.preventDefault();
    setState(graph, name, s);
  };
  node.addEventListener("click", toggle);
  node.addEventListener("keydown", (event) => (event.key === "Enter" || event.key === " ") && toggle(event));
  return { node, label, bar, band, tick, value, title };
}

const beliefOf = ({ nodes, answers }, name) => answers.nodes[nodes.findIndex((n) => n.name === name)];

function setState(graph, name, s) {
  const { states, given } = beliefOf(graph.data, name);
  tell(graph, name, states[s] === given ? "" : states[s]);
}

// A digit sets that state of the focused node, Delete forgets it; whether the key meant that.
export function observeByKey(graph, name, key) {
  if (!graph.data.answers || graph.editor.active()) return false;
  const place = Number(key) - 1;
  if (key === "Delete" || key === "Backspace") tell(graph, name, "");
  else if (place >= 0 && place < beliefOf(graph.data, name).states.length) setState(graph, name, place);
  else return false;
  return true;
}

export function makeForget(graph) {
  const node = button("Forget what is known", () => tell(graph, "", ""));
  return { node, show: ({ answers }) => { node.hidden = !answers?.nodes.some((n) => n.given); } };
}

export function answerRows({ nodes, answers }) {
  const head = ["node", "state", "truth", "2.5 %", "median", "97.5 %", "known"];
  return [head, ...nodes.flatMap((n, i) => answers.nodes[i].states.map((state, s) => {
    const { truth, bands, given } = answers.nodes[i];
    return [n.name, state, truth[s], ...bands.map((levels) => levels[s]), given === state ? "known" : ""];
  }))];
}
