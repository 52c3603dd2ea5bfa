// What every view has around its picture: title, controls, caption, details, table as a file.
import { button, html, keep, set, write } from "./dom.js";
import { copyButton, fileName } from "./link.js";
import { download } from "./words.js";

// `rows()` gives the table behind the picture, first row the head.
export function makeView(name, rows) {
  const title = html("h2");
  const subtitle = html("p", { class: "subtitle" });
  const controls = html("div", { class: "controls" });
  const body = html("div", { class: "body" });
  const caption = html("p", { class: "caption" });
  const list = html("dl");
  const terms = html("p", { class: "terms" });
  const details = html("details", {},
    html("summary", {}, html("span", { class: "chevron", "aria-hidden": "true" }), "Formula, source, command line"), list, terms);
  const file = button("CSV", () => download(fileName(view.texts.file), rows()), { class: "file" });
  const files = html("div", { class: "files" }, file);
  const foot = html("div", { class: "foot" }, details, files);
  const node = html("section", { class: `view ${name}` }, html("header", {}, html("div", {}, title, subtitle), controls), body, caption, foot);
  const view = { node, controls, body, title, files, texts: null };
  view.show = (texts) => {
    view.texts = texts;
    write(title, texts.title);
    write(subtitle, texts.subtitle);
    write(caption, texts.caption);
    caption.hidden = texts.caption === "";
    for (const one of files.children) set(one, { "aria-label": `${texts.title}: download ${one.textContent}` });
    set(node, { "aria-label": texts.title });
    details.hidden = texts.details.length === 0;
    keep(list, texts.details, ([heading]) => heading, makeDetail).forEach(({ text }, i) => write(text, spelled(texts.details, i)));
    keep(terms, texts.terms, ([, anchor]) => anchor, makeTerm);
  };
  return view;
}

// In a tab of its own: leaving the page would end the session, and with it what was uploaded.
function makeTerm([name, anchor]) {
  return { node: html("a", { href: `read-glossary#${anchor}`, target: "_blank" }, name) };
}

// A call in Python is the command line before it, in other words: it does not travel.
const spelled = (details, i) => details[i][0] === "Python"
  ? `from cli import ask\nask(${JSON.stringify(details[i - 1][1].replace(/^python cli\.py /, ""))})` : details[i][1];

function makeDetail([heading]) {
  const text = html("dd");
  const term = html("dt", {}, heading);
  if (heading === "Command line" || heading === "Python") {
    set(text, { class: "command" });
    term.append(copyButton("Copy", () => text.textContent));
  }
  return { node: html("div", {}, term, text), text };
}
