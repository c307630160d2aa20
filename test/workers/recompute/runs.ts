/** Runs the recompute at chosen times, and makes messages for it. */
import { env } from "cloudflare:workers";

import { DAY_MS } from "../../../src/core/durations.ts";
import type { Message } from "../../../src/core/ingest/message.ts";
import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { storeBatch } from "../../../src/db/ingest/store-messages.ts";
import { archiveWorkspace } from "../../../src/services/archive/archive-workspace.ts";
import type { RecomputeOptions, RecomputeOutcome, RunRecord } from "../../../src/services/recompute/run-state.ts";
import { recompute } from "../../../src/services/recompute/recompute-workspaces.ts";
import { batchOf, messageWith } from "../db/message-arbitraries.ts";
import { newWorkspace as storedWorkspace } from "../db/stored-state.ts";
import { envWith } from "../support/faulty-env.ts";
import { closeAllWorkspaces } from "../support/half-changed.ts";

/** A Monday. */
export const DAY = Date.UTC(2030, 0, 7) / DAY_MS;

/** Shortly after midnight: the day before is the last complete one. */
export const morningOf = (day: number): number => day * DAY_MS + 300_000;

/** Longer than any budget in these tests. */
export const HOUR_MS = 3_600_000;

/** Creates the only workspace with work: it marks the workspaces of earlier tests as erased. */
export async function newWorkspace(): Promise<WorkspaceRef> {
  await closeAllWorkspaces();
  return storedWorkspace();
}

/** Creates a workspace beside the others. */
export const anotherWorkspace = storedWorkspace;

let lastId = 0;

/** Makes an event, by default of the user `u1` of `acme`. */
export const event = (fields: Partial<Message> & { occurredAt: number }): Message =>
  messageWith({ messageId: `made-${++lastId}`, accountId: "acme", ...fields });

/** Makes a group without a user, by default of `acme`. */
export const attributes = (fields: Partial<Message> & Pick<Message, "occurredAt" | "attributes">): Message =>
  event({ type: "group", userId: null, event: null, ...fields });

const MESSAGES_PER_BATCH = 1_000;

/** Stores messages, received by default when the last of them happened. */
export async function store(
  workspace: WorkspaceRef,
  messages: readonly Message[],
  receivedAt: number = Math.max(...messages.map(({ occurredAt }) => occurredAt)),
): Promise<void> {
  for (let from = 0; from < messages.length; from += MESSAGES_PER_BATCH) {
    const batch = messages.slice(from, from + MESSAGES_PER_BATCH);
    const stored = await storeBatch(env, workspace, "key_1", { ...batchOf(batch), receivedAt });
    if (stored.outcome !== "stored" || stored.stored !== batch.length) throw new Error("not all messages were stored");
  }
}

/** Advances with each run, so that runs are in order. */
let time = Date.UTC(2030, 0, 1);

/** Returns a clock that stands still during a run, so no budget ends. */
export function stillClock(): () => number {
  const at = (time += 1_000);
  return () => at;
}

export const runOptions = (now: number, options: Partial<RecomputeOptions> = {}): RecomputeOptions => ({
  now,
  trigger: "cron",
  clock: stillClock(),
  budgetMs: 60_000,
  historyDays: Infinity,
  // Small steps send many statements.
  maxStatements: Infinity,
  ...options,
});

export const startRun = (
  now: number,
  options: Partial<RecomputeOptions> = {},
  database: Env = env,
): Promise<RecomputeOutcome> => recompute(database, runOptions(now, options));

/** Runs the recompute to its end. */
export async function run(now: number, options: Partial<RecomputeOptions> = {}): Promise<RunRecord> {
  const outcome = await startRun(now, options);
  if (outcome.outcome !== "done") throw new Error("another run holds the lease");
  return outcome.run;
}

/** Deletes folded messages of days before `before`, as the cron does without an archive. */
export async function deleteMessages(workspace: WorkspaceRef, before: number): Promise<void> {
  const without = envWith({ HOT_DAYS: "7", ARCHIVE_DAYS: "0" });
  const done = await archiveWorkspace(without, workspace, { now: (before + 7) * DAY_MS, clock: stillClock() });
  if (!done?.complete) throw new Error("not all messages were deleted");
}

/** Returns a clock that ends the budget after `looks` readings, not counting those at the start. */
export function clockUpAfter(looks: number): () => number {
  const clock = stillClock();
  let taken = -2;
  return () => (++taken > looks ? clock() + HOUR_MS : clock());
}
