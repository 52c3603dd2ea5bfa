// A sheet: finding above, views below in the places its page gives them. One call with new data
// repaints what changed and nothing else.
import { button, html, keep, keepPlaces, set, write } from "./dom.js";
import { makeFigure } from "./figure.js";
import { makeGraph } from "./dag.js";
import { copyButton, sayScenario } from "./link.js";
import { makePanel } from "./panel.js";
import { makePaper } from "./paper.js";
import { makeTable } from "./table.js";
import { unpack } from "./parts.js";
import { paintSlider } from "./slider.js";

const KINDS = { figure: makeFigure, graph: makeGraph, panel: makePanel, paper: makePaper, table: makeTable };

// While the sidebar is closed, as it is at first on a narrow screen, a strip says what is set there
// and has the ε slider.
const openSidebar = () => document.querySelector('[data-testid="stExpandSidebarButton"]')?.click();

function watchSidebar(strip) {
  const look = () => strip.classList.toggle("needed", document.querySelector('[data-testid="stExpandSidebarButton"]') !== null);
  look();
  const app = document.querySelector(".stApp");
  if (app) new MutationObserver(look).observe(app, { childList: true, subtree: true, attributeFilter: ["aria-expanded"] });
}

function makeSheet(root) {
  const sheet = { send: () => {} };
  const send = (name, value) => sheet.send(name, value);
  const scenario = html("span");
  const heading = html("h1", { class: "heading" });
  const badge = html("span", { class: "badge" });
  const finding = html("p", { class: "finding" });
  const knob = html("div", { class: "knob" });
  const strip = html("div", { class: "scenario" }, scenario, knob, button("Change", openSidebar));
  watchSidebar(strip);
  const copy = copyButton("Copy link", () => window.location.href);
  const top = html("div", { class: "top" }, heading, html("span", { class: "mode" }, badge, copy));
  const places = html("div", { class: "places" });
  root.append(html("div", { class: "sheet" }, strip, top, finding, places));
  sheet.update = (data) => {
    write(scenario, data.scenario ?? "");
    write(heading, data.heading ?? "");
    knob.hidden = !data.budget;
    const settled = (value) => sheet.send("settled", { knob: "epsilon", value });
    if (data.budget) paintSlider(knob, { ...data.budget, value: data.knobs.epsilon, disabled: false }, settled);
    write(badge, data.badge ?? "");
    for (const node of [badge, heading, strip]) node.hidden = node.textContent === "" || !data.heading;
    finding.hidden = !data.finding;
    paintRuns(finding, data.finding ?? []);
    for (const [room, { areas, tracks }] of Object.entries(data.rooms)) {
      places.style.setProperty(`--areas-${room}`, areas.map((row) => `"${row}"`).join(" "));
      places.style.setProperty(`--tracks-${room}`, tracks);
    }
    keep(places, data.views, (v) => `${v.kind} ${v.name}`, (v) => KINDS[v.kind](v.name, send)).forEach((piece, i) => {
      piece.node.style.setProperty("--place", data.views[i].name);
      piece.update(data.views[i], data.scenario);
    });
    for (const [knob, value] of Object.entries(data.knobs ?? {})) set(root, { [`data-${knob}`]: value });
    top.hidden = !data.heading;
    sayScenario(data.link, data.files);
    set(root, { "data-painted": Number(root.dataset.painted) + 1 });
  };
  return sheet;
}

// Text with roles: "strong", a method's name or "risk" are written in their tone.
function paintRuns(paragraph, runs) {
  keepPlaces(paragraph, runs, () => ({ node: html("span") })).forEach(({ node }, i) => {
    const [text, role] = runs[i];
    set(write(node, text), { class: role && (role === "strong" ? "strong" : `strong tone-${role}`) });
  });
}

const sheets = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const state = { missing: false };
  const whole = unpack(data, state);
  if (state.missing) return void setTriggerValue("missing", data.moment); // a part of a picture never drawn: all of it
  const root = parentElement.querySelector(".board");
  if (!sheets.has(root)) sheets.set(root, makeSheet(root));
  const sheet = sheets.get(root);
  sheet.send = setTriggerValue;
  if (whole.live) window.equipoiseLive = { root, send: (knob, value) => sheet.send("knob", { knob, value }) };
  sheet.update(whole);
}
