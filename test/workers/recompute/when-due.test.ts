/** When the cron starts a run of a workspace. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { DAY_MS, HOUR_MS } from "../../../src/core/durations.ts";
import { newBatch } from "../../../src/db/client/batch.ts";
import { selectRuns } from "../../../src/db/recompute/runs.ts";
import { batch, track } from "../support/messages.ts";
import { runCron } from "../support/run-cron.ts";
import { admin, eraseAllWorkspaces, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const NOON = Date.UTC(2100, 0, 1, 12);
const MIDNIGHT = NOON + DAY_MS / 2;
const MINUTE_MS = 60_000;

let workspace: TestWorkspace;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(NOON);
  await eraseAllWorkspaces();
  workspace = await newWorkspace({ writeLimit: 100_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

async function sendAt(now: number, messages = 1): Promise<void> {
  vi.setSystemTime(now);
  for (let left = messages; left > 0; left -= 1_000) {
    const sent = Array.from({ length: Math.min(left, 1_000) }, () => track({ userId: "u1" }));
    expect((await workspace.post("/api/v1/cdp", batch(sent))).status).toBe(200);
  }
}

/** Runs the cron. @returns how many messages the runs that it started have folded; `null` if it started none */
async function foldedAt(now: number): Promise<number | null> {
  vi.setSystemTime(now);
  await runCron(now);
  const reading = newBatch(env, await workspace.ref());
  const runs = selectRuns(reading, 10);
  await reading.run();
  const own = runs().filter(({ asOf }) => asOf === now);
  return own.length === 0 ? null : own.reduce((sum, { eventsFolded }) => sum + eventsFolded, 0);
}

describe("§10.1 the cron folds a workspace", () => {
  it("§10.1 once its oldest unfolded message is an hour old", async () => {
    await sendAt(NOON);
    await sendAt(NOON + 30 * MINUTE_MS);
    expect(await foldedAt(NOON + 55 * MINUTE_MS)).toBeNull();
    expect(await foldedAt(NOON + HOUR_MS)).toBe(2);
    await sendAt(NOON + HOUR_MS + MINUTE_MS);
    expect(await foldedAt(NOON + HOUR_MS + 5 * MINUTE_MS)).toBeNull();
  });

  it("§10.1 once 5,000 messages wait", async () => {
    await sendAt(NOON, 4_999);
    expect(await foldedAt(NOON + 5 * MINUTE_MS)).toBeNull();
    await sendAt(NOON + 6 * MINUTE_MS);
    expect(await foldedAt(NOON + 10 * MINUTE_MS)).toBe(5_000);
  });

  it("§10.1 before the first score of the day", async () => {
    await sendAt(NOON);
    expect(await foldedAt(NOON + HOUR_MS)).toBe(1);
    await sendAt(MIDNIGHT - MINUTE_MS);
    expect(await foldedAt(MIDNIGHT)).toBe(1);
  });

  it("§10.1 on request at once", async () => {
    await sendAt(NOON);
    expect((await admin("POST", "/recompute", {})).body).toMatchObject({ eventsFolded: 1 });
  });
});
