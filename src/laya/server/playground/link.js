// Links that carry a request in the fragment, which browsers never send to a server.

import { JsonError, compact, parse } from "./json.js";

const PREFIX = "#r=";
const LARGEST = 4 * 1024 * 1024;

// What is in a link cannot be read.
export class LinkError extends Error {}

async function bytesOf(stream) {
  const chunks = [];
  let size = 0;
  for (const reader = stream.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer());
    size += value.length;
    if (size > LARGEST) {
      await reader.cancel();
      throw new LinkError("what it carries is too large");
    }
    chunks.push(value);
  }
}

const through = (bytes, transform) => bytesOf(new Blob([bytes]).stream().pipeThrough(transform));

// The fragment for a body.
export async function fragmentOf(body) {
  const packed = await through(new TextEncoder().encode(compact(body)), new CompressionStream("deflate-raw"));
  const letters = Array.from(packed, (byte) => String.fromCharCode(byte)).join("");
  return PREFIX + btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// The body in a fragment, or null where there is none; throws a LinkError if it cannot be read.
export async function bodyIn(fragment) {
  if (!fragment.startsWith(PREFIX)) return null;
  try {
    const letters = atob(fragment.slice(PREFIX.length).replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const bytes = await through(packed, new DecompressionStream("deflate-raw"));
    const body = parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (body instanceof Map && body.get("questions") instanceof Map && body.has("state")) return body;
  } catch (error) {
    if (error instanceof LinkError) throw error;
    if (!(error instanceof JsonError || error instanceof DOMException || error instanceof TypeError)) throw error;
  }
  throw new LinkError("it is damaged or was cut off");
}
