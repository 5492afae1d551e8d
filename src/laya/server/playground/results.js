// What the server said: answers as bars, what was read, why a checkpoint was chosen, or what is wrong.

import { byId, el } from "./dom.js";
import { Num, pretty } from "./json.js";

const AT_ONCE = 12;

const number = (value) => (value instanceof Num ? Number(value.text) : 0);
const share = (value) => `${(value * 100).toFixed(1)} %`;
const many = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
const tag = (code) => (code ? [" ", el("code", { class: "tag" }, code)] : []);
const text = (value) => (typeof value === "string" ? value : "");
const map = (value) => (value instanceof Map ? value : new Map());

function bar({ label, note, value, best }) {
  const fill = el("span", { class: "fill" });
  fill.style.width = `${Math.min(100, Math.max(0, value * 100))}%`;
  return el("li", { class: best ? "bar best" : "bar" },
    el("span", { class: "bar-label" }, label, note ? el("span", { class: "note" }, note) : null),
    el("span", { class: "track", "aria-hidden": "true" }, fill),
    el("span", { class: "bar-number" }, share(value)));
}

function bars(rows) {
  const list = el("ul", { class: "bars" }, ...rows.slice(0, AT_ONCE).map(bar));
  if (rows.length <= AT_ONCE) return [list];
  const rest = el("ul", { class: "bars" }, ...rows.slice(AT_ONCE).map(bar));
  return [list, el("details", { class: "rest" }, el("summary", {}, `${rows.length - AT_ONCE} more`), rest)];
}

const probabilities = (answer) => [...map(answer.get("probabilities"))].map(([key, value]) => [key, number(value)]);

function choiceOf(answer, question) {
  const notes = map(question.get("criteria"));
  const rows = probabilities(answer).sort((a, b) => b[1] - a[1])
    .map(([label, value], index) => ({ label, note: text(notes.get(label)), value, best: index === 0 }));
  return { headline: text(answer.get("choice")), rows };
}

function scoreOf(answer) {
  const legend = map(answer.get("legend"));
  const found = probabilities(answer);
  const most = Math.max(...found.map(([, value]) => value));
  const rows = found.map(([level, value]) => ({ label: level, note: text(legend.get(level)), value, best: value === most }));
  return { headline: `${number(answer.get("score")).toFixed(2)} of ${found.length - 1}`, rows };
}

function noulOf(answer, question) {
  const value = number(answer.get("noul"));
  const labels = map(question.get("labels"));
  const criteria = map(question.get("criteria"));
  const row = (key, name, p) => ({ label: text(labels.get(key)) || name, note: text(criteria.get(key)), value: p, best: p >= 0.5 });
  const rows = [row("true", "yes", value), row("false", "no", 1 - value)];
  return { headline: value >= 0.5 ? rows[0].label : rows[1].label, rows };
}

const READERS = new Map([["choice", choiceOf], ["score", scoreOf], ["noul", noulOf]]);

const CHIPS = [
  ["confidence", "confidence", "How far the answer is ahead of a guess, as the protocol defines it"],
  ["x_answer_confidence", "answer confidence", "The probability of the likeliest answer"],
  ["x_entropy_confidence", "entropy confidence", "1 less the normalised entropy of the distribution"],
];

function chips(answer) {
  const made = CHIPS.filter(([key]) => answer.get(key) instanceof Num)
    .map(([key, name, title]) => el("span", { class: "chip", title }, `${name} `, el("b", {}, number(answer.get(key)).toFixed(3))));
  if (answer.get("x_low_confidence") === true) {
    const least = answer.get("x_abstention_threshold");
    made.push(el("span", { class: "chip low" }, least instanceof Num ? `unsure: below ${number(least)}` : "unsure"));
  }
  const window = map(answer.get("x_window"));
  if (window.size) made.push(el("span", { class: "chip" }, `window ${number(window.get("index")) + 1} of ${number(window.get("count"))}`));
  return el("div", { class: "chips" }, ...made);
}

function answerCard(id, answer, question) {
  const read = READERS.get(answer.get("type"));
  const { headline, rows } = read ? read(answer, question) : { headline: text(answer.get("type")), rows: [] };
  const asked = question.get("instructions");
  return el("article", { class: "answer", "data-id": id },
    el("header", {}, el("h3", { class: "code" }, id), el("span", { class: "headline" }, headline)),
    typeof asked === "string" ? el("p", { class: "asked" }, asked) : null,
    ...bars(rows),
    chips(answer));
}

// What was cut, in sentences; none where everything was read.
function cuts(usage) {
  const count = (key) => number(usage.get(key));
  const found = [];
  if (count("state_tokens_dropped")) {
    found.push(`${many(count("state_tokens_dropped"), "token")} of ${count("state_tokens").toLocaleString("en")} of the state were not read`);
  }
  if (count("instruction_tokens_dropped")) found.push(`${many(count("instruction_tokens_dropped"), "token")} of instructions were not read`);
  if (count("option_tokens_dropped")) found.push(`${many(count("option_tokens_dropped"), "token")} of options were not read`);
  for (const [id, options] of map(usage.get("options"))) {
    const distinct = number(map(options).get("distinct"));
    found.push(`${id}: after the cut only ${distinct} of its ${number(map(options).get("total"))} options differ`);
  }
  const questions = usage.get("truncated_questions");
  if (Array.isArray(questions) && questions.length && found.length) found[0] += ` (${questions.map(text).join(", ")})`;
  return found;
}

