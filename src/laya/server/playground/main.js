// The page: what is on it becomes a request, which is run, shown as code, or put into a link.

import { codeFor } from "./copies.js";
import { byId, el, onSwitch } from "./dom.js";
import { QuestionsEditor, Unfinished } from "./editor.js";
import { JsonError, Num, compact, parse } from "./json.js";
import { LinkError, bodyIn, fragmentOf } from "./link.js";
import { readError, showAnswers, showError, showPlan } from "./results.js";
import { StateEditor } from "./state.js";

const BASE = new URL("..", document.baseURI).href.replace(/\/$/, "");
const AUTO = "jev-latest";

const state = new StateEditor(edited);
const questions = new QuestionsEditor(edited);
let examples = [];
let copyKind = "curl";
let running = null;

// -- the request -------------------------------------------------------------------------------------------------

function bodyOnPage() {
  const body = new Map([["model", byId("model").value], ["state", within("State", () => state.value)],
    ["questions", within("Questions", () => questions.value)]]);
  if (byId("truncation").value) body.set("x_truncation", byId("truncation").value);
  const least = byId("min-confidence");
  if (!least.validity.valid) throw new Unfinished("Options: the confidence wanted is a number from 0 to 1.");
  if (least.value) body.set("min_confidence", new Num(String(least.valueAsNumber)));
  return body;
}

function within(part, read) {
  try {
    return read();
  } catch (error) {
    if (error instanceof JsonError) throw new Unfinished(`${part}: line ${error.line}, column ${error.column}: ${error.message}`);
    if (error instanceof Unfinished) throw new Unfinished(`${part}: ${error.message}`);
    throw error;
  }
}

function load(body) {
  state.value = body.get("state");
  questions.value = body.get("questions");
  const least = body.get("min_confidence");
  byId("min-confidence").value = least instanceof Num ? least.text : "";
  byId("truncation").value = ["allow", "error", "scan"].includes(body.get("x_truncation")) ? body.get("x_truncation") : "";
  byId("options").open = Boolean(byId("truncation").value || byId("min-confidence").value);
  if (typeof body.get("model") === "string") choose(body.get("model"));
  edited();
}

function edited() {
  byId("results").classList.toggle("old", Boolean(byId("results").querySelector(".answer, .costs")));
  notify("");
  if (byId("copies").open) showCode();
}

function notify(sentence) {
  byId("notice").textContent = sentence;
  byId("notice").hidden = !sentence;
}

function say(sentence) {
  byId("said").textContent = sentence;
  setTimeout(() => { if (byId("said").textContent === sentence) byId("said").textContent = ""; }, 4000);
}

// -- the server --------------------------------------------------------------------------------------------------

async function call(path, body, signal) {
  const headers = new Headers(body ? { "Content-Type": "application/json" } : {});
  const key = byId("key").value.trim();
  if (key && !/^[\x21-\x7e]+$/.test(key)) throw new Unfinished("API key: it holds characters that a header cannot carry.");
  if (key) headers.set("Authorization", `Bearer ${key}`);
  const options = { method: body ? "POST" : "GET", headers, signal, credentials: "omit", cache: "no-store" };
  if (body) options.body = compact(body);
  const begun = performance.now();
  const response = await fetch(`${BASE}${path}`, options);
  const text = await response.text();
  const server = /dur=([\d.]+)/.exec(response.headers.get("server-timing") ?? "")?.[1];
  const timing = { server: server && Math.round(Number(server)), total: Math.round(performance.now() - begun) };
  return { response, text, timing, body: valueOf(text), requestId: response.headers.get("x-request-id") };
}

function valueOf(text) {
  try {
    const value = parse(text);
    return value instanceof Map ? value : null;
  } catch (error) {
    if (error instanceof JsonError) return null;
    throw error;
  }
}

async function run(path, show) {
  running?.abort();
  const mine = new AbortController();
  running = mine;
  busy(true);
  try {
    const sent = bodyOnPage();
    const answer = await call(path, sent, mine.signal);
    if (running !== mine) return;
    if (answer.response.ok && answer.body) show({ ...answer, sent });
    else refused(answer);
  } catch (error) {
    if (running === mine) failed(error);
  } finally {
    if (running === mine) {
      byId("results").classList.remove("old");
      running = null;
      busy(false);
    }
  }
}

function busy(is) {
  byId("results").setAttribute("aria-busy", String(is));
  byId("run").classList.toggle("running", is);
}

