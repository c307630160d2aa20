/**
 * Sends requests during a long recompute. On a laptop the database lives in the Worker's own process: a run that only
 * waited for the database would never let the process look for requests.
 */
import { afterAll, beforeAll, expect, it } from "vitest";

import type { Workspace } from "../harness/admin-client.ts";
import { buildWorker } from "../harness/build-worker.ts";
import { type ServedWorker, serveWorker } from "../harness/serve-worker.ts";

const WORKSPACES = 20;
const MESSAGES = 1_000;
const DAYS = 60;
const DAY_MS = 86_400_000;

let worker: ServedWorker;
beforeAll(async () => {
  worker = await serveWorker(await buildWorker());
  for (let count = 0; count < WORKSPACES; count++) await fill(await worker.createWorkspace({ writeLimit: MESSAGES }));
});
afterAll(() => worker[Symbol.asyncDispose]());

async function fill({ key }: Workspace): Promise<void> {
  const batch = Array.from({ length: MESSAGES }, (_, n) => ({
    type: "track",
    messageId: `m-${n}`,
    userId: `user-${n % 40}`,
    event: `Event ${n % 6}`,
    timestamp: new Date(Date.now() - (n % DAYS) * DAY_MS).toISOString(),
    properties: { accountId: `account-${n % 10}` },
  }));
  const response = await fetch(`${worker.url}/v1/batch`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ batch }),
  });
  expect(response.status).toBe(200);
  await response.text();
}

it("answers requests between the steps of a long recompute", async () => {
  const state = { running: true };
  const run = worker.admin("POST", "/admin/recompute").finally(() => {
    state.running = false;
  });
  const statuses: number[] = [];
  while (state.running) {
    const { status } = await fetch(`${worker.url}/healthz`);
    if (state.running) statuses.push(status);
  }
  await run;
  // The first request may be answered before the run begins.
  expect(statuses.length).toBeGreaterThan(5);
  expect(new Set(statuses)).toEqual(new Set([200]));
});
