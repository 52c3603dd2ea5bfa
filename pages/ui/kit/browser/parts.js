// Data that travels once: a part that the browser has is sent as its digest alone.

const MOST = 4000; // parts kept; the server sends again what is missing
const parts = new Map();

// The data with its parts put in; `missing` tells that one is not here.
// A part that did not change is the same object as before, so drawing can compare with ===.
export function unpack(value, state) {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => unpack(item, state));
  const digest = value["="];
  if (digest === undefined) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unpack(item, state)]));
  }
  if ("is" in value) {
    const inside = { missing: false };
    const whole = unpack(value.is, inside);
    if (inside.missing) state.missing = true; // a part with a hole is not kept: all of it comes again
    else if (!parts.has(digest)) {
      if (parts.size >= MOST) parts.delete(parts.keys().next().value);
      parts.set(digest, whole);
    }
  } else if (!parts.has(digest)) state.missing = true;
  return parts.get(digest);
}
