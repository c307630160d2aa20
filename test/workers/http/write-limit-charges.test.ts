/** Section 7 over HTTP: which requests are charged, and how much. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { batch, capture, ofBytes, track, tracks } from "../support/messages.ts";
import { send } from "../support/send.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const CDP = "/api/v1/cdp";
const NATIVE = "/api/v1/events";
const T0 = Date.UTC(2100, 0, 1);

let workspace: TestWorkspace;
beforeEach(async () => {
  vi.setSystemTime(T0);
  workspace = await newWorkspace();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Returns the places used so far, by using another one. */
async function charged(): Promise<number> {
  const { headers } = await workspace.post(NATIVE, capture());
  return 99 - Number(/r=(\d+)/.exec(headers.get("RateLimit") ?? "")?.[1]);
}

describe("§7 a request is charged", () => {
  it("§7 1 for a capture or a lone message, and the number of messages for a batch", async () => {
    await workspace.post(NATIVE, capture());
    await workspace.post(CDP, track());
    await workspace.post("/v1/batch", batch(tracks(7)));
    await workspace.post(CDP, tracks(11, "n"));
    expect(await charged()).toBe(20);
  });

  it("§7 for duplicates, within a batch and across requests", async () => {
    await workspace.post(CDP, batch([track({ messageId: "m" }), track({ messageId: "m" })]));
    expect((await workspace.post(CDP, batch([track({ messageId: "m" })]))).body.duplicates).toBe(1);
    expect(await charged()).toBe(3);
  });

  it("§7 for invalid, unsupported and too large messages of a batch", async () => {
    const { body } = await workspace.post(
      CDP,
      batch([null, track({ event: null }), { type: "page" }, ofBytes(track(), 16_385), track()]),
    );
    expect([body.stored, body.rejected?.length]).toEqual([1, 4]);
    expect(await charged()).toBe(5);
  });

  it.each([
    ["an invalid capture", NATIVE, capture({ event: "No" }), 400],
    ["a capture that is not an object", NATIVE, "5", 400],
    ["an invalid lone message", CDP, track({ event: null }), 400],
    ["a lone page", "/v1/page", {}, 200],
    ["a body that is not a message", CDP, "null", 400],
    ["a batch that is not an array", CDP, { batch: 5 }, 400],
  ])("§7 1 for %s, because it was parsed", async (_what, path, body, status) => {
    expect((await workspace.post(path, body)).status).toBe(status);
    expect(await charged()).toBe(1);
  });
});

describe("§7 a request is not charged", () => {
  it.each(["[]", '{"batch":[]}'])(
    "§7 for an empty batch %s, which is accepted while the window is full",
    async (body) => {
      const { status, headers } = await workspace.post(CDP, body);
      expect([status, headers.get("RateLimit"), headers.get("RateLimit-Policy")]).toEqual([200, null, null]);
      expect(await charged()).toBe(0);
      await workspace.post(CDP, batch(tracks(99)));
      expect((await workspace.post(CDP, body)).status).toBe(200);
    },
  );

  const gzipHeader = { "Content-Encoding": "gzip" };
  it.each<[what: string, status: number, path: string, body: unknown, headers: Record<string, string>]>([
    ["bad JSON", 400, CDP, "{", {}],
    ["a broken gzip", 400, CDP, "x", gzipHeader],
    ["another encoding", 415, CDP, "{}", { "Content-Encoding": "br" }],
    ["a body over 512 KB", 413, CDP, " ".repeat(524_289), {}],
    ["a capture over 16 KB", 413, NATIVE, " ".repeat(16_385), {}],
    ["a lone message over 16 KB", 413, CDP, ofBytes(track(), 16_385), {}],
    ["1,001 messages", 413, CDP, tracks(1_001), {}],
  ])("§7 for %s, which is %i before it is parsed", async (_what, status, path, body, headers) => {
    const init = { headers: { Authorization: `Bearer ${workspace.key}`, ...headers } };
    const answer = await workspace.post(path, body, init);
    expect([answer.status, answer.headers.get("RateLimit")]).toEqual([status, null]);
    expect(await charged()).toBe(0);
  });

  it("§7 if its key is bad or lacks the scope", async () => {
    const { key, keyId } = await workspace.newKey();
    const reader = await workspace.newKey(["read"]);
    await workspace.revoke(keyId);
    for (const [bad, status] of [
      ["x", 401],
      [key, 401],
      [reader.key, 403],
    ] as const) {
      const { headers, ...answer } = await send("POST", CDP, batch(tracks(9)), { headers: { "X-Write-Key": bad } });
      expect([answer.status, headers.get("RateLimit")]).toEqual([status, null]);
    }
    expect(await charged()).toBe(0);
  });

  it("§7 if it is a read, is refused with 429 or has an unknown path", async () => {
    await workspace.get(NATIVE);
    await workspace.post("/api/v1/nothing", {});
    expect((await workspace.post(CDP, batch(tracks(90)))).status).toBe(200);
    expect((await workspace.post(CDP, batch(tracks(50, "x")))).status).toBe(429);
    expect(await charged()).toBe(90);
  });
});
