/** A workspace with a little work of every kind, so that a test can make each step of a run fail. */
import { env } from "cloudflare:workers";

import { DAY_MS } from "../../../src/core/durations.ts";
import type { Message } from "../../../src/core/ingest/message.ts";
import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { requestRebuild } from "../../../src/db/recompute/rebuild-sql.ts";
import { expireLeases } from "../support/leases.ts";
import { type Fold, readFold } from "./folded-state.ts";
import { anotherWorkspace, attributes, DAY, event, morningOf, newWorkspace, run, store } from "./runs.ts";
import { type Outcomes, readOutcomes } from "./stored-outcomes.ts";

/** Small, so that a run takes several steps of each kind. */
export const STEPS = { messages: 25, summarized: 3, rollups: 7, compared: 3, scored: 3 };

export const NOW = morningOf(DAY);

/** Makes an event on each weekday: regular enough for a week without events to be silence. */
const regular = (accountId: string, from: number, to: number): Message[] =>
  Array.from({ length: to - from }, (_, place) => from + place)
    .filter((day) => (day + 3) % 7 < 5)
    .map((day) => event({ accountId, userId: `${accountId}-u`, occurredAt: morningOf(day) }));

/** Made once, so that each workspace stores the same. */
const EARLIER = [
  ...regular("acme", DAY - 40, DAY - 4),
  ...regular("globex", DAY - 40, DAY - 20),
  attributes({ attributes: { seats: 10, mrr: 100, currency: "USD" }, occurredAt: morningOf(DAY - 30) }),
  event({
    type: "identify",
    userId: "solo",
    accountId: null,
    event: null,
    attributes: { mrr: 5 },
    occurredAt: morningOf(DAY - 20),
  }),
  event({ userId: "mover", accountId: null, occurredAt: morningOf(DAY - 9) }),
];
const NEW = [
  ...regular("acme", DAY - 4, DAY),
  ...regular("initech", DAY - 20, DAY),
  attributes({ attributes: { seats: 3, mrr: 50 }, occurredAt: morningOf(DAY - 2) }),
  event({ userId: "solo", accountId: null, occurredAt: morningOf(DAY - 2) }),
  event({ type: "group", userId: "mover", event: null, occurredAt: morningOf(DAY - 2) }),
  // Late events, which show that an account was not silent.
  event({ accountId: "globex", userId: "globex-u", occurredAt: morningOf(DAY - 12) }),
  event({ accountId: "globex", userId: "globex-u", occurredAt: morningOf(DAY - 11) }),
];

/**
 * Creates a workspace with outcomes from four days ago, new messages, five messages past their retention and, by
 * default, a requested rebuild.
 */
export const busyWorkspace = async (rebuild = true): Promise<WorkspaceRef> => makeBusy(await newWorkspace(), rebuild);

/** Creates a busy workspace beside the others. */
export const anotherBusyWorkspace = async (): Promise<WorkspaceRef> => makeBusy(await anotherWorkspace(), true);

async function makeBusy(workspace: WorkspaceRef, rebuild: boolean): Promise<WorkspaceRef> {
  await expireLeases();
  await store(workspace, EARLIER, NOW - 4 * DAY_MS);
  await run(NOW - 4 * DAY_MS);
  await store(workspace, NEW, NOW);
  if (rebuild) await requestRebuild(env, workspace);
  return workspace;
}

export interface State {
  fold: Fold;
  outcomes: Outcomes;
  /** The positions of the messages that are left. */
  log: number[];
  progress: Record<string, unknown>;
}

export async function readState(workspace: WorkspaceRef): Promise<State> {
  const base = workspace.number * 2 ** 32;
  const [log, progress] = await Promise.all([
    env.DB.prepare("SELECT seq - ?2 AS n FROM messages WHERE workspace = ?1 ORDER BY seq")
      .bind(workspace.number, base)
      .all<{ n: number }>(),
    env.DB.prepare(
      "SELECT watermark - ?2 AS watermark, deleted_until, rebuild_day, rebuilt_through FROM folds WHERE workspace = ?1",
    )
      .bind(workspace.number, base)
      .all(),
  ]);
  const fold = await readFold(workspace);
  return {
    fold: { ...fold, attributeDays: relative(fold.attributeDays, base), pending: relative(fold.pending, base) },
    outcomes: await readOutcomes(workspace),
    log: log.results.map(({ n }) => n),
    progress: progress.results[0] ?? {},
  };
}

/** Replaces message numbers by positions in the workspace's log. */
const relative = (days: Fold["attributeDays"], base: number): Fold["attributeDays"] =>
  Object.fromEntries(
    Object.entries(days).map(([key, values]) => [
      key,
      Object.fromEntries(
        Object.entries(values).map(([name, [value, occurredAt, seq]]) => [name, [value, occurredAt, seq - base]]),
      ),
    ]),
  );
