/**
 * Senders that write more than they may. These tests wait for real windows of 10 seconds to pass: that a refusal's
 * `Retry-After` can be relied on is what they are about. They wait side by side, each with a workspace of its own.
 */
import { setTimeout as sleep } from "node:timers/promises";

import { Analytics } from "@segment/analytics-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type Service, startService } from "../harness/service.ts";
import { Reader, storedMessages } from "./senders/stored.ts";

const LIMIT = 20;
const BURST = 5 * LIMIT;
const WINDOW_SECONDS = 10;
const BURST_TIMEOUT_MS = 120_000;

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

function batch(prefix: string, size: number): { batch: object[] } {
  const message = (_: unknown, n: number) => ({
    type: "track",
    messageId: `${prefix}-${n}`,
    userId: "u1",
    event: "Report Exported",
    context: { groupId: "acme" },
  });
  return { batch: Array.from({ length: size }, message) };
}

function post(key: string, body: unknown): Promise<Response> {
  return fetch(`${service.url}/v1/batch`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

describe.concurrent("A sender over its workspace's limit", () => {
  it("is told how long to wait, and admitted when it comes back then", async () => {
    const workspace = await service.createWorkspace({ writeLimit: LIMIT });
    const reader = new Reader(service, workspace);
    const first = await post(workspace.key, batch("first", LIMIT));
    expect(first.status).toBe(200);
    expect(first.headers.get("ratelimit-policy")).toBe(`"writes";q=${LIMIT};w=${WINDOW_SECONDS}`);
    expect(first.headers.get("ratelimit")).toBe(`"writes";r=0;t=${WINDOW_SECONDS}`);

    const refused = await post(workspace.key, batch("second", 3));

    expect(refused.status).toBe(429);
    expect(refused.headers.get("ratelimit")).toMatch(/^"writes";r=0;t=\d+$/);
    const requestId = refused.headers.get("x-request-id");
    expect(await refused.json()).toEqual({
      ok: false,
      error: { code: "rate_limited", message: expect.any(String), requestId },
    });
    const retryAfter = refused.headers.get("retry-after") ?? "";
    expect(retryAfter).toMatch(/^([1-9]|10)$/);
    expect(refused.headers.get("x-ratelimit-reset")).toBe(retryAfter);
    expect(await reader.events()).toHaveLength(LIMIT);

    await sleep(Number(retryAfter) * 1_000);
    const admitted = await post(workspace.key, batch("second", 3));

    expect(admitted.status).toBe(200);
    expect(await admitted.json()).toMatchObject({ stored: 3, duplicates: 0 });
    expect(await reader.events()).toHaveLength(LIMIT + 3);
  });

  it(
    "delivers a burst of five times the limit completely and once, when it is Segment's library with its defaults",
    async () => {
      const workspace = await service.createWorkspace({ writeLimit: LIMIT });
      const client = new Analytics({ host: service.url, writeKey: workspace.key, flushAt: LIMIT / 2 });
      const failures: unknown[] = [];
      const statuses: number[] = [];
      client.on("error", (error) => failures.push(error));
      client.on("http_response", ({ status }) => statuses.push(status));
      const start = Date.now() - 3_600_000;
      const at = (n: number) => new Date(start + n * 1_000);

      for (let n = 0; n < BURST; n++) {
        const context = { groupId: "acme" };
        client.track({ userId: "u1", event: "Report Exported", properties: { n }, timestamp: at(n), context });
      }
      await client.flush();

      expect(failures).toEqual([]);
      expect(statuses.filter((status) => status === 200)).toHaveLength(BURST / (LIMIT / 2));
      expect(statuses).toContain(429);
      const events = await new Reader(service, workspace).events(30);
      const arrived = events.map(({ properties, occurredAt }) => ({ n: Number(properties["n"]), occurredAt }));
      expect(arrived.toSorted((a, b) => a.n - b.n)).toEqual(
        Array.from({ length: BURST }, (_, n) => ({ n, occurredAt: at(n).toISOString() })),
      );
      expect(await storedMessages(service, workspace)).toBe(BURST);
    },
    BURST_TIMEOUT_MS,
  );
});
