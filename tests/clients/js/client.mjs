// Does one thing with the SDK: what it is told on standard input, as JSON. Prints the outcome, as JSON.
import { text } from "node:stream/consumers";
import { TypeSafeClient, choice, noul, score } from "@typesafe-ai/sdk";

const { url, key, timeout, ask } = JSON.parse(await text(process.stdin));
const client = new TypeSafeClient({ apiKey: key, baseURL: url, timeout, logLevel: "off" });

const make = {
  noul: (q) => noul(q.instructions, q.criteria),
  choice: (q) => choice(q.instructions, q.criteria),
  score: (q) => score(q.instructions, q.criteria),
};

function call() {
  if (!ask) return client.models.list();
  const questions = Object.entries(ask.questions).map(([name, q]) => [name, make[q.type](q)]);
  return client.systemOne({ ...ask, questions: Object.fromEntries(questions) });
}

let outcome;
try {
  const { data, requestId } = await call().withResponse();
  outcome = { data, requestId };
} catch (error) {
  outcome = { error: { name: error.constructor.name, status: error.status, message: error.message } };
}
console.log(JSON.stringify(outcome));
