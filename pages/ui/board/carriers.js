// Which nodes carry the risk, and where theory stops being safe.
import { html, keep, set, write } from "./dom.js";
import { number } from "./words.js";
import { makeView } from "./view.js";
import { verdictIcon } from "./claims.js";

export function makeCarriers() {
  const view = makeView("carriers", () => [["node", "share", "free parameters"], ...list.data.bars.map((b) => [b.name, b.share, b.count])]);
  const body = html("div", { class: "shares" });
  view.body.append(body);
  const list = { data: null };
  return {
    node: view.node,
    update(data) {
      list.data = data;
      view.show(data);
      const top = Math.max(...data.bars.map((b) => b.share));
      keep(body, data.bars, (b) => b.name, () => {
        const piece = { name: html("span", { class: "name" }), beam: html("i"), share: html("b"), count: html("span", { class: "second" }) };
        return { ...piece, node: html("div", {}, piece.name, html("div", {}, piece.beam, piece.share, piece.count)) };
      }).forEach(({ node, name, beam, share, count }, i) => {
        const bar = data.bars[i];
        const rest = data.more && i === data.bars.length - 1;
        set(node, { class: rest ? "rest" : null });
        set(write(name, bar.name), { title: bar.name });
        beam.style.width = `${(72 * bar.share) / top}%`;
        write(share, number("share", bar.share));
        write(count, number("count", bar.count));
      });
    },
  };
}

const VERDICTS = { look: ["fail", "look at this"], fine: ["pass", "fine"], unknown: ["unknown", "not known"] };

export function makeRails() {
  const view = makeView("rails", () => [["state", "finding", "what to do"], ...rails.data.list.map((r) => [VERDICTS[r.state][1], `${r.finding} ${r.rest}`, r.advice])]);
  const body = html("ul", { class: "rails-list" });
  view.body.append(body);
  const rails = { data: null };
  return {
    node: view.node,
    update(data) {
      rails.data = data;
      view.show(data);
      keep(body, data.list.map((r, i) => ({ ...r, i })), (r) => `${r.i} ${r.state}`, (r) => {
        const piece = { finding: html("b"), rest: html("span"), advice: html("p") };
        const icon = verdictIcon(...VERDICTS[r.state]);
        return { ...piece, node: html("li", {}, icon, html("div", {}, piece.finding, " ", piece.rest, piece.advice)) };
      }).forEach(({ finding, rest, advice }, i) => {
        write(finding, data.list[i].finding);
        write(rest, data.list[i].rest);
        write(advice, data.list[i].advice);
      });
    },
  };
}
