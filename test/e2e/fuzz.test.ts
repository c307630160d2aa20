/** A short run of `npm run fuzz`, and whether it would see what it looks for. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type FuzzCase, makeCase } from "../fuzz/case.ts";
import { fuzz } from "../fuzz/fuzz.ts";
import { judge } from "../fuzz/judge/judge.ts";
import { LogWatch } from "../fuzz/log-watch.ts";
import { caseText } from "../fuzz/print.ts";
import type { Outcome } from "../fuzz/send/answer.ts";
import { ownTarget, type Target } from "../fuzz/target.ts";

const SEED = 20_261_122;
const CASES = 3_000;
/** Many times what it takes. */
const HUNG_AFTER_MS = 180_000;

let target: Target;
beforeAll(async () => {
  target = await ownTarget();
});
afterAll(() => target[Symbol.asyncDispose]());

const texts = (seed: number): string[] =>
  Array.from({ length: 200 }, (_, number) => JSON.stringify(makeCase(seed, number, target.bindings)));

describe("A service under fuzz", () => {
  it(
    "§8 answers whatever is sent as documented, loses no message, and is well afterwards",
    async () => {
      const report = await fuzz(target, { seed: SEED, from: 0, cases: CASES });

      expect(report.failures.map((one) => caseText(one.case, one.outcome, one.problems))).toEqual([]);
      expect(report.problems).toEqual([]);
      const reached = Object.keys(report.tally.toJSON()["all"] ?? {});
      for (const status of [200, 400, 401, 403, 404, 405, 413, 415, 429]) expect(reached).toContain(String(status));
    },
    HUNG_AFTER_MS,
  );

  it("makes the same case of the same seed and number, and another one of others", () => {
    expect(texts(SEED)).toEqual(texts(SEED));
    expect(new Set([...texts(SEED), ...texts(SEED + 1)]).size).toBe(400);
  });
});

const LONG = "zqcanary0123456789ab".repeat(5);
const STORED = {
  ok: true,
  deduped: false,
  source: "cdp",
  account: null,
  user: null,
  duplicates: 0,
  rejected: [],
  redacted: [],
};
const MESSAGE = { type: "track", userId: "u1", event: "x", properties: { x: LONG } };

interface Told {
  status?: number;
  headers?: Record<string, string>;
  path?: string;
}

/** What is said of an answer to a batch of one message. */
function wrongWith(body: unknown, { status = 200, headers = {}, path = "/v1/batch" }: Told = {}): string {
  const one: FuzzCase = {
    number: 0,
    mutators: [],
    workspace: { id: "", key: "bik_of_nobody", tight: false },
    request: { method: "POST", target: path, headers: [], body: Buffer.from(JSON.stringify([MESSAGE])), wire: null },
    canaries: [LONG],
  };
  const all = { "content-type": "application/json", "x-request-id": "r1", ...headers };
  const fields = new Map(Object.entries(all).map(([name, value]) => [name, [value]]));
  const answer = { status, headers: fields, body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)) };
  const outcome: Outcome = { kind: "answered", answers: [answer], ms: 1 };
  return judge(one, outcome, ["bik_of_nobody"]).problems.join("; ");
}

const refusal = (code: string, message = "No.", more = {}) => ({
  ok: false,
  error: { code, message, requestId: "r1", ...more },
});

describe("The judge", () => {
  it("has nothing to say of a right answer", () => {
    expect(wrongWith({ ...STORED, stored: 1 })).toBe("");
    expect(wrongWith(refusal("invalid_request"), { status: 400 })).toBe("");
  });

  it.each<[what: string, problem: string, answer: unknown, told?: Told]>([
    ["a 500", "500", refusal("internal"), { status: 500 }],
    ["a 503", "503", refusal("unavailable"), { status: 503 }],
    ["a status that is not documented", "not documented", refusal("not_found"), { status: 404 }],
    ["a code under another status", "with status 400", refusal("rate_limited"), { status: 400 }],
    ["a field too many", "documented", { ...STORED, stored: 1, more: 1 }],
    ["a field too few", "documented", STORED],
    ["a message too few", "tells of 0", { ...STORED, stored: 0 }],
    ["text that is no JSON", "not JSON", "{"],
    ["another type", "application/json", { ...STORED, stored: 1 }, { headers: { "content-type": "text/html" } }],
    ["429 without its headers", "without retry-after", refusal("rate_limited"), { status: 429 }],
    [
      "another request id",
      "request id",
      refusal("invalid_request"),
      { status: 400, headers: { "x-request-id": "r2" } },
    ],
    ["an echo in a message", "echoes", refusal("invalid_request", LONG), { status: 400 }],
    ["an echo in a header", "echoes", { ...STORED, stored: 1 }, { headers: { "x-echo": LONG.slice(0, 65) } }],
    ["a key", "secret", refusal("invalid_request", "bik_of_nobody"), { status: 400 }],
    ["an exception", "inside", refusal("invalid_request", "D1_ERROR: near x"), { status: 400 }],
    ["JSON taken for none", "for none", refusal("invalid_json"), { status: 400 }],
    ["an unversioned path without a link", "Link", { ...STORED, stored: 1 }, { path: "/api/cdp" }],
    ["a success where there is no path", "no operation", { ...STORED, stored: 1 }, { path: "/nothing" }],
  ])("sees %s", (_what, problem, answer, told) => {
    expect(wrongWith(answer, told)).toContain(problem);
  });

  it("lets 64 characters of the sender's pass", () => {
    expect(wrongWith(refusal("invalid_request", LONG.slice(0, 64)), { status: 400 })).toBe("");
  });

  it("sees a line of the log that tells what was sent, or a key", () => {
    const log = new LogWatch();
    log.watchFor(["an admin token"]);
    for (const line of ["fine", `with ${LONG}`, `bik_${"0".repeat(30)}`, "an admin token"]) log.read(line);
    expect([log.lines, log.telling.length]).toEqual([4, 3]);
  });
});
