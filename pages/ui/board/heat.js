// Two columns together: how often each pair of states occurs, in the records and in synthetic ones.
import { html, keep, set, svg, write } from "./dom.js";
import { number } from "./words.js";
import { makeView } from "./view.js";

const SIDE = 300; // of the squares' field
const LABELS = { left: 96, top: 20, bottom: 64 };
const MOST_LABELS = 18;

export function makeHeat() {
  const view = makeView("heat", () => tableOfHeat(view.texts));
  const real = makeField();
  const synthetic = makeField();
  view.body.append(html("div", { class: "fields" }, real.node, synthetic.node));
  return {
    node: view.node,
    update(data) {
      view.show(data);
      const top = Math.max(1e-12, ...data.real.flat(), ...data.synthetic.flat());
      real.update(data, data.real, "records", top);
      synthetic.update(data, data.synthetic, "synthetic", top);
    },
  };
}

function makeField() {
  const title = svg("text", { class: "strong", x: LABELS.left, y: 12 });
  const cells = svg("g");
  const across = svg("g");
  const up = svg("g");
  const picture = svg("svg", { class: "chart", role: "img" }, title, cells, across, up);
  return {
    node: picture,
    update(data, values, name, top) {
      const width = SIDE / data.columns.length;
      const height = Math.min(26, SIDE / data.rows.length);
      const bottom = LABELS.top + height * data.rows.length;
      set(picture, { viewBox: `0 0 ${LABELS.left + SIDE + 4} ${bottom + LABELS.bottom}`, "aria-label": `${data.alt} ${name}` });
      write(title, name);
      const flat = values.flatMap((row, i) => row.map((value, j) => ({ i, j, value })));
      keep(cells, flat, (c) => `${c.i} ${c.j}`, () => {
        const words = svg("title");
        return { node: svg("rect", { class: "cell" }, words), words };
      }).forEach(({ node, words }, k) => {
        const { i, j, value } = flat[k];
        set(node, { x: (LABELS.left + j * width).toFixed(1), y: (LABELS.top + i * height).toFixed(1), width: width.toFixed(1), height: height.toFixed(1) });
        // the square root shows rare pairs too
        node.style.fill = `color-mix(in oklab, var(--budget-high) ${Math.round(100 * Math.sqrt(value / top))}%, var(--budget-low))`;
        write(words, `${data.rows[i]}, ${data.columns[j]}: ${number("share", value)}`);
      });
      paintLabels(up, data.rows, (i) => ({ x: LABELS.left - 6, y: LABELS.top + (i + 0.5) * height + 4, "text-anchor": "end" }));
      paintLabels(across, data.columns, (j) => {
        const x = LABELS.left + (j + 0.5) * width + 3;
        return { x, y: bottom + 12, "text-anchor": "end", transform: `rotate(-40 ${x.toFixed(1)} ${(bottom + 12).toFixed(1)})` };
      });
    },
  };
}

function paintLabels(group, names, place) {
  const step = Math.ceil(names.length / MOST_LABELS);
  const shown = names.map((_, i) => i).filter((i) => i % step === 0);
  keep(group, shown, (i) => i, () => ({ node: svg("text", { class: "second" }) })).forEach(({ node }, k) => {
    const name = names[shown[k]];
    set(write(node, name.length > 15 ? `${name.slice(0, 14)}…` : name), place(shown[k]));
  });
}

function tableOfHeat({ rows, columns, real, synthetic, pair }) {
  const table = [[...pair, "records", "synthetic"]];
  rows.forEach((row, i) => columns.forEach((column, j) => table.push([row, column, real[i][j], synthetic[i][j]])));
  return table;
}
