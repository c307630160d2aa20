/** Holds an outcome against docs/wire.md, and says what is wrong with it. */
import { typedKeys } from "../../../src/core/typed-keys.ts";
import { STATUS } from "../../../src/edge/error-codes.ts";
import { errorBody, HEADERS } from "../../../src/http/openapi/answers/errors.ts";
import { ingested } from "../../../src/http/openapi/answers/ingest.ts";
import type { FuzzCase } from "../case.ts";
import { isOdd } from "../request.ts";
import type { Answer, Outcome } from "../send/answer.ts";
import { echoIn, internalsIn } from "./echoes.ts";
import { type Expected, expectedOf } from "./expected.ts";
import { messagesIn, readSent } from "./sent-messages.ts";

export interface Verdict {
  /** How it is counted: the status, or why there is none. */
  label: string;
  problems: string[];
}

/** What workerd itself says to bytes that are no request, before the Worker is called. */
const OF_THE_RUNTIME: ReadonlySet<number> = new Set([400, 431, 501]);
const LARGEST_BODY_BYTES = 524_288;
const NO_CONTENT = 204;
const FAULT = 500;

export function judge(one: FuzzCase, outcome: Outcome, secrets: readonly string[]): Verdict {
  const odd = isOdd(one.request);
  switch (outcome.kind) {
    case "hung":
      return { label: "hung", problems: ["no answer came"] };
    case "closed":
      // While a client still sends what nobody reads, its answer may get lost.
      return {
        label: "closed",
        problems: odd || isTooLarge(one) ? [] : [`the connection ended without an answer: ${outcome.problem}`],
      };
    case "answered": {
      const [first] = outcome.answers;
      const label = first === undefined || isOfRuntime(first) ? `runtime ${first?.status ?? ""}` : String(first.status);
      return { label, problems: outcome.answers.flatMap((answer) => problemsOf(one, answer, odd, secrets)) };
    }
  }
}

const isTooLarge = ({ request: { body } }: FuzzCase): boolean => (body?.length ?? 0) > LARGEST_BODY_BYTES;

/** The Worker names each of its answers. */
const isOfRuntime = ({ headers }: Answer): boolean => !headers.has("x-request-id");

function problemsOf(one: FuzzCase, answer: Answer, odd: boolean, secrets: readonly string[]): string[] {
  const { request } = one;
  const { status, headers } = answer;
  if (isOfRuntime(answer)) {
    // CONNECT is not for Workers.
    const allowed = odd && (OF_THE_RUNTIME.has(status) || (status === FAULT && request.method === "CONNECT"));
    return allowed ? [] : [`${status} without X-Request-Id`];
  }
  if (status >= FAULT) return [`${status}, and nothing fails here`];
  const expected = expectedOf(request);
  if (status === NO_CONTENT) return expected.preflight ? [] : ["204 to what is no preflight"];
  const problems = [...headerProblems(request.target, answer, expected)];
  if (request.method === "HEAD") return problems;
  const body = parse(answer.body);
  if (body === undefined) return [...problems, "the body is not JSON"];
  problems.push(
    ...(status < 400 ? successProblems(one, status, body, expected) : errorProblems(one, answer, body, expected)),
  );
  const allHeaders = [...headers].flat(2).join("\n");
  const echo = echoIn(body, allHeaders, one.canaries, expected.operations);
  if (echo !== null) problems.push(`echoes ${echo}`);
  const text = answer.body.toString();
  // A key may have been put among the properties, and comes back as one of them.
  const kept = status < 400 ? secrets : [...secrets, one.workspace.key];
  if (kept.some((secret) => text.includes(secret) || allHeaders.includes(secret))) problems.push("tells a secret");
  return problems;
}

function headerProblems(target: string, { status, headers }: Answer, { certain }: Expected): string[] {
  const problems: string[] = [];
  if (headers.get("content-type")?.[0]?.startsWith("application/json") !== true)
    problems.push("is not application/json");
  const wanted = (HEADERS[status] ?? []).map((name) => name.toLowerCase());
  for (const name of wanted) if (!headers.has(name)) problems.push(`${status} without ${name}`);
  if (certain && /^\/api\/(?:events|cdp|ask|identity)$/.test(target) && !headers.has("link"))
    problems.push("without Link");
  return problems;
}

function successProblems({ request }: FuzzCase, status: number, body: unknown, { operations }: Expected): string[] {
  const own = operations.filter((operation) => operation.status === status);
  if (own.length === 0) return [`${status} to what no operation answers so`];
  if (!own.some((operation) => operation.body.safeParse(body).success)) {
    return [`is not what is documented: ${own[0]?.body.safeParse(body).error?.message ?? ""}`];
  }
  const batch = operations.length === 1 && operations[0]?.body === ingested ? ingested.safeParse(body) : undefined;
  if (batch?.success !== true) return [];
  const sent = readSent(request);
  const { stored, duplicates, rejected } = batch.data;
  const told = stored + duplicates + rejected.length;
  if (sent.kind === "no json") return ["takes what is no JSON"];
  return sent.kind === "json" && messagesIn(sent.value) !== told
    ? [`tells of ${told} messages, not of ${messagesIn(sent.value)}`]
    : [];
}

function errorProblems({ request }: FuzzCase, answer: Answer, body: unknown, expected: Expected): string[] {
  const { status, headers } = answer;
  const parsed = errorBody.safeParse(body);
  if (!parsed.success) return [`is no documented error: ${parsed.error.message}`];
  const { code, message, requestId, issues = [] } = parsed.data.error;
  const problems: string[] = [];
  const codes: readonly string[] = typedKeys(STATUS).filter((one) => STATUS[one] === status);
  if (!codes.includes(code)) problems.push(`${code} with status ${status}`);
  const allowed: ReadonlySet<string> = expected.errors;
  if (!allowed.has(code)) problems.push(`${code} is not documented here`);
  if (requestId !== headers.get("x-request-id")?.[0]) problems.push("the request id of the body is another one");
  const internals = internalsIn([message, ...issues.map((issue) => issue.message)].join("\n"));
  if (internals !== null) problems.push(`tells of its inside: ${internals}`);
  const sent = code === "invalid_json" && expected.operations.length === 1 ? readSent(request) : null;
  if (sent?.kind === "json" && !sent.gzipped) problems.push("takes JSON for none");
  return problems;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}
