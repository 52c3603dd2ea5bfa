// A knob of the sidebar.
import { unpack } from "./parts.js";
import { paintSlider } from "./slider.js";

const NARROW = 900; // pixels

// On a narrow screen the sidebar would cover half of the page: start with it closed, once.
function closeOnNarrow() {
  if (window.innerWidth >= NARROW || window.equipoiseSidebar) return;
  window.equipoiseSidebar = "closed";
  document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
}

export default function ({ data, parentElement, setTriggerValue }) {
  closeOnNarrow();
  const state = { missing: false };
  const whole = unpack(data, state);
  if (state.missing) return setTriggerValue("missing", data.moment);
  const { knob, value, disabled } = whole;
  return paintSlider(parentElement.querySelector(".knob"), { ...knob, value, disabled }, (moved) => setTriggerValue("value", moved));
}
