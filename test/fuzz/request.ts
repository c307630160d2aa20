/** A request of the fuzzer, and the JSON body that mutations change before it is written. */

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** A correct request, as a client library, a webhook or a person sends it. */
export interface Seed {
  method: string;
  /** Path and query. */
  target: string;
  headers: Record<string, string>;
  /** `null`: no body. */
  body: Json;
  gzip?: boolean;
}

/** A request as it is sent. */
export interface FuzzRequest {
  method: string;
  target: string;
  headers: [name: string, value: string][];
  body: Buffer | null;
  /** Sends the body in chunks, without `Content-Length`. */
  chunked: boolean;
  /** Breaks the connection after this many bytes of the body. */
  hangUpAfter: number | null;
}

export interface Answer {
  status: number;
  /** By lower-case name. */
  headers: ReadonlyMap<string, string>;
  body: string;
}

const MAX_PRINTED_BYTES = 2_000;

/** Shows a request for a person. Prints control characters as numbers, so that nothing reaches the terminal. */
export function printRequest({ method, target, headers, body, chunked, hangUpAfter }: FuzzRequest): string {
  const fields = headers.map(([name, value]) => `${name}: ${value}`);
  const notes = [chunked ? "(chunked)" : "", hangUpAfter === null ? "" : `(hangs up after ${hangUpAfter} bytes)`];
  return printable(
    [`${method} ${target}`, ...fields, ...notes.filter((note) => note !== ""), "", body?.toString("latin1") ?? ""].join(
      "\n",
    ),
  );
}

export const printAnswer = ({ status, headers, body }: Answer): string =>
  printable([status, ...[...headers].map(([name, value]) => `${name}: ${value}`), "", body].join("\n"));

function printable(text: string): string {
  const safe = text
    .slice(0, MAX_PRINTED_BYTES)
    .replaceAll(/[^\n\x20-\x7e]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return text.length > MAX_PRINTED_BYTES ? `${safe}… (${text.length} bytes)` : safe;
}
