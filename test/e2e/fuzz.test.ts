/** A short run of `npm run fuzz`, and proof that its checks find what they look for. */
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { AnswerChecker } from "../fuzz/check-answer.ts";
import { fuzz, requestsOf } from "../fuzz/fuzz.ts";
import { LogCheck } from "../fuzz/log-check.ts";
import type { FuzzRequest } from "../fuzz/request.ts";
import { type FuzzedService, startService } from "../fuzz/service.ts";

const SEED = 2;
/** Every status, and targets replaced once. */
const CASES = 1_500;
/** Many times what it takes. */
const TIMEOUT_MS = 600_000;

let service: FuzzedService;
beforeAll(async () => {
  service = await startService();
}, TIMEOUT_MS);
afterAll(() => service[Symbol.asyncDispose]());

const texts = (seed: number) => JSON.stringify(fc.sample(requestsOf(service), { seed, numRuns: 20 }));

describe("fuzzing", () => {
  it(
    "§8 finds only documented answers, no lost message, and a healthy service afterwards",
    async () => {
      const { outcomes, failures, problems } = await fuzz(service, { seed: SEED, cases: CASES });
      expect(failures).toEqual([]);
      expect(problems).toEqual([]);
      for (const status of [200, 400, 401, 403, 404, 405, 413, 415, 429]) {
        expect(Object.keys(outcomes)).toContain(String(status));
      }
    },
    TIMEOUT_MS,
  );

  it("generates the same requests from the same seed, and others from another", () => {
    expect(texts(SEED) === texts(SEED)).toBe(true);
    expect(texts(SEED) === texts(SEED + 1)).toBe(false);
  });
});

const error = (code: string, message = "No.") => ({
  ok: false,
  code,
  message,
  error: { code, message, requestId: "r1" },
});

describe("the checks of an answer", () => {
  const SECRET = "secret";
  const LONG = "zqcanary0123456789ab".repeat(5);
  const STORED = {
    ok: true,
    deduped: false,
    source: "cdp",
    account: null,
    user: null,
    stored: 1,
    duplicates: 0,
    rejected: [],
    redacted: [],
  };

  function problemsOf(
    body: unknown,
    { status = 200, path = "/v1/batch", headers = {} }: { status?: number; path?: string; headers?: object } = {},
  ): string {
    const sent = Buffer.from(JSON.stringify([{ type: "track", userId: "u1", event: "x" }]));
    const request: FuzzRequest = {
      method: "POST",
      target: path,
      headers: [],
      body: sent,
      chunked: false,
      hangUpAfter: null,
    };
    const answer = {
      status,
      headers: new Map<string, string>(Object.entries({ "x-request-id": "r1", ...headers })),
      body: typeof body === "string" ? body : JSON.stringify(body),
    };
    return new AnswerChecker(service.description).problems(request, answer, [SECRET]).join("; ");
  }

  it("accept a correct answer, and 64 characters of the sender's", () => {
    expect(problemsOf(STORED)).toBe("");
    expect(problemsOf(error("invalid_request", LONG.slice(0, 64)), { status: 400 })).toBe("");
  });

  it.each<[what: string, problem: string, answer: unknown, options?: Parameters<typeof problemsOf>[1]]>([
    ["a 500", "status 500", error("internal"), { status: 500 }],
    ["an undescribed status", "not described", error("not_found"), { status: 404 }],
    ["a code of another status", "must be equal", error("rate_limited"), { status: 400 }],
    ["an unknown field", "additional", { ...STORED, more: 1 }],
    ["a missing field", "required", { ...STORED, source: undefined }],
    ["an uncounted message", "accounts for 0", { ...STORED, stored: 0 }],
    ["a body that is not JSON", "not JSON", "{"],
    ["429 without its headers", "without Retry-After", error("rate_limited"), { status: 429 }],
    ["another request id", "request id", error("invalid_request"), { status: 400, headers: { "x-request-id": "r2" } }],
    [
      "65 characters of the sender's in an error",
      "repeats",
      error("invalid_request", LONG.slice(0, 65)),
      { status: 400 },
    ],
    ["65 characters of the sender's in a header", "repeats", STORED, { headers: { "x-echo": LONG.slice(0, 65) } }],
    ["a secret", "secret", error("invalid_request", SECRET), { status: 400 }],
    ["an exception", "internals", error("invalid_request", "D1_ERROR: near x"), { status: 400 }],
    ["valid JSON called invalid", "called invalid", error("invalid_json"), { status: 400 }],
    ["an unversioned path without Link", "without Link", STORED, { path: "/api/cdp" }],
    ["success on an unknown path", "no operation", STORED, { path: "/nothing" }],
  ])("find %s", (_what, problem, answer, options) => {
    expect(problemsOf(answer, options)).toContain(problem);
  });

  it("find a log line that repeats what was sent, or holds a key", () => {
    const log = new LogCheck();
    log.secrets = ["an admin token"];
    for (const line of ["fine", `with ${LONG}`, `bik_${"0".repeat(30)}`, "an admin token"]) log.read(line);
    expect([log.lines, log.problems.length]).toEqual([4, 3]);
  });
});
