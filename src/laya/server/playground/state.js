// The state editor: one value, edited as text, as JSON or as the turns of a conversation.

import { byId, el, growing, onSwitch, setSwitch, showPlace } from "./dom.js";
import { JsonError, parse, pretty } from "./json.js";

const MODES = ["text", "json", "chat"];

const isChat = (value) =>
  Array.isArray(value) && value.length > 0 && value.every((turn) => turn instanceof Map && turn.size === 2
    && typeof turn.get("role") === "string" && typeof turn.get("content") === "string");

function read(text) {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

export class StateEditor {
  // `changed` is called after every edit.
  constructor(changed) {
    this.changed = changed;
    this.mode = "text";
    this.turns = [];
    this.text = growing(byId("state-text"));
    this.json = byId("state-json");
    this.text.addEventListener("input", changed);
    this.json.addEventListener("input", () => { this.check(); changed(); });
    byId("add-turn").addEventListener("click", () => this.addTurn());
    onSwitch("state-mode", (mode) => this.change(mode));
  }

  // The state; throws a JsonError if it is not valid.
  get value() {
    if (this.mode === "text") return this.text.value;
    if (this.mode === "json") return parse(this.json.value);
    return this.turns.map((turn) => new Map([["role", turn.role], ["content", turn.content]]));
  }

  set value(value) {
    this.show(typeof value === "string" ? "text" : isChat(value) ? "chat" : "json", value);
  }

  // Show what is edited now in another mode; what is no conversation becomes the first turn of one.
  change(mode) {
    const text = this.mode === "json" ? this.json.value : this.mode === "text" ? this.text.value : null;
    let value = text === null ? this.value : read(text);
    if (this.mode === "text" && !(value instanceof Map || Array.isArray(value))) value = text;
    if (this.mode === "json" && value === undefined) value = text;
    this.show(mode, value);
    this.changed();
  }

  show(mode, value) {
    this.mode = mode;
    setSwitch("state-mode", mode);
    for (const name of MODES) byId(`state-${name}-part`).hidden = name !== mode;
    const text = typeof value === "string" ? value : pretty(value);
    if (mode === "text") this.text.value = text;
    if (mode === "text") this.text.dispatchEvent(new Event("input"));
    if (mode === "json") this.json.value = pretty(value);
    if (mode === "chat") {
      const turns = isChat(value) ? value : [new Map([["role", "user"], ["content", text]])];
      this.turns = turns.map((turn) => ({ role: turn.get("role"), content: turn.get("content") }));
      this.drawTurns();
    }
    this.check();
  }

  check() {
    let problem = null;
    try {
      if (this.mode === "json") parse(this.json.value);
    } catch (error) {
      problem = error;
    }
    showPlace(byId("state-problem"), this.json, problem);
  }

  addTurn() {
    const role = this.turns.at(-1)?.role === "user" ? "assistant" : "user";
    this.turns.push({ role, content: "" });
    this.drawTurns();
    byId("turns").lastElementChild.querySelector("textarea").focus();
    this.changed();
  }

  removeTurn(index) {
    this.turns.splice(index, 1);
    this.drawTurns();
    byId("add-turn").focus();
    this.changed();
  }

  drawTurns() {
    byId("turns").replaceChildren(...this.turns.map((turn, index) => {
      const edited = (key) => (event) => { turn[key] = event.target.value; this.changed(); };
      const name = `Turn ${index + 1}`;
      return el("li", { class: "turn" },
        el("input", { value: turn.role, list: "roles", "aria-label": `${name}: role`, autocomplete: "off", on: { input: edited("role") } }),
        growing(el("textarea", { value: turn.content, rows: 1, "aria-label": `${name}: content`, autocomplete: "off", on: { input: edited("content") } })),
        el("button", { type: "button", class: "remove", "aria-label": `Remove turn ${index + 1}`, on: { click: () => this.removeTurn(index) } }, "×"));
    }));
  }
}
