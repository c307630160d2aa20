/**
 * Checks an answer against the API's own description and against rules that no schema can express: no fault, nothing
 * secret, nothing long of the sender's in an error, and every message of a batch accounted for.
 */
import { gunzipSync } from "node:zlib";

import * as z from "zod";

import { type Description, type DescribedOperation, Judge, operationsOf } from "../e2e/openapi/description.ts";
import { CANARY_MARK } from "./hostile-values.ts";
import type { Answer, FuzzRequest } from "./request.ts";

export const MAX_BODY_BYTES = 524_288;
/** An error may repeat 64 characters of the sender's. */
const REPEATED = new RegExp(`(?=[0-9a-z]{65})[0-9a-z]*${CANARY_MARK}`);
const INTERNALS =
  /SQLITE|D1_ERROR|no such (?:table|column)|constraint failed|\n\s+at |\.[jt]s:\d|node_modules|file:\/\/|(?:Type|Range|Syntax|Zod)Error|Unexpected token/;
/** A path that every reader splits and decodes alike. */
const PLAIN_PATH = /^(?:\/[\w~:-][\w~:.-]*)+$/;
/** The runtime itself refuses other characters. */
const VALID_TARGET = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/;
/** A successful answer has these only where the limiter was asked. */
const LIMIT_HEADERS = new Set(["RateLimit", "RateLimit-Policy"]);
const ERROR = { $ref: "#/components/schemas/Error" };

const Batch = z.object({ stored: z.number(), duplicates: z.number(), rejected: z.array(z.unknown()) });
const Failure = z.object({ error: z.object({ code: z.string(), requestId: z.string() }) });

export class AnswerChecker {
  readonly #schemas: Judge;
  readonly #operations: DescribedOperation[];

  constructor(description: Description) {
    this.#schemas = new Judge(description);
    this.#operations = operationsOf(description);
  }

  /**
   * @param secrets that must not occur in this answer
   * @returns what is wrong with the answer
   */
  problems(request: FuzzRequest, answer: Answer, secrets: readonly string[]): string[] {
    const { status, headers, body } = answer;
    const refusal = request.method === "HEAD" ? "" : "invalid URI";
    if (status === 400 && !VALID_TARGET.test(request.target) && body === refusal) return [];
    if (status >= 500) return [`status ${status}`];
    const allHeaders = [...headers].join("\n");
    const problems = [
      ...(headers.has("x-request-id") ? [] : ["no X-Request-Id"]),
      ...(secrets.some((secret) => `${allHeaders}\n${body}`.includes(secret)) ? ["reveals a secret"] : []),
      ...(REPEATED.test(allHeaders) || (status >= 400 && REPEATED.test(body)) ? ["repeats what was sent"] : []),
      ...(status >= 400 && INTERNALS.test(body) ? [`reveals internals: ${INTERNALS.exec(body)?.[0]}`] : []),
    ];
    if (status === 204 && request.method !== "OPTIONS") problems.push("204 without a preflight");
    if (request.method === "HEAD" || status === 204) return [...problems, ...(body === "" ? [] : ["has a body"])];
    const value = parse(body);
    if (value === undefined) return [...problems, "the body is not JSON"];
    if (status >= 400) problems.push(...this.#schemas.problems(ERROR, value), ...requestIdProblems(headers, value));
    return [
      ...problems,
      ...this.#describedProblems(request, answer, value),
      ...contentProblems(request, status, value),
    ];
  }

  /** Finds what the operation of the request does not describe. */
  #describedProblems({ method, target }: FuzzRequest, { status, headers }: Answer, value: unknown): string[] {
    const [path = ""] = target.split("?");
    if (!PLAIN_PATH.test(path)) return [];
    const here = this.#operations.filter((operation) => matches(operation.path, path));
    const operation = here.find((one) => one.method === method);
    if (operation === undefined) {
      const wanted = [here.length > 0 ? 405 : 404, ...(path.startsWith("/admin/") ? [401] : [])];
      return wanted.includes(status) ? [] : [`status ${status} where there is no operation`];
    }
    const described = this.#schemas.response(operation, status);
    if (described === undefined) return [`status ${status} is not described for ${operation.operationId}`];
    const missing = Object.keys(described.headers).filter(
      (name) => !headers.has(name.toLowerCase()) && !(status < 400 && LIMIT_HEADERS.has(name)),
    );
    const schema = described.content?.["application/json"]?.schema;
    return [
      ...missing.map((name) => `${status} without ${name}`),
      ...(schema === undefined ? [] : this.#schemas.problems(schema, value)),
    ];
  }
}

function matches(pattern: string, path: string): boolean {
  const [wanted, found] = [pattern.split("/"), path.split("/")];
  return wanted.length === found.length && wanted.every((part, place) => part.startsWith("{") || part === found[place]);
}

function requestIdProblems(headers: ReadonlyMap<string, string>, value: unknown): string[] {
  const { error } = Failure.safeParse(value).data ?? {};
  return error?.requestId === headers.get("x-request-id") ? [] : ["the body has another request id than the header"];
}

/** Reads the body of the request apart from the service, where there is only one way to read it. */
function contentProblems(request: FuzzRequest, status: number, value: unknown): string[] {
  const sent = readBody(request);
  if (sent === null) return [];
  const code = Failure.safeParse(value).data?.error.code;
  const batch = Batch.safeParse(value).data;
  if (code === "invalid_json" && sent.json !== undefined && !sent.gzip) return ["valid JSON is called invalid"];
  if (status !== 200 || batch === undefined) return [];
  if (sent.json === undefined) return ["invalid JSON is accepted"];
  const answered = batch.stored + batch.duplicates + batch.rejected.length;
  const messages = countMessages(sent.json);
  return answered === messages ? [] : [`the answer accounts for ${answered} messages of ${messages}`];
}

/** @returns `null` for a body that may be read in several ways, and `json: undefined` for invalid JSON */
function readBody({ headers, body }: FuzzRequest): { json: unknown; gzip: boolean } | null {
  const encodings = headers.filter(([name]) => /^content-encoding$/i.test(name)).map(([, value]) => value);
  const [encoding = "identity"] = encodings;
  if (body === null || body.length > MAX_BODY_BYTES || !["identity", "gzip"].includes(encoding)) return null;
  // Gzip may hold more than the service reads: a second member, or bytes after the end.
  const gzip = encoding === "gzip";
  try {
    const plain = gzip ? gunzipSync(body, { maxOutputLength: MAX_BODY_BYTES }) : body;
    const json = parse(new TextDecoder("utf-8", { fatal: true }).decode(plain));
    return gzip && json === undefined ? null : { json, gzip };
  } catch {
    return gzip ? null : { json: undefined, gzip };
  }
}

function countMessages(json: unknown): number {
  if (Array.isArray(json)) return json.length;
  const wrapped = z.object({ batch: z.array(z.unknown()) }).safeParse(json);
  return wrapped.data?.batch.length ?? 1;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
