/** Answers read from the bytes of a connection. Only as much of HTTP as a server here speaks. */
import type { Answer } from "./answer.ts";

const CRLF = "\r\n";
const NO_BODY: ReadonlySet<number> = new Set([204, 304]);

/**
 * @param method of the requests: answers to HEAD have no body
 * @returns the answers, without those that only ask to go on, and whether the last one is whole
 */
export function parseAnswers(bytes: Buffer, method: string): { answers: Answer[]; whole: boolean } {
  const answers: Answer[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf(CRLF + CRLF);
    if (end < 0) return { answers, whole: false };
    const [first = "", ...lines] = rest.subarray(0, end).toString("latin1").split(CRLF);
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1]);
    if (!Number.isInteger(status)) return { answers, whole: false };
    const headers = readHeaders(lines);
    rest = rest.subarray(end + 4);
    if (status < 200) continue;
    const bare = method === "HEAD" || NO_BODY.has(status);
    const read = bare ? { body: Buffer.alloc(0), length: 0 } : readBody(rest, headers);
    if (read === null) return { answers, whole: false };
    answers.push({ status, headers, body: read.body });
    rest = rest.subarray(read.length);
  }
  return { answers, whole: true };
}

function readHeaders(lines: readonly string[]): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()]);
  }
  return headers;
}

function readBody(bytes: Buffer, headers: ReadonlyMap<string, string[]>): { body: Buffer; length: number } | null {
  if (headers.get("transfer-encoding")?.includes("chunked") === true) return readChunks(bytes);
  const told = headers.get("content-length")?.[0];
  const length = told === undefined ? bytes.length : Number(told);
  return bytes.length < length ? null : { body: bytes.subarray(0, length), length };
}

function readChunks(bytes: Buffer): { body: Buffer; length: number } | null {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const end = bytes.indexOf(CRLF, at);
    if (end < 0) return null;
    const size = Number.parseInt(bytes.subarray(at, end).toString("latin1"), 16);
    const from = end + 2;
    if (bytes.length < from + size + 2) return null;
    at = from + size + 2;
    if (size === 0) return { body: Buffer.concat(parts), length: at };
    parts.push(bytes.subarray(from, from + size));
  }
}
