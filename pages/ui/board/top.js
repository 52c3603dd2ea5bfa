// What stands above the views of every page: scenario, heading, badge, finding.
import { button, html, keep, set, write } from "./dom.js";

// On a narrow screen the sidebar starts closed and the strip says what is set there.
const showSidebar = () => document.querySelector('[data-testid="stExpandSidebarButton"]')?.click();

export function makeTop() {
  const scenario = html("span");
  const heading = html("h1", { class: "heading" });
  const badge = html("span", { class: "badge" });
  const finding = html("p", { class: "finding" });
  const strip = html("div", { class: "scenario" }, scenario, button("Change", showSidebar));
  const line = html("div", { class: "top" }, heading, badge);
  return {
    nodes: [strip, line, finding],
    update(data) {
      write(scenario, data.scenario);
      write(heading, data.heading);
      write(badge, data.badge);
      badge.hidden = data.badge === "";
      paintRuns(finding, data.finding);
    },
  };
}

// Text with roles: "strong", a method's name or "risk" are written in their tone.
export function paintRuns(paragraph, runs) {
  keep(paragraph, runs.map((_, i) => i), (i) => i, () => ({ node: html("span") })).forEach(({ node }, i) => {
    const [text, role] = runs[i];
    write(node, text);
    set(node, { class: role && (role === "strong" ? "strong" : `strong tone-${role}`) });
  });
}

// One finding at this ε was drawn: the slider waits for it.
export function announce(root, epsilon) {
  set(root, { "data-epsilon": epsilon, "data-painted": Number(root.dataset.painted) + 1 });
}

// The slider sends ε here while it moves: this board alone is redrawn.
export function listenLive(root, send) {
  window.equipoiseLive = { root, send: (knob, value) => send(value) };
}
