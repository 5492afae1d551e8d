// Elements are made here alone. Texts become text nodes, so nothing that a user or a server wrote is ever markup.

export const byId = (id) => document.getElementById(id);

// An element; `props` are attributes, `on` maps events to handlers, null and false leave an attribute out.
export function el(name, props = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(props)) {
    if (key === "on") for (const [event, handler] of Object.entries(value)) made.addEventListener(event, handler);
    else if (key === "value") made.value = value;
    else if (value !== null && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

// The radio buttons of a group: calls back with the value that was chosen.
export function onSwitch(name, handler) {
  for (const radio of document.getElementsByName(name)) radio.addEventListener("change", () => handler(radio.value));
}

export function setSwitch(name, value) {
  for (const radio of document.getElementsByName(name)) radio.checked = radio.value === value;
}

// A text area that is as tall as its text, within limits.
export function growing(area) {
  const fit = () => {
    area.style.height = "auto";
    area.style.height = `${Math.min(area.scrollHeight + 2, 320)}px`;
  };
  area.addEventListener("input", fit);
  requestAnimationFrame(fit);
  return area;
}

// Say where a JSON text is wrong, below the text area that has it; null takes the message away.
export function showPlace(box, area, error) {
  area.setAttribute("aria-invalid", String(error !== null));
  box.hidden = error === null;
  if (error === null) {
    box.replaceChildren();
    return;
  }
  const line = area.value.split("\n")[error.line - 1] ?? "";
  const start = Math.max(0, error.column - 40);
  const goThere = () => {
    area.focus();
    area.setSelectionRange(error.offset, error.offset + 1);
  };
  box.replaceChildren(
    el("p", {}, el("strong", {}, `Line ${error.line}, column ${error.column}: `), error.message),
    el("pre", { "aria-hidden": "true" }, `${[...line].slice(start, start + 80).join("")}\n${" ".repeat(error.column - 1 - start)}^`),
    el("button", { type: "button", class: "quiet", on: { click: goThere } }, "Go there"),
  );
}
