// The form of the questions: one card for each, drawn from `Question`s and writing into them.

import { byId, el, growing } from "./dom.js";
import { compact } from "./json.js";
import { KINDS, Question, fromJson, newId, problemsOf } from "./questions.js";

export class Form {
  // `changed` is called after every edit.
  constructor(changed) {
    this.questions = [];
    this.changed = changed;
    this.root = byId("questions-form");
    for (const button of document.querySelectorAll("[data-add]")) {
      button.addEventListener("click", () => this.add(button.dataset.add));
    }
  }

  // Questions from a Map of definitions.
  load(value) {
    this.questions = fromJson(value);
    this.draw();
  }

  add(kind) {
    const question = new Question(newId(this.questions, kind), new Map([["type", kind]]));
    this.questions.push(question);
    this.redraw();
    this.card(question).querySelector(".instructions").focus();
  }

  remove(question) {
    const index = this.questions.indexOf(question);
    this.questions.splice(index, 1);
    this.redraw();
    const next = this.questions[Math.min(index, this.questions.length - 1)];
    (next ? this.card(next).querySelector("input") : document.querySelector("[data-add]")).focus();
  }

  move(question, by) {
    const index = this.questions.indexOf(question);
    this.questions.splice(index, 1);
    this.questions.splice(index + by, 0, question);
    this.redraw();
    this.card(question).querySelector(by < 0 ? ".up" : ".down").focus();
  }

  redraw() {
    this.draw();
    this.edited();
  }

  edited() {
    this.mark(problemsOf(this.questions));
    this.changed();
  }

  draw() {
    this.root.replaceChildren(...this.questions.map((question, index) => this.drawCard(question, index)));
    this.mark(problemsOf(this.questions));
  }

  card(question) { return this.root.children[this.questions.indexOf(question)]; }

  // Show a sentence on each card that has one.
  mark(problems) {
    this.questions.forEach((question, index) => {
      const box = this.root.children[index].querySelector(".problem");
      const sentence = problems.get(question) ?? "";
      box.textContent = sentence;
      box.hidden = !sentence;
    });
  }

  // Show what the server said about questions, by their id.
  markIds(sentences) {
    this.mark(new Map(this.questions.filter(({ id }) => sentences.has(id)).map((question) => [question, sentences.get(question.id)])));
  }

  drawCard(question, index) {
    const { kind } = question;
    return el("fieldset", { class: "card" },
      el("legend", { class: "hidden-text" }, `Question ${index + 1}`),
      el("div", { class: "card-head" },
        el("label", { class: "field" }, "Id", this.input(question.id, (text) => { question.id = text; }, { class: "code id" })),
        el("label", { class: "field" }, "Type", this.drawKinds(question)),
        el("div", { class: "card-tools" },
          this.tool("↑", "up", `Move question ${index + 1} up`, index === 0, () => this.move(question, -1)),
          this.tool("↓", "down", `Move question ${index + 1} down`, index === this.questions.length - 1, () => this.move(question, 1)),
          this.tool("×", "remove", `Remove question ${index + 1}`, false, () => this.remove(question)))),
      ...(kind === null ? [this.drawOpaque(question)] : [
        el("label", { class: "field" }, "Instructions",
          this.area(question.instructions, (text) => { question.instructions = text; }, { class: "instructions" })),
        this.drawCriteria(question)]),
      el("div", { class: "problem", role: "alert", hidden: true }));
  }

  tool(sign, name, label, disabled, click) {
    return el("button", { type: "button", class: `tool ${name}`, "aria-label": label, title: label, disabled, on: { click } }, sign);
  }

  drawOpaque(question) {
    return el("div", { class: "opaque" },
      el("p", {}, "This one can be edited as JSON only."),
      el("pre", { class: "code" }, compact(question.definition)));
  }

  drawKinds(question) {
    const kinds = Object.entries(KINDS);
    const change = (event) => {
      question.change(event.target.value);
      this.redraw();
      this.card(question).querySelector("select").focus();
    };
    const select = el("select", { autocomplete: "off", disabled: question.kind === null, on: { change } },
      ...(question.kind === null ? [el("option", { value: "" }, "other")] : []),
      ...kinds.map(([kind, name]) => el("option", { value: kind }, name)));
    select.value = question.kind ?? "";
    return select;
  }

  drawCriteria(question) {
    if (question.kind === "choice") return this.drawOptions(question);
    if (question.kind === "score") return this.drawLevels(question);
    const side = (key, title) => el("label", { class: "field" }, title,
      this.area(question.sides.get(key) ?? "", (text) => question.sides.set(key, text), { placeholder: "optional" }));
    return el("div", { class: "sides" }, side("true", "It is true when"), side("false", "It is false when"));
  }

  drawOptions(question) {
    const rows = question.pairs.map((pair, row) => el("li", { class: "option" },
      this.input(pair[0], (text) => { pair[0] = text; }, { "aria-label": `Option ${row + 1}: label`, placeholder: "label" }),
      this.area(pair[1] ?? "", (text) => { pair[1] = text === "" ? null : text; },
        { "aria-label": `Option ${row + 1}: description`, placeholder: "description, optional" }),
      this.drawRemove(question, question.pairs, row, `option ${row + 1}`)));
    return this.drawRows(question, rows, "Options", "Add option", question.pairs, () => ["", null]);
  }

  drawLevels(question) {
    const rows = question.levels.map((level, row) => el("li", { class: "option level" },
      el("span", { class: "rank", "aria-hidden": "true" }, String(row)),
      this.area(level, (text) => { question.levels[row] = text; }, { "aria-label": `Level ${row}`, placeholder: "description" }),
      this.drawRemove(question, question.levels, row, `level ${row}`)));
    return this.drawRows(question, rows, "Levels, lowest first", "Add level", question.levels, () => "");
  }

  drawRows(question, rows, title, adding, list, blank) {
    const add = () => {
      list.push(blank());
      this.redraw();
      [...this.card(question).querySelectorAll(".option")].at(-1).querySelector("input, textarea").focus();
    };
    return el("div", { class: "rows" }, el("span", { class: "title" }, title), el("ul", {}, ...rows),
      el("button", { type: "button", class: "quiet add-row", on: { click: add } }, adding));
  }

  drawRemove(question, list, row, name) {
    return this.tool("×", "remove", `Remove ${name}`, false, () => {
      list.splice(row, 1);
      this.redraw();
      this.card(question).querySelector(".add-row").focus();
    });
  }

  // A field for a text; a value that is no text is shown, and can be changed as JSON only.
  bound(made, value, write) {
    made.autocomplete = "off";
    made.value = typeof value === "string" ? value : compact(value);
    if (typeof value !== "string") {
      made.readOnly = true;
      made.title = "This is JSON; change it in the JSON view";
    }
    made.addEventListener("input", () => { write(made.value); this.edited(); });
    return made;
  }

  input(value, write, props) { return this.bound(el("input", props), value, write); }

  area(value, write, props) { return growing(this.bound(el("textarea", { rows: 1, ...props }), value, write)); }
}
