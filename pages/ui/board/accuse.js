// In plain words: of a hundred accusations, how many can be right.
import { choices, html, keep, segmented, set, svg, write } from "./dom.js";
import { percent } from "./words.js";
import { makeView } from "./view.js";

const PRIORS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5];
const START_PRIOR = 3;
const CELL = 26;

// Share of accusations that hit a member (Bayes).
export const rightOf = (prior, alpha, power) => (prior * power) / (prior * power + (1 - prior) * alpha);

export function makeAccuse() {
  const view = makeView("accuse", () => tableOfAccusations(panel.data));
  const alarm = segmented("False alarms the attacker accepts", (key) => { choices.alarm = key; paintAccuse(panel); });
  const sentence = html("p", { class: "said" });
  const dots = svg("g");
  const picture = svg("svg", { class: "people", viewBox: `0 0 ${10 * CELL} ${10 * CELL}`, role: "img" }, dots);
  const legend = html("div", { class: "tally" });
  const slider = html("input", { type: "range", min: 0, max: PRIORS.length - 1, step: 1, value: START_PRIOR, "aria-label": "Members among the suspects" });
  slider.addEventListener("input", () => { choices.prior = Number(slider.value); paintAccuse(panel); });
  const shown = html("b");
  const prior = html("label", { class: "prior" }, html("span", {}, "Members among the suspects ", shown), slider);
  const note = html("p", { class: "caption" });
  view.body.append(sentence, html("div", { class: "bar" }, html("span", { class: "second" }, "false alarms"), alarm.node), picture, legend, prior, note);
  const panel = { alarm, sentence, dots, picture, legend, slider, shown, note };
  return {
    node: view.node,
    update(data) {
      panel.data = data;
      view.show(data);
      paintAccuse(panel);
    },
  };
}

// One decimal below ten, so that small numbers can be told apart.
const ofHundred = (share) => (share < 0.0995 ? (100 * share).toFixed(1) : String(Math.ceil(100 * share - 1e-6)));

const oneIn = (prior) => (prior === 0.5 ? "half" : prior < 0.5 && 1 / prior === Math.round(1 / prior) ? `1 in ${Math.round(1 / prior).toLocaleString("en")}` : `${Math.round(100 * prior)} in 100`);

function paintAccuse(panel) {
  const { data } = panel;
  const prior = PRIORS[choices.prior ?? START_PRIOR];
  const index = Math.max(0, data.alarms.findIndex((a) => String(a) === (choices.alarm ?? "0.01")));
  const alpha = data.alarms[index];
  panel.alarm.show(data.alarms.map((a) => [String(a), percent(a)]), String(alpha));
  panel.slider.value = String(choices.prior ?? START_PRIOR);
  set(panel.slider, { "aria-valuetext": percent(prior) });
  write(panel.shown, percent(prior));
  const right = rightOf(prior, alpha, data.found[index]);
  const runs = [[`If ${oneIn(prior)} of the people an attacker suspects are members, of 100 accusations at most `, ""], [ofHundred(right), "risk"], [` are right; guessing gets ${ofHundred(prior)}.`, ""]];
  keep(panel.sentence, runs.map((_, i) => i), (i) => i, () => ({ node: html("span") })).forEach(({ node }, i) => {
    write(node, runs[i][0]);
    set(node, { class: runs[i][1] && `strong tone-${runs[i][1]}` });
  });
  paintDots(panel, Math.round(100 * prior), Math.min(100, Math.ceil(100 * right - 1e-6)));
  paintTally(panel.legend, [
    ["guess", "right by guessing", ofHundred(prior)],
    ["extra", "more, at most, because of this release", ofHundred(Math.max(0, right - prior))],
    ["wrong", "still wrong", ofHundred(1 - right)],
  ]);
  write(panel.note, noteOf(data, prior, alpha, index));
}

function noteOf(data, prior, alpha, index) {
  const loose = `ε alone would allow ${ofHundred(rightOf(prior, alpha, data.loose[index]))}.`;
  if (data.measured === null) return loose;
  const ran = data.guessing ? "The attack we ran is no better than guessing." : `The attack we ran gets ${ofHundred(rightOf(prior, alpha, data.measured[index]))} right.`;
  return `${ran} ${loose}`;
}

function paintDots({ dots, picture }, guessed, right) {
  const kinds = Array.from({ length: 100 }, (_, i) => (i < guessed ? "guess" : i < right ? "extra" : "wrong"));
  keep(dots, kinds.map((_, i) => i), (i) => i, () => {
    const piece = { circle: svg("circle", { r: 8 }), diamond: svg("path", { d: "M0-9 9 0 0 9-9 0Z" }) };
    return { node: svg("g", {}, piece.circle, piece.diamond), ...piece };
  }).forEach(({ node, circle, diamond }, i) => {
    set(node, { class: `person ${kinds[i]}`, transform: `translate(${(i % 10) * CELL + CELL / 2} ${Math.floor(i / 10) * CELL + CELL / 2})` });
    set(circle, { display: kinds[i] === "extra" ? "none" : null });
    set(diamond, { display: kinds[i] === "extra" ? null : "none" });
  });
  set(picture, { "aria-label": `Of 100 accusations ${guessed} are right by guessing, at most ${right} in all.` });
}

function paintTally(node, rows) {
  keep(node, rows, ([kind]) => kind, ([kind, text]) => {
    const mark = kind === "extra" ? svg("path", { d: "M0-6 6 0 0 6-6 0Z" }) : svg("circle", { r: 5.4 });
    const value = html("b");
    return { node: html("div", { class: kind }, svg("svg", { class: `person ${kind}`, width: 14, height: 14, viewBox: "-7 -7 14 14", "aria-hidden": "true" }, mark), html("span", {}, text), value), value };
  }).forEach(({ value }, i) => write(value, rows[i][2]));
}

function tableOfAccusations({ alarms, found, loose, measured }) {
  const head = ["members among suspects", "false alarms", "right at most", "right at most (epsilon alone)", "right (measured)"];
  return [head, ...PRIORS.flatMap((prior) => alarms.map((a, i) =>
    [prior, a, rightOf(prior, a, found[i]), rightOf(prior, a, loose[i]), measured && rightOf(prior, a, measured[i])]))];
}
