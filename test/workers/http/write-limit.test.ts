/** Section 7 over HTTP: what the write limit admits and refuses, and what it tells. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { batch, capture, track, tracks } from "../support/messages.ts";
import type { Answer } from "../support/send.ts";
import { admin, newWorkspace } from "../support/workspace.ts";

const CDP = "/api/v1/cdp";
const NATIVE = "/api/v1/events";
/** Ahead of the real clock, so that no alarm of an object is due by itself. */
const T0 = Date.UTC(2100, 0, 1);
const at = (ms: number) => vi.setSystemTime(T0 + ms);

beforeEach(() => {
  at(0);
});
afterEach(() => {
  vi.useRealTimers();
});

const limitOf = ({ headers }: Answer) => headers.get("RateLimit");
const REFUSED = { status: 429, body: { ok: false, error: { code: "rate_limited" } } };

/** What a 429 has to carry. */
function expectRefused(answer: Answer, waitSeconds: number): void {
  expect(answer).toMatchObject(REFUSED);
  expect(answer.headers.get("Retry-After")).toBe(String(waitSeconds));
  expect(answer.headers.get("X-RateLimit-Reset")).toMatch(/^[1-9]\d*$/);
  expect(answer.headers.get("RateLimit-Policy")).toMatch(/^"writes";q=\d+;w=10$/);
  expect(limitOf(answer)).toMatch(/^"writes";r=\d+;t=\d+$/);
}

describe("§7 100 messages per 10 seconds and workspace", () => {
  it("§7 100 are admitted and the 101st is 429, with nothing of it stored", async () => {
    const { get, post } = await newWorkspace();
    expect((await post(CDP, batch(tracks(99)))).status).toBe(200);
    expect((await post(NATIVE, capture())).status).toBe(200);
    expectRefused(await post(NATIVE, capture({ event: "too.many" })), 10);
    expectRefused(await post(CDP, track({ event: "too many" })), 10);
    const names = (await get(`${NATIVE}?limit=200`)).body.events?.map(({ name }) => name);
    expect([names?.length, names?.includes("too.many")]).toEqual([100, false]);
  });

  it("§7 over any 10 s: no fixed window's double burst, no refill on top of a burst", async () => {
    const { post } = await newWorkspace();
    await post(CDP, batch(tracks(50, "a")));
    at(9_999);
    expect((await post(CDP, batch(tracks(50, "b")))).status).toBe(200);
    expectRefused(await post(NATIVE, capture()), 1);
    at(10_000);
    expectRefused(await post(CDP, batch(tracks(51, "c"))), 10);
    expect((await post(CDP, batch(tracks(50, "c")))).status).toBe(200);
    at(19_998);
    expectRefused(await post(NATIVE, capture()), 1);
    at(19_999);
    expect((await post(NATIVE, capture())).status).toBe(200);
  });

  it("§7 after Retry-After the same request fits, and not a second before", async () => {
    const { post } = await newWorkspace();
    await post(CDP, batch(tracks(80, "a")));
    at(3_500);
    await post(CDP, batch(tracks(20, "b")));
    at(4_200);
    expectRefused(await post(CDP, batch(tracks(81, "c"))), 10);
    const refused = await post(CDP, batch(tracks(80, "c")));
    expectRefused(refused, 6);
    at(4_200 + 5_000);
    expect((await post(CDP, batch(tracks(80, "c")))).status).toBe(429);
    at(4_200 + 6_000);
    expect((await post(CDP, batch(tracks(80, "c")))).status).toBe(200);
  });

  it("§7 both paths and both versions share one window, and so do the keys of a workspace", async () => {
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

  it("§7 workspaces have windows of their own", async () => {
    const [one, other] = [await newWorkspace({ writeLimit: 1 }), await newWorkspace({ writeLimit: 1 })];
    await one.post(NATIVE, capture());
    expect((await one.post(NATIVE, capture())).status).toBe(429);
    expect((await other.post(NATIVE, capture())).status).toBe(200);
  });

  it("§7 of parallel requests exactly the limit is admitted", async () => {
    const { get, post } = await newWorkspace({ writeLimit: 20 });
    const answers = await Promise.all(
      Array.from({ length: 15 }, (_, place) => post(CDP, batch(tracks(2, `${place}-`)))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect((await get(NATIVE)).body.events).toHaveLength(20);
  });
});

describe("§7 batches", () => {
  it("§7 a batch is never split: 60 and 60 are 60 stored, and then the other 60", async () => {
    const { get, post } = await newWorkspace();
    expect((await post(CDP, batch(tracks(60, "a")))).body.stored).toBe(60);
    expectRefused(await post(CDP, batch(tracks(60, "b"))), 10);
    expect((await get(`${NATIVE}?limit=200`)).body.events).toHaveLength(60);
    at(10_000);
    expect((await post(CDP, batch(tracks(60, "b")))).body.stored).toBe(60);
  });

  it("§7 a batch larger than the limit is admitted from empty, and charged ahead", async () => {
    const { post } = await newWorkspace();
    const answer = await post(CDP, batch(tracks(150)));
    expect(answer).toMatchObject({ status: 200, body: { stored: 150 } });
    expect(limitOf(answer)).toBe('"writes";r=0;t=20');
    expectRefused(await post(NATIVE, capture()), 10);
    at(10_000);
    expect((await post(CDP, batch(tracks(50, "b")))).status).toBe(200);
    expectRefused(await post(NATIVE, capture()), 10);
  });

  it("§7 a larger batch is admitted as soon as there is one free place, and not before", async () => {
    const { post } = await newWorkspace();
    await post(CDP, batch(tracks(99)));
    expect((await post(CDP, batch(tracks(101, "b")))).status).toBe(200);
    const full = await newWorkspace();
    await full.post(CDP, batch(tracks(100)));
    expectRefused(await full.post(CDP, batch(tracks(101, "b"))), 10);
  });

  it("§7 1,000 messages from empty use up 100 s", async () => {
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

describe("§7 what the headers say", () => {
  it("§7 RateLimit-Policy and RateLimit stand on every answer for which the limiter was asked", async () => {
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

  it("§7 they tell whole seconds, rounded up, until the whole quota is free", async () => {
    const { post } = await newWorkspace();
    expect(limitOf(await post(NATIVE, capture()))).toBe('"writes";r=99;t=10');
    at(100);
    expect(limitOf(await post(CDP, batch(tracks(9))))).toBe('"writes";r=90;t=10');
    at(10_050);
    expect(limitOf(await post(NATIVE, capture()))).toBe('"writes";r=90;t=10');
  });

  it("§7 without a refusal there is no Retry-After and no X-RateLimit-Reset", async () => {
    const { post } = await newWorkspace();
    const { headers } = await post(NATIVE, capture());
    expect([headers.get("Retry-After"), headers.get("X-RateLimit-Reset")]).toEqual([null, null]);
  });

  it("§7 reads are not limited and carry none of the headers", async () => {
    const { get, post } = await newWorkspace({ writeLimit: 1 });
    await post(NATIVE, capture());
    const { status, headers } = await get(NATIVE);
    expect([status, headers.get("RateLimit"), headers.get("RateLimit-Policy")]).toEqual([200, null, null]);
  });
});

describe("§7 a limit set for the workspace", () => {
  it("§7 §9 PATCH takes effect on the next write, raised and lowered", async () => {
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

  it("§7 a workspace made with a limit has it from its first write on", async () => {
    const { post } = await newWorkspace({ writeLimit: 3 });
    expect((await post(CDP, batch(tracks(3)))).status).toBe(200);
    expect((await post(NATIVE, capture())).status).toBe(429);
  });
});
