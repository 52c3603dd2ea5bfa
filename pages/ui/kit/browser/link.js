// The address carries the whole scenario: beside what the sidebar's widgets write there stands what
// the server says, and which variant of each view is on show. No step is added to the history.
import { button, set, write } from "./dom.js";

const LOOK = "look";
const looked = new Map((new URL(window.location.href).searchParams.get(LOOK) ?? "").split("_").map((part) => part.split(".")));
const onShow = new Map();
let said = {};
let prefix = "equipoise-study-";
let waiting = false;

// The variant that the link this page was opened with asks for.
export const linkedVariant = (name, variants) => variants[looked.get(name)];

export function nameVariant(name, node, place) {
  onShow.set(name, { node, place });
  if (waiting) return;
  waiting = true;
  queueMicrotask(() => { waiting = false; writeAddress(); });
}

export function sayScenario(parameters, files) {
  prefix = files;
  if (!parameters) return;
  said = parameters;
  writeAddress();
}

// Files of a study are named after its scenario.
export const fileName = (file) => file.replace(/^equipoise-study-/, prefix);

function writeAddress() {
  const url = new URL(window.location.href);
  const look = [...onShow].filter(([, { node, place }]) => place > 0 && node.isConnected);
  const all = { ...said, [LOOK]: look.map(([name, { place }]) => `${name}.${place}`).join("_") };
  for (const [key, value] of Object.entries(all)) {
    if (value) url.searchParams.set(key, value);
    else url.searchParams.delete(key);
  }
  if (url.href !== window.location.href) window.history.replaceState(window.history.state, "", url);
}

// A button that copies what `text()` gives; absent where the page is not served safely.
export function copyButton(label, text) {
  const copy = async () => {
    await navigator.clipboard.writeText(text());
    write(node, "Copied");
    setTimeout(() => write(node, label), 1500);
  };
  const node = button(label, copy, { hidden: !navigator.clipboard });
  return node;
}
