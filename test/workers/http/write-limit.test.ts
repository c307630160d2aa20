/** Section 7 over HTTP: statuses and headers. The core tests show what the window admits. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { batch, capture, track, tracks } from "../support/messages.ts";
import { type Answer, refusal } from "../support/send.ts";
import { admin, newWorkspace } from "../support/workspace.ts";

const CDP = "/api/v1/cdp";
const NATIVE = "/api/v1/events";
/** In the future, so that no alarm of a limiter becomes due. */
const T0 = Date.UTC(2100, 0, 1);
const at = (ms: number) => vi.setSystemTime(T0 + ms);

beforeEach(() => {
  at(0);
});
afterEach(() => {
  vi.useRealTimers();
});

const limitOf = ({ headers }: Answer) => headers.get("RateLimit");

function expectRefused(answer: Answer, waitSeconds: number): void {
  expect(answer).toMatchObject(refusal(429, "rate_limited"));
  expect(answer.headers.get("Retry-After")).toBe(String(waitSeconds));
  expect(answer.headers.get("X-RateLimit-Reset")).toBe(String(waitSeconds));
  expect(answer.headers.get("RateLimit-Policy")).toMatch(/^"writes";q=\d+;w=10$/);
  expect(limitOf(answer)).toMatch(/^"writes";r=\d+;t=\d+$/);
}

describe("§7 the write limit", () => {
  it("§7 admits 100 messages in 10 s, and refuses the 101st with 429 without storing it", async () => {
    const { get, post } = await newWorkspace();
    expect((await post(CDP, batch(tracks(99)))).status).toBe(200);
    expect((await post(NATIVE, capture())).status).toBe(200);
    expectRefused(await post(NATIVE, capture({ event: "too.many" })), 10);
    expectRefused(await post(CDP, track({ event: "too many" })), 10);
    const names = (await get(`${NATIVE}?limit=200`)).body.events?.map(({ name }) => name);
    expect([names?.length, names?.includes("too.many")]).toEqual([100, false]);
  });

  it("§7 admits a refused request after Retry-After, and not a second earlier", async () => {
    const { post } = await newWorkspace();
    await post(CDP, batch(tracks(80, "a")));
    at(3_500);
    await post(CDP, batch(tracks(20, "b")));
    at(4_200);
    expectRefused(await post(CDP, batch(tracks(81, "c"))), 10);
    expectRefused(await post(CDP, batch(tracks(80, "c"))), 6);
    at(4_200 + 5_000);
    expect((await post(CDP, batch(tracks(80, "c")))).status).toBe(429);
    at(4_200 + 6_000);
    expect((await post(CDP, batch(tracks(80, "c")))).status).toBe(200);
  });

  it("§7 shares one window between all ingest paths and all keys of a workspace", async () => {
    const { newKey, post } = await newWorkspace({ writeLimit: 6 });
    const other = await newKey(["ingest"]);
    const left: (string | null)[] = [];
    for (const path of [NATIVE, "/api/events"]) left.push(limitOf(await post(path, capture())));
    for (const path of [CDP, "/api/cdp", "/v1/track"]) left.push(limitOf(await other.post(path, track())));
    left.push(limitOf(await post("/v1/b", batch([track()]))));
    expect(left).toEqual([5, 4, 3, 2, 1, 0].map((places) => `"writes";r=${places};t=10`));
    for (const path of [NATIVE, "/api/events"]) expectRefused(await other.post(path, capture()), 10);
    for (const path of [CDP, "/api/cdp", "/v1/track", "/v1/batch"]) expectRefused(await post(path, track()), 10);
  });
});

describe("§7 a large batch", () => {
  it("§7 of 1,000 messages is admitted at once, and uses the window of 100 s", async () => {
    const { post } = await newWorkspace();
    const answer = await post(CDP, batch(tracks(1_000)));
    expect(answer).toMatchObject({ status: 200, body: { stored: 1_000 } });
    expect(limitOf(answer)).toBe('"writes";r=0;t=100');
    expectRefused(await post(NATIVE, capture()), 100);
    at(99_999);
    expectRefused(await post(NATIVE, capture()), 1);
    at(100_000);
    expect((await post(CDP, batch(tracks(100, "b")))).status).toBe(200);
  });
});

describe("§7 the headers", () => {
  it("§7 RateLimit and RateLimit-Policy are on each response after a call of the limiter", async () => {
    const { post } = await newWorkspace({ writeLimit: 5 });
    const answers = [
      await post(NATIVE, capture(), { headers: { "Idempotency-Key": "k" } }),
      await post(NATIVE, capture(), { headers: { "Idempotency-Key": "k" } }),
      await post(NATIVE, capture({ event: "No" })),
      await post(CDP, track({ event: null })),
      await post(CDP, "5"),
      await post(CDP, track()),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 400, 400, 429]);
    expect(answers.map(limitOf)).toEqual([4, 3, 2, 1, 0, 0].map((left) => `"writes";r=${left};t=10`));
    for (const { headers } of answers) expect(headers.get("RateLimit-Policy")).toBe('"writes";q=5;w=10');
  });

  it("§7 RateLimit has the seconds until the whole limit is free, rounded up", async () => {
    const { post } = await newWorkspace();
    expect(limitOf(await post(NATIVE, capture()))).toBe('"writes";r=99;t=10');
    at(100);
    expect(limitOf(await post(CDP, batch(tracks(9))))).toBe('"writes";r=90;t=10');
    at(10_050);
    expect(limitOf(await post(NATIVE, capture()))).toBe('"writes";r=90;t=10');
  });

  it("§7 are not on reads, which are not limited", async () => {
    const { get, post } = await newWorkspace({ writeLimit: 1 });
    await post(NATIVE, capture());
    const { status, headers } = await get(NATIVE);
    expect([status, headers.get("RateLimit"), headers.get("RateLimit-Policy")]).toEqual([200, null, null]);
  });
});

describe("§7 the limit of a workspace", () => {
  it("§7 §9 applies to the next write after PATCH raises or lowers it", async () => {
    const { id, post } = await newWorkspace({ writeLimit: 2 });
    await post(CDP, batch(tracks(2)));
    expectRefused(await post(NATIVE, capture()), 10);
    await admin("PATCH", `/workspaces/${id}`, { writeLimit: 4 });
    const raised = await post(NATIVE, capture());
    expect([raised.status, limitOf(raised), raised.headers.get("RateLimit-Policy")]).toEqual([
      200,
      '"writes";r=1;t=10',
      '"writes";q=4;w=10',
    ]);
    await admin("PATCH", `/workspaces/${id}`, { writeLimit: 3 });
    const lowered = await post(NATIVE, capture());
    expectRefused(lowered, 10);
    expect(lowered.headers.get("RateLimit-Policy")).toBe('"writes";q=3;w=10');
  });
});
