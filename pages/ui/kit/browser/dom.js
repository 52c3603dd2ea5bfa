// Small tools for a page that is built once and then only changed.
// Text reaches the page through textContent alone: names come from files and are never markup.

const SVG = "http://www.w3.org/2000/svg";

// Set attributes, touching the page only where a value differs.
export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    const text = value === null || (value === false && !name.startsWith("aria-")) ? null : String(value);
    if (node.getAttribute(name) === text) continue;
    if (text === null) node.removeAttribute(name);
    else node.setAttribute(name, text);
  }
  return node;
}

export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
  return node;
}

const filled = (node, attributes, children) => { set(node, attributes).append(...children); return node; };
export const html = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);
export const svg = (tag, attributes = {}, ...children) => filled(document.createElementNS(SVG, tag), attributes, children);

// The children of `parent` follow `items`: kept by key, made when new, removed when gone.
// Returns the pieces in the order of the items; a piece is what `make` returned ({ node, ... }).
export function keep(parent, items, keyOf, make) {
  const kept = (parent.kept ??= new Map());
  const seen = new Set();
  const pieces = items.map((item) => {
    const key = keyOf(item);
    seen.add(key);
    if (!kept.has(key)) kept.set(key, make(item));
    return kept.get(key);
  });
  for (const [key, piece] of kept) {
    if (seen.has(key)) continue;
    piece.node.remove();
    kept.delete(key);
  }
  pieces.forEach(({ node }, i) => {
    if (parent.children[i] !== node) parent.insertBefore(node, parent.children[i] ?? null);
  });
  return pieces;
}

// The same where items are known by their places alone.
export const keepPlaces = (parent, items, make) => keep(parent, [...items.keys()], (i) => i, make);

// A row of buttons of which one is pressed. `show(options, value)` draws it.
export function segmented(label, choose) {
  const node = html("div", { class: "segmented", role: "group", "aria-label": label });
  const show = (options, value) => {
    const make = ([key]) => ({ node: button("", () => choose(key), { class: null }) });
    keep(node, options, ([key]) => key, make).forEach((piece, i) => {
      const [key, text] = options[i];
      set(write(piece.node, text), { "aria-pressed": key === value, title: text });
    });
    node.hidden = options.length < 2;
  };
  return { node, show };
}

export function button(text, press, attributes = {}) {
  const node = html("button", { type: "button", class: "button", ...attributes }, text);
  node.addEventListener("click", press);
  return node;
}

// What the reader chose on the board; kept while the page lives, also across navigation.
export const choices = { fill: null, zoom: null };
