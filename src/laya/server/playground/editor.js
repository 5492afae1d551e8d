// The questions, edited as a form or as JSON. Both write one value; each shows what the other wrote.

import { Form } from "./form.js";
import { byId, onSwitch, setSwitch, showPlace } from "./dom.js";
import { JsonError, parse, pretty } from "./json.js";
import { problemsOf, toJson } from "./questions.js";

// Why a request cannot be made from what is on the page.
export class Unfinished extends Error {}

export class QuestionsEditor {
  // `changed` is called after every edit.
  constructor(changed) {
    this.changed = changed;
    this.current = new Map();
    this.wrong = null;
    this.form = new Form(() => this.fromForm());
    this.area = byId("questions-json");
    this.area.addEventListener("input", () => this.fromJson());
    byId("undo-json").addEventListener("click", () => this.undo());
    onSwitch("questions-mode", (mode) => this.show(mode));
  }

  // The Map of definitions; throws `Unfinished` or a JsonError where there is none.
  get value() {
    if (this.wrong) throw this.wrong;
    const [problem] = problemsOf(this.form.questions).values();
    if (problem) throw new Unfinished(problem);
    return this.current;
  }

  set value(value) {
    this.current = value;
    this.form.load(value);
    this.area.value = pretty(value);
    this.settle(null);
  }

  show(mode) {
    setSwitch("questions-mode", mode);
    for (const name of ["form", "json"]) byId(`questions-${name}-part`).hidden = name !== mode;
    if (mode === "form") this.form.draw();
  }

  undo() {
    this.value = this.current;
    this.changed();
  }

  fromForm() {
    if (!problemsOf(this.form.questions).size) {
      this.current = toJson(this.form.questions);
      this.area.value = pretty(this.current);
    }
    this.settle(null);
    this.changed();
  }

  fromJson() {
    try {
      const value = parse(this.area.value);
      if (!(value instanceof Map)) throw new JsonError("questions are an object: an id to each definition", 0, this.area.value);
      this.current = value;
      this.form.load(value);
      this.settle(null);
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      this.settle(error);
    }
    this.changed();
  }

  settle(wrong) {
    this.wrong = wrong;
    showPlace(byId("questions-problem"), this.area, wrong);
    byId("out-of-step").hidden = wrong === null;
    byId("questions-form").inert = wrong !== null;
    for (const button of document.querySelectorAll("[data-add]")) button.disabled = wrong !== null;
    const count = this.current.size;
    byId("question-count").textContent = count ? String(count) : "";
  }
}