function refused({ response, text, body, requestId }) {
  const title = `${response.status} ${response.statusText}`.trim();
  if (!body) {
    showError({ title, problems: [{ message: text.slice(0, 500) || "The answer has no text." }], requestId });
    return;
  }
  const error = readError(body);
  const wait = response.headers.get("retry-after");
  const hint = wait ? `Try again in ${wait} s.` : response.status === 401 ? "Enter a key at the top of the page." : null;
  showError({ title, ...error, requestId: error.requestId || requestId, hint });
  questions.form.markIds(new Map(error.problems.filter(({ question }) => question).map(({ question, message }) => [question, message])));
}

function failed(error) {
  if (error instanceof Unfinished) {
    showError({ title: "Not sent", problems: [{ message: error.message }] });
  } else if (error instanceof TypeError) {
    showError({ title: "No answer", problems: [{ message: `The server could not be reached: ${error.message}.` }] });
  } else {
    throw error;
  }
}

const ask = () => run("/v1/systemone", showAnswers);
const plan = () => run("/v1/plan", showPlan);

// -- models and examples -----------------------------------------------------------------------------------------

function choose(name) {
  const select = byId("model");
  if (![...select.options].some((option) => option.value === name)) select.append(el("option", { value: name }, name));
  select.value = name;
}

async function loadModels() {
  try {
    const { response, body } = await call("/v1/models");
    const list = body?.get("models");
    byId("key").toggleAttribute("aria-invalid", response.status === 401);
    if (!response.ok || !Array.isArray(list)) return;
    const chosen = byId("model").value;
    byId("model").replaceChildren(...list.map((model) => {
      const name = model.get("name");
      const loaded = model.get("x_loaded") === false ? ", not loaded yet" : "";
      return el("option", { value: name, title: model.get("description") }, name === AUTO ? `${name} (server chooses)` : `${name}${loaded}`);
    }));
    choose(chosen);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof Unfinished)) throw error;
  }
}

async function loadExamples() {
  const response = await fetch("examples.json");
  examples = parse(await response.text());
  byId("examples").append(...examples.map((example, index) => el("option", { value: String(index) }, example.get("name"))));
}

function start(index) {
  load(examples[index].get("body"));
  byId("examples").value = String(index);
}

// -- code and links ----------------------------------------------------------------------------------------------

function showCode() {
  let code = "";
  try {
    code = codeFor(copyKind, bodyOnPage(), BASE, Boolean(byId("key").value.trim()));
  } catch (error) {
    if (!(error instanceof Unfinished)) throw error;
    byId("code").textContent = `The request is not complete. ${error.message}`;
  }
  byId("copy").disabled = !code;
  if (code) byId("code").textContent = code;
}

// Pages that came over plain HTTP from elsewhere have no clipboard; what is selected can be copied there too.
async function copyText(text) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const area = el("textarea", { value: text, class: "hidden-text", "aria-hidden": "true" });
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

async function copyLink() {
  try {
    history.replaceState(null, "", await fragmentOf(bodyOnPage()));
    await copyText(location.href);
    say("Link copied");
  } catch (error) {
    if (error instanceof Unfinished) notify(error.message);
    else say("The link is in the address bar");
  }
}

async function followLink() {
  try {
    const body = await bodyIn(location.hash);
    if (body) load(body);
    return body !== null;
  } catch (error) {
    if (!(error instanceof LinkError)) throw error;
    notify(`The link cannot be read: ${error.message}.`);
    return false;
  }
}

// -- the start ---------------------------------------------------------------------------------------------------

byId("run").addEventListener("click", ask);
byId("plan").addEventListener("click", plan);
byId("link").addEventListener("click", copyLink);
byId("copy").addEventListener("click", async () => {
  await copyText(byId("code").textContent);
  say("Code copied");
});
byId("copies").addEventListener("toggle", showCode);
byId("key").addEventListener("change", () => { loadModels(); edited(); });
byId("examples").addEventListener("change", (event) => { if (event.target.value) start(Number(event.target.value)); });
for (const id of ["model", "truncation"]) byId(id).addEventListener("change", edited);
byId("min-confidence").addEventListener("input", edited);
onSwitch("copy-kind", (kind) => { copyKind = kind; showCode(); });
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    ask();
  }
});
window.addEventListener("hashchange", followLink);

await loadExamples();
const linked = await followLink();
if (!linked) {
  const sentence = byId("notice").textContent;
  start(0);
  notify(sentence);
}
await loadModels();
document.body.dataset.ready = "yes";
