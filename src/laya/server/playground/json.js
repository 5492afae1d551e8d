// JSON as the server reads it: the order of keys is kept, numbers keep their digits, a key twice is an error with a place.

export class JsonError extends Error {
  constructor(message, offset, text) {
    super(message);
    const before = text.slice(0, offset).split("\n");
    this.offset = offset;
    this.line = before.length;
    this.column = [...before.at(-1)].length + 1;
  }
}

// A number, as it was written.
export class Num {
  constructor(text) { this.text = text; }
  valueOf() { return Number(this.text); }
}

// A call in Python code: a name and a Map of arguments.
export class Call {
  constructor(name, args) { this.name = name; this.args = args; }
}

const DEPTH = 200;
const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPES = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
const WORDS = [["true", true], ["false", false], ["null", null]];

class Parser {
  constructor(text) { this.text = text; this.at = 0; }

  fail(message, offset = this.at) { throw new JsonError(message, offset, this.text); }

  match(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found?.[0];
  }

  take(character) {
    this.match(SPACE);
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  found() {
    const point = this.text.codePointAt(this.at);
    return point === undefined ? "the end" : `'${String.fromCodePoint(point)}'`;
  }

  value(depth) {
    this.match(SPACE);
    if (depth > DEPTH) this.fail("this nests too deeply");
    const next = this.text[this.at];
    if (next === "{") return this.object(depth);
    if (next === "[") return this.array(depth);
    if (next === '"') return this.string();
    const digits = this.match(NUMBER);
    if (digits) return new Num(digits);
    for (const [word, value] of WORDS) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    return this.fail(`a value should be here, not ${this.found()}`);
  }

  object(depth) {
    const made = new Map();
    this.take("{");
    if (this.take("}")) return made;
    do {
      this.match(SPACE);
      const start = this.at;
      if (this.text[start] !== '"') this.fail(`a key in double quotes should be here, not ${this.found()}`);
      const key = this.string();
      if (made.has(key)) this.fail(`the key ${JSON.stringify(key)} is there twice`, start);
      if (!this.take(":")) this.fail(`a colon should be here, not ${this.found()}`);
      made.set(key, this.value(depth + 1));
    } while (this.take(","));
    if (!this.take("}")) this.fail(`a comma or } should be here, not ${this.found()}`);
    return made;
  }

  array(depth) {
    const made = [];
    this.take("[");
    if (this.take("]")) return made;
    do made.push(this.value(depth + 1)); while (this.take(","));
    if (!this.take("]")) this.fail(`a comma or ] should be here, not ${this.found()}`);
    return made;
  }

  string() {
    const start = this.at;
    const parts = [];
    this.at += 1;
    for (;;) {
      parts.push(this.match(PLAIN));
      const next = this.text[this.at];
      if (next === undefined) this.fail("this text has no closing quote", start);
      if (next < " ") this.fail(next === "\n" ? "a line ends inside a text; write \\n" : "a control character; escape it");
      this.at += 1;
      if (next === '"') return parts.join("");
      parts.push(this.escape());
    }
  }

  escape() {
    const letter = this.text[this.at];
    const hex = this.text.slice(this.at + 1, this.at + 5);
    if (letter === "u" && /^[0-9a-fA-F]{4}$/.test(hex)) {
      this.at += 5;
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    if (!Object.hasOwn(ESCAPES, letter ?? "")) this.fail("this escape is not known", this.at - 1);
    this.at += 1;
    return ESCAPES[letter];
  }
}

// The value of a text: objects are Maps, numbers are Nums.
export function parse(text) {
  const parser = new Parser(text);
  const value = parser.value(0);
  parser.match(SPACE);
  if (parser.at < text.length) parser.fail(`nothing should follow here, not ${parser.found()}`);
  return value;
}

const JSON_STYLE = { true: "true", false: "false", null: "null", indent: "  ", last: "", width: 88 };
const PYTHON_STYLE = { true: "True", false: "False", null: "None", indent: "    ", last: ",", width: 88 };

function parts(value, style, pad) {
  if (Array.isArray(value)) return ["[", value.map((item) => ["", item]), "]"];
  if (value instanceof Map) return ["{", [...value].map(([key, item]) => [`${JSON.stringify(key)}: `, item]), "}"];
  return [`${value.name}(`, [...value.args].map(([key, item]) => [`${key}=`, item]), ")"];
}

function flat(value, style) {
  if (value === null || typeof value === "boolean") return style[String(value)];
  if (typeof value === "string") return JSON.stringify(value);
  if (value instanceof Num) return value.text;
  const [open, items, close] = parts(value, style);
  return open + items.map(([key, item]) => key + flat(item, style)).join(", ") + close;
}

function written(value, style, pad, used) {
  const short = flat(value, style);
  if (value === null || typeof value !== "object" || value instanceof Num) return short;
  const [open, items, close] = parts(value, style);
  if (pad.length + used + short.length <= style.width || !items.length) return short;
  const inner = pad + style.indent;
  const lines = items.map(([key, item]) => inner + key + written(item, style, inner, key.length));
  return `${open}\n${lines.join(",\n")}${style.last}\n${pad}${close}`;
}

// A value as JSON on one line, or on as many as it needs to be read.
export const compact = (value) => flat(value, JSON_STYLE);
export const pretty = (value) => written(value, JSON_STYLE, "", 0);

// A value as a Python expression that starts in a line indented by `pad`, after `used` characters.
export const python = (value, pad = "", used = 0) => written(value, PYTHON_STYLE, pad, used);
