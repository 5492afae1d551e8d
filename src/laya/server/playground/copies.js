// A request as code that runs elsewhere, whatever characters are in it. The key is never in it: it is read from a variable.

import { Call, pretty, python } from "./json.js";

const KEY = "TYPESAFE_API_KEY";
const CLASSES = new Map([["noul", "Noul"], ["choice", "Choice"], ["score", "Score"]]);
const FIELDS = new Set(["type", "instructions", "criteria"]);

// For a POSIX shell: a text in single quotes.
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

// The body goes in as a quoted here-document, in which nothing is special and which may be of any length.
function curl(body, base, withKey) {
  const lines = [`curl -sS ${quoted(`${base}/v1/systemone`)} \\`, "  -H 'Content-Type: application/json' \\"];
  if (withKey) lines.push(`  -H "Authorization: Bearer $${KEY}" \\`);
  return `${lines.join("\n")}\n  --data-binary @- <<'JSON'\n${pretty(body)}\nJSON\n`;
}

function requests(body, base, withKey) {
  const headers = withKey ? `    headers={"Authorization": f"Bearer {os.environ['${KEY}']}"},\n` : "";
  return `${withKey ? "import os\n\n" : ""}import requests

response = requests.post(
    ${JSON.stringify(`${base}/v1/systemone`)},
${headers}    json=${python(body, "    ", 5)},
    timeout=30,
)
print(response.text)
`;
}

// A definition as the class of the SDK for it, or as a plain dict if it has what the class does not.
function asClass(definition) {
  const name = definition instanceof Map && CLASSES.get(definition.get("type"));
  if (!name || [...definition.keys()].some((key) => !FIELDS.has(key))) return definition;
  const args = new Map([...definition].filter(([key]) => key !== "type"));
  const criteria = args.get("criteria");
  if (name === "Choice" && Array.isArray(criteria)) {
    if (criteria.some((label) => typeof label !== "string")) return definition;
    args.set("criteria", new Map(criteria.map((label) => [label, null])));
  }
  return new Call(name, args);
}

function sdk(body, base, withKey) {
  const questions = new Map([...body.get("questions")].map(([id, definition]) => [id, asClass(definition)]));
  const extras = new Map([...body].filter(([key]) => !["model", "state", "questions"].includes(key)));
  const names = [...new Set([...questions.values()].filter((call) => call instanceof Call).map((call) => call.name))];
  const args = [["state", body.get("state")], ["questions", questions], ["model", body.get("model")]];
  if (extras.size) args.push(["extra_body", extras]);
  const key = withKey ? `os.environ["${KEY}"]` : '"unused"';
  return `${withKey ? "import os\n\n" : ""}from typesafe_sdk import ${[...names.sort(), "TypeSafeClient"].join(", ")}

with TypeSafeClient(api_key=${key}, base_url=${JSON.stringify(base)}) as client:
    answered = client.system_one(
${args.map(([name, value]) => `        ${name}=${python(value, "        ", name.length + 1)},`).join("\n")}
    )
for name, answer in answered.answers.items():
    print(name, answer)
`;
}

const MAKERS = { curl, sdk, requests };

// The code of one kind for a body that goes to the server at `base`, an address without a slash at the end.
export const codeFor = (kind, body, base, withKey) => MAKERS[kind](body, base, withKey);

