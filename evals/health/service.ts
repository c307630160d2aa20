/**
 * Sends simulated events to the service as requests do (as compatibility messages, mapped and stored in batches), and
 * recomputes as the cron does after midnight.
 */
import { mapCdpBody, MAX_BATCH_MESSAGES } from "../../src/core/ingest/cdp-body.ts";
import type { WorkspaceRef } from "../../src/db/client/database.ts";
import { storeBatch } from "../../src/db/ingest/store-messages.ts";
import { insertWorkspace, openWorkspace } from "../../src/db/workspaces/create-workspace.ts";
import { recompute } from "../../src/services/recompute/recompute-workspaces.ts";
import { startOf } from "../simulator/calendar.ts";
import type { SimulatedEvent } from "../simulator/model.ts";
import { LocalDatabase } from "../simulator/local-database.ts";

/** The service with one workspace. */
export interface Service {
  database: LocalDatabase;
  env: Env;
  workspace: WorkspaceRef;
}

const KEY = {
  id: "key",
  hash: "hash",
  lastFour: "last",
  name: null,
  scopes: null,
  createdAt: 0,
  expiresAt: null,
  origins: null,
  text: null,
  writeLimit: null,
  sealed: null,
  sealedBy: null,
  segmentBatches: false,
};
/** Five minutes past midnight, when the cron first finds the day before complete. */
const CRON_MS = 5 * 60_000;
/** Longer than a day's work takes, because the evaluation does not test the budget. */
const BUDGET_MS = 60 * 60_000;
const MAX_RUNS = 100;

export async function openService(): Promise<Service> {
  const database = LocalDatabase.create();
  const env = environment(database);
  const workspace = await insertWorkspace(env, {
    id: "ws_evaluation",
    name: "Evaluation",
    writeLimit: 1_000_000,
    database: "DB",
    createdAt: startOf(0),
  });
  if (workspace === null || !(await openWorkspace(env, workspace, KEY)))
    throw new Error("The workspace was not created.");
  return { database, env, workspace };
}

/** Copies the service with its database. */
export function copyOf(service: Service): Service {
  const database = service.database.copy();
  return { ...service, database, env: environment(database) };
}

/** Leaves the deployment's variables unset. */
const environment = (database: LocalDatabase): Env => ({
  DB: database,
  RECOMPUTE_BUDGET_MS: "",
  HOT_DAYS: "",
  ARCHIVE_DAYS: "",
  MAX_DATABASE_BYTES: "",
  HISTORY_DAYS: "",
  get ARCHIVE(): never {
    throw new Error("Nothing is archived here.");
  },
});

/** @param arrivals in order of arrival; a batch is received when its last event arrives */
export async function feed(service: Service, arrivals: readonly SimulatedEvent[]): Promise<void> {
  for (let first = 0; first < arrivals.length; first += MAX_BATCH_MESSAGES) {
    const part = arrivals.slice(first, first + MAX_BATCH_MESSAGES);
    await store(service, part.map(messageOf), Math.max(...part.map(({ arrivesAt }) => arrivesAt)));
  }
}

/** Stores new messages as one request. */
export async function store({ env, workspace }: Service, items: readonly unknown[], receivedAt: number): Promise<void> {
  const body = { lone: false, items, sentAt: receivedAt, context: null };
  const { messages, rejections } = mapCdpBody(body, { receivedAt, pathType: null, newMessageId: () => "" });
  if (rejections.length > 0) throw new Error("A simulated message was rejected.");
  const batch = { source: "cdp", receivedAt, messages, rejections } as const;
  const stored = await storeBatch(env, workspace, KEY.id, batch);
  if (stored.outcome !== "stored" || stored.stored !== items.length) {
    throw new Error("A simulated message was not stored.");
  }
}

function messageOf({ messageId, account, user, event, traits, at }: SimulatedEvent): Record<string, unknown> {
  const common = { messageId, userId: user, timestamp: new Date(at).toISOString() };
  return event === null
    ? { ...common, type: "group", groupId: account, traits }
    : { ...common, type: "track", event, context: { groupId: account } };
}

/** Recomputes everything up to the end of a day. */
export async function recomputeAfter({ env }: Service, day: number): Promise<void> {
  const options = {
    now: startOf(day + 1) + CRON_MS,
    trigger: "cron",
    clock: Date.now,
    budgetMs: BUDGET_MS,
  } as const;
  for (let run = 0; run < MAX_RUNS; run += 1) {
    const result = await recompute(env, options);
    if (result.outcome === "done" && result.run.complete) return;
    if (result.outcome === "skipped") throw new Error("Another recompute is running.");
  }
  throw new Error("The recompute does not finish.");
}
