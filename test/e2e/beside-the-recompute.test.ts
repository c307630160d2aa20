/**
 * Requests beside the recompute, on a laptop: there the database lives in the Worker's own process, and a run that only
 * ever waits for it would never let the process look for requests.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type Service, startService, type Workspace } from "../harness/service.ts";

const WORKSPACES = 20;
const MESSAGES = 1_000;
const DAYS = 60;
const DAY_MS = 86_400_000;

let service: Service;
beforeAll(async () => {
  service = await startService();
  for (let made = 0; made < WORKSPACES; made++) await fill(await service.createWorkspace({ writeLimit: MESSAGES }));
});
afterAll(() => service[Symbol.asyncDispose]());

async function fill({ key }: Workspace): Promise<void> {
  const batch = Array.from({ length: MESSAGES }, (_, n) => ({
    type: "track",
    messageId: `m-${n}`,
    userId: `user-${n % 40}`,
    event: `Event ${n % 6}`,
    timestamp: new Date(Date.now() - (n % DAYS) * DAY_MS).toISOString(),
    properties: { accountId: `account-${n % 10}` },
  }));
  const response = await fetch(`${service.url}/v1/batch`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ batch }),
  });
  expect(response.status).toBe(200);
  await response.text();
}

describe("a long run of the recompute", () => {
  it("leaves room for requests between its steps", async () => {
    const state = { running: true };
    const run = service.fireCron().finally(() => {
      state.running = false;
    });
    const answeredMeanwhile: number[] = [];
    while (state.running) {
      const { status } = await fetch(`${service.url}/healthz`);
      if (state.running) answeredMeanwhile.push(status);
    }
    await run;
    // The first may have come before the run began.
    expect(answeredMeanwhile.length).toBeGreaterThan(5);
    expect(new Set(answeredMeanwhile)).toEqual(new Set([200]));
  });
});
