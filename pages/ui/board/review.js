// The grid as reviewers use it: attackers against thresholds that the steward sets.
import { button, choices, html, keep, set, write } from "./dom.js";
import { number } from "./words.js";
import { makeView } from "./view.js";
import { claimMark, verdictIcon } from "./claims.js";

export function makeReview(send) {
  const view = makeView("review", () => tableOfReview(grid.data));
  const legend = html("div", { class: "marks" },
    html("span", {}, verdictIcon("pass", "passes"), "at or below the threshold"),
    html("span", {}, verdictIcon("fail", "fails"), "above it"));
  view.title.after(legend);
  const pools = html("select", { "aria-label": "Number of pools" });
  pools.addEventListener("change", () => { choices.pools = Number(pools.value); });
  const run = button("Run the attack", () => send("attack", Number(pools.value)), { class: "button run" });
  view.controls.append(html("label", { class: "picker" }, pools, "pools"), run);
  const head = html("tr");
  const limits = html("tr", { class: "limits" }, html("td", { colspan: 3 }, "Thresholds of the review board, editable"));
  const body = html("tbody");
  const table = html("table", { class: "grid-table" }, html("thead", {}, head, limits), body);
  view.body.append(html("div", { class: "scroll" }, table));
  const grid = { head, limits, body, pools, run, send };
  return {
    node: view.node,
    update(data) {
      grid.data = data;
      view.show(data);
      paintReview(grid);
    },
  };
}

function paintReview(grid) {
  const { data } = grid;
  keep(grid.pools, data.pools, (p) => p, (p) => ({ node: html("option", { value: p }, String(p)) }));
  grid.pools.value = String(choices.pools ?? data.pools[0]);
  grid.run.disabled = data.running;
  write(grid.run, data.running ? "Attack running" : "Run the attack");
  const heads = [["Attacker", ""], ["Estimate", ""], ["Kind", ""], ...data.heads];
  keep(grid.head, heads, (h) => h.join(), ([first, second]) => ({ node: html("th", { scope: "col" }, html("span", {}, first), html("span", {}, second)) }));
  paintLimits(grid);
  const lines = data.groups.flatMap((g, i) => [{ group: i, title: g.title }, ...g.rows.map((r) => ({ group: i, ...r }))]);
  keep(grid.body, lines, (l) => `${l.group} ${l.title === undefined ? `${l.key} ${l.claim}` : ""}`, makeLine).forEach((piece, i) => paintLine(piece, lines[i], data.heads));
}

const isShare = (index, data) => index < data.limits.length - 1;

function paintLimits(grid) {
  const { data } = grid;
  const cells = data.limits.map((_, i) => i);
  const holder = (grid.cells ??= cells.map((i) => makeLimit(grid, i)));
  holder.forEach(({ node, input }, i) => {
    if (node.parentNode !== grid.limits) grid.limits.append(node);
    const text = isShare(i, data) ? `${Number((100 * data.limits[i]).toPrecision(4))} %` : data.limits[i].toFixed(2);
    if (input.getRootNode().activeElement !== input) input.value = text;
    set(input, { "aria-label": `Threshold: ${data.heads[i].join(" ")}` });
  });
}

// What was typed becomes a number; anything else leaves the threshold as it was.
function makeLimit(grid, index) {
  const input = html("input", { type: "text", inputmode: "decimal" });
  const commit = () => {
    const typed = Number.parseFloat(input.value.replace(",", "."));
    const value = isShare(index, grid.data) ? typed / 100 : typed;
    const valid = Number.isFinite(value) && value > 0 && value <= 1 && (isShare(index, grid.data) || value >= 0.5);
    input.classList.toggle("wrong", !valid);
    if (valid && Math.abs(value - grid.data.limits[index]) > 1e-9) grid.send("limits", grid.data.limits.map((l, i) => (i === index ? value : l)));
  };
  input.addEventListener("change", commit);
  input.addEventListener("keydown", (event) => { if (event.key === "Enter") input.blur(); });
  return { node: html("td", {}, html("label", {}, "at most ", input)), input };
}

function makeLine(line) {
  if (line.title !== undefined) {
    const cell = html("th", { colspan: 7, scope: "rowgroup" });
    return { node: html("tr", { class: "group" }, cell), cell };
  }
  const attacker = html("td");
  const estimate = html("td");
  const kind = html("td", { class: "kind" }, claimMark(line), html("span", {}, line.claim));
  return { node: html("tr", {}, attacker, estimate, kind), attacker, estimate };
}

function paintLine(piece, line, heads) {
  if (line.title !== undefined) {
    write(piece.cell, line.title);
    return;
  }
  write(piece.attacker, line.attacker);
  write(piece.estimate, line.estimate);
  piece.cells ??= line.cells.map(() => {
    const icon = html("span", { class: "sign" });
    const value = html("b");
    const half = html("span", { class: "second" });
    const node = html("td", {}, icon, value, half);
    piece.node.append(node);
    return { node, icon, value, half, passes: null };
  });
  line.cells.forEach((cell, i) => paintCell(piece.cells[i], cell, i < heads.length - 1));
}

function paintCell(holder, { value, half, passes }, share) {
  set(holder.node, { class: passes ? "verdict-cell" : "verdict-cell above" });
  if (holder.passes !== passes) {
    holder.icon.replaceChildren(verdictIcon(passes ? "pass" : "fail", passes ? "passes" : "fails"));
    holder.passes = passes;
  }
  write(holder.value, share ? number("share", value) : value.toFixed(3));
  write(holder.half, half === null ? "" : ` ± ${share ? number("share", half).replace(" %", "") : half.toFixed(3)}`);
}

function tableOfReview({ heads, limits, groups }) {
  const names = heads.map((h) => h.join(" ").trim());
  const head = ["published", "attacker", "estimate", "kind", ...names.flatMap((n) => [n, "plus or minus", "verdict"])];
  const rows = groups.flatMap((g) => g.rows.map((r) => [g.title, r.attacker, r.estimate, r.claim,
    ...r.cells.flatMap((c) => [c.value, c.half, c.passes ? "passes" : "fails"])]));
  return [head, ["", "thresholds", "", "", ...limits.flatMap((l) => [l, "", ""])], ...rows];
}