const fact = (name, ...value) => [el("dt", {}, name), el("dd", {}, ...value)];

function tokenFacts(usage) {
  const found = cuts(usage);
  const windows = number(usage.get("windows"));
  const read = [many(number(usage.get("input_tokens")), "token")];
  if (usage.has("state_tokens")) read.push(`the state has ${number(usage.get("state_tokens")).toLocaleString("en")}`);
  if (windows > 1) read.push(`in ${windows} windows`);
  const cut = found.length ? el("ul", { class: "cuts" }, ...found.map((sentence) => el("li", {}, sentence))) : "nothing";
  return [...fact("Read", read.join(", ")), ...(usage.has("state_tokens") ? fact("Cut", cut) : [])];
}

function routingFacts(routing) {
  if (!routing.size) return [];
  const detection = map(routing.get("detection"));
  const found = [...fact("Why this model", text(routing.get("reason")), ...tag(text(routing.get("reason_code"))))];
  if (!detection.size) return found;
  const sure = detection.get("confidence") instanceof Num ? ` (${share(number(detection.get("confidence")))})` : "";
  const language = detection.get("language_undecided") === true ? "not decided" : `${text(detection.get("language")) || "not detected"}${sure}`;
  return [...found, ...fact("Language", `${language}, ${text(detection.get("script")) || "unknown"} script`)];
}

function warnings(value) {
  const list = Array.isArray(value) ? value.map(text) : [];
  return list.length ? [el("ul", { class: "warnings" }, ...list.map((sentence) => el("li", {}, sentence)))] : [];
}

const raw = (body) => el("details", { class: "raw" }, el("summary", {}, "Response as JSON"), el("pre", { class: "code", tabindex: "0" }, pretty(body)));

const timeOf = ({ server, total }) => (server ? `${server} ms in the server, ${total} ms in all` : `${total} ms`);

export function showAnswers({ body, sent, timing, requestId }) {
  const questions = map(sent.get("questions"));
  const usage = body.get("x_usage") instanceof Map ? body.get("x_usage") : map(body.get("usage"));
  byId("results").replaceChildren(
    ...warnings(body.get("x_warnings")),
    ...[...map(body.get("answers"))].map(([id, answer]) => answerCard(id, map(answer), map(questions.get(id)))),
    el("dl", { class: "facts" },
      ...fact("Model", text(body.get("model")), ...tag(text(body.get("x_checkpoint")))),
      ...routingFacts(map(body.get("x_routing"))),
      ...tokenFacts(usage),
      ...fact("Time", timeOf(timing)),
      ...(requestId ? fact("Request", el("code", {}, requestId)) : [])),
    raw(body));
}

export function showPlan({ body, timing }) {
  const rows = [...map(body.get("questions"))].map(([id, plan]) => el("tr", {},
    el("th", { scope: "row", class: "code" }, id),
    ...["tokens", "state_tokens_read", "state_tokens_dropped"].map((key) => el("td", {}, number(map(plan).get(key)).toLocaleString("en")))));
  const heads = ["question", "its tokens", "of the state read", "and cut"];
  byId("results").replaceChildren(
    el("p", { class: body.get("fits") === true ? "verdict" : "verdict low" },
      body.get("fits") === true ? "Everything fits." : "Something would be cut."),
    el("table", { class: "costs" }, el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, head)))), el("tbody", {}, ...rows)),
    el("dl", { class: "facts" },
      ...fact("Model", text(body.get("model"))),
      ...routingFacts(map(body.get("routing"))),
      ...tokenFacts(map(body.get("usage"))),
      ...fact("Room for a state", `${many(number(body.get("state_room")), "token")}, its ${text(body.get("kept"))} is kept`),
      ...fact("Time", timeOf(timing))),
    raw(body));
}

// Where in the body a problem is: questions.team.criteria, states[3].
const pathOf = (loc) => loc.slice(1).map((part) => (part instanceof Num ? `[${part.text}]` : `.${part}`)).join("").replace(/^\./, "");

// What an error body says: `problems` have a place each.
export function readError(body) {
  const error = map(body.get("error"));
  const detail = body.get("detail");
  const list = Array.isArray(detail) ? detail.map(map) : [];
  const problems = list.map((item) => {
    const loc = Array.isArray(item.get("loc")) ? item.get("loc") : [];
    return { path: pathOf(loc), question: loc[1] === "questions" && typeof loc[2] === "string" ? loc[2] : null, message: text(item.get("msg")) };
  });
  if (!problems.length) {
    const message = text(error.get("message")) || text(map(detail).get("message")) || text(detail) || "The server gave no reason.";
    problems.push({ path: text(error.get("path")), question: null, message });
  }
  return { code: text(error.get("code")) || text(map(detail).get("error_type")), requestId: text(error.get("request_id")), problems };
}

export function showError({ title, code, problems, requestId, hint }) {
  byId("results").replaceChildren(el("div", { class: "failure", role: "alert" },
    el("h3", {}, title, ...tag(code)),
    el("ul", {}, ...problems.map(({ path, message }) => el("li", {}, path ? el("code", { class: "path" }, path) : null, message))),
    hint ? el("p", {}, hint) : null,
    requestId ? el("p", { class: "note" }, "Request ", el("code", {}, requestId)) : null));
}
