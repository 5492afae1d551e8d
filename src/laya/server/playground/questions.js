// Questions as a form holds them: rows that may be blank or alike while they are typed, and the way from and to JSON.

export const KINDS = { noul: "yes/no", choice: "choice", score: "score" };

const isBlank = (value) => value === "" || value === null || value === undefined;
const texts = (list) => list.every((item) => typeof item === "string");

// One question. `kind` is null for a definition that the form cannot show; that one is kept as it is. `listed` tells that
// the options came as a list of labels, which they stay until one of them is described.
export class Question {
  constructor(id, definition) {
    this.id = id;
    this.definition = definition;
    this.sides = new Map();
    this.pairs = [["", null], ["", null]];
    this.levels = ["", ""];
    this.listed = false;
    this.kind = this.read();
  }

  read() {
    if (!(this.definition instanceof Map)) return null;
    const kind = this.definition.get("type");
    const criteria = this.definition.get("criteria");
    if (!Object.hasOwn(KINDS, typeof kind === "string" ? kind : "")) return null;
    if (isBlank(criteria)) return kind;
    return this.readCriteria(kind, criteria) ? kind : null;
  }

  readCriteria(kind, criteria) {
    const list = Array.isArray(criteria);
    if (kind === "noul") {
      if (!(criteria instanceof Map) || [...criteria.keys()].some((key) => key !== "true" && key !== "false")) return false;
      this.sides = new Map(criteria);
    } else if (kind === "score") {
      if (!list) return false;
      this.levels = [...criteria];
    } else if (list && texts(criteria)) {
      this.pairs = criteria.map((label) => [label, null]);
      this.listed = true;
    } else if (criteria instanceof Map) {
      this.pairs = [...criteria];
    } else {
      return false;
    }
    return true;
  }

  get instructions() { return this.definition.get("instructions") ?? ""; }

  set instructions(text) {
    if (text === "") this.definition.delete("instructions");
    else this.definition.set("instructions", text);
  }

  // Another type keeps what fits: descriptions of options become levels, and the other way round.
  change(kind) {
    if (kind === "score" && this.kind === "choice" && this.levels.every(isBlank)) {
      this.levels = this.pairs.map(([label, description]) => (isBlank(description) ? label : description));
    }
    if (kind === "choice" && this.kind === "score" && this.pairs.every(([label]) => isBlank(label))) {
      this.pairs = this.levels.map((level) => [level, null]);
    }
    this.kind = kind;
    this.definition.set("type", kind);
    for (const key of ["labels", "option_order"]) this.definition.delete(key);
  }

  // What is wrong with the rows, in one sentence, or null.
  get problem() {
    const labels = this.kind === "choice" ? this.rows.map(([label]) => label) : [];
    const twice = labels.find((label, index) => labels.indexOf(label) !== index);
    return twice === undefined ? null : `The label ${JSON.stringify(twice)} is there twice.`;
  }

  // Rows that say something; those that are left blank do not count.
  get rows() { return this.pairs.filter(([label, description]) => !isBlank(label) || !isBlank(description)); }

  get criteria() {
    if (this.kind === "score") return this.levels.filter((level) => !isBlank(level));
    if (this.kind === "noul") {
      const sides = [...this.sides].filter(([, text]) => text !== "");
      return sides.length ? new Map(sides) : null;
    }
    const rows = this.rows.map(([label, description]) => [label, description === "" ? null : description]);
    return this.listed && rows.every(([, description]) => description === null) ? rows.map(([label]) => label) : new Map(rows);
  }

  // The definition with the rows in it.
  toJson() {
    if (this.kind === null) return this.definition;
    const criteria = this.criteria;
    if (criteria === null) this.definition.delete("criteria");
    else this.definition.set("criteria", criteria);
    return new Map(this.definition);
  }
}

export const fromJson = (value) => [...value].map(([id, definition]) => new Question(id, definition instanceof Map ? new Map(definition) : definition));

// An id that no question has yet.
export function newId(questions, kind) {
  const taken = new Set(questions.map((question) => question.id));
  const stem = { noul: "is_it", choice: "which", score: "how_much" }[kind];
  let number = 1;
  while (taken.has(number === 1 ? stem : `${stem}_${number}`)) number += 1;
  return number === 1 ? stem : `${stem}_${number}`;
}

// Sentences by question: ids that are blank or there twice, labels that are there twice.
export function problemsOf(questions) {
  const found = new Map();
  const seen = new Set();
  for (const question of questions) {
    if (question.id.trim() === "") found.set(question, "A question needs an id.");
    else if (seen.has(question.id)) found.set(question, `The id ${JSON.stringify(question.id)} is there twice.`);
    else if (question.problem) found.set(question, question.problem);
    seen.add(question.id);
  }
  return found;
}

export const toJson = (questions) => new Map(questions.map((question) => [question.id, question.toJson()]));
