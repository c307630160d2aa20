/** A request as it goes over the wire, before and after what is done to it. */

/** What a client library, a person or a test would send. */
export interface Seed {
  method: string;
  /** Path and query, as they stand in the request line. */
  target: string;
  headers: Header[];
  /** JSON, or `null` for a request without a body. */
  json: string | null;
  /** Whether the sender gzips it. */
  gzipped?: boolean;
}

export type Header = [name: string, value: string];

/** Texts are written in Latin-1: a character is a byte. */
export interface FuzzRequest {
  method: string;
  target: string;
  headers: Header[];
  body: Buffer | null;
  /** The bytes of the whole request, in as many writes, where it is none that a client would make of the above. */
  wire: Buffer[] | null;
}

const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;
const FIELD_TEXT = /^[\t\x20-\x7e\x80-\xff]*$/;
const PLAIN_TARGET = /^\/[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/;
const PLAIN_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** The client's own business. */
const FRAMING = /^(?:host|connection|keep-alive|content-length|transfer-encoding|expect|upgrade|te|trailer)$/i;

/** Whether a client would refuse to send it. */
export function isOdd({ method, target, headers, wire }: FuzzRequest): boolean {
  return (
    wire !== null ||
    !PLAIN_METHODS.has(method) ||
    !PLAIN_TARGET.test(target) ||
    headers.some(([name, value]) => FRAMING.test(name) || !TOKEN.test(name) || !FIELD_TEXT.test(value))
  );
}

/** The head of the request, with the empty line behind it. */
export function headOf({ method, target, headers }: FuzzRequest, framing: readonly Header[]): Buffer {
  const own = new Set(headers.map(([name]) => name.toLowerCase()));
  const all = [...framing.filter(([name]) => !own.has(name.toLowerCase())), ...headers];
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1");
}

/** All of it as one write, framed as a client would. */
export function toWire(request: FuzzRequest): Buffer[] {
  if (request.wire !== null) return request.wire;
  const { body } = request;
  const framing: Header[] = [["Host", "127.0.0.1"]];
  if (body !== null) framing.push(["Content-Length", String(body.byteLength)]);
  return [Buffer.concat([headOf(request, framing), body ?? Buffer.alloc(0)])];
}
