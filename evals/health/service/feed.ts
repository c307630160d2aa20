/**
 * Feeds what happened to the service, by the way that requests take: compatibility messages, mapped and stored in
 * batches; and runs the recompute as the cron does after midnight.
 */
import { recomputeSettings } from "../../../src/config.ts";
import { mapCdpBody, MAX_BATCH_MESSAGES } from "../../../src/core/ingest/cdp-body.ts";
import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { storeBatch } from "../../../src/db/ingest/store-messages.ts";
import { findWorkspace, insertWorkspace } from "../../../src/db/workspaces/workspaces.ts";
import { recompute } from "../../../src/services/recompute/recompute.ts";
import { startOf } from "../../simulator/calendar.ts";
import type { Happening } from "../../simulator/model.ts";
import { LocalDatabase } from "./local-database.ts";

/** The service with one workspace. */
export interface Service {
  database: LocalDatabase;
  env: Env;
  workspace: WorkspaceRef;
}

const KEY = { id: "key", hash: "hash", lastFour: "last", name: null, scopes: null, createdAt: 0 };
/** Five minutes past midnight: the cron's first tick of a day that finds the day before complete. */
const CRON_MS = 5 * 60_000;
/** More than a day's work takes: the evaluation is not about being stopped. */
const BUDGET_MS = 60 * 60_000;
const MAX_RUNS = 100;

export async function openService(): Promise<Service> {
  const database = LocalDatabase.create();
  const env = environment(database);
  const described = { id: "ws_evaluation", name: "Evaluation", writeLimit: 1_000_000, createdAt: startOf(0) };
  await insertWorkspace(env, described, KEY);
  const workspace = await findWorkspace(env, described.id);
  if (workspace === null) throw new Error("the workspace was not made");
  return { database, env, workspace };
}

/** The same, from here on apart. */
export function copyOf(service: Service): Service {
  const database = service.database.copy();
  return { ...service, database, env: environment(database) };
}

/** With the deployment's variables unset. */
const environment = (database: LocalDatabase): Env => ({
  DB: database,
  RECOMPUTE_BUDGET_MS: "",
  EVENT_RETENTION_DAYS: "",
});

/** @param arrivals in the order of their arrival; a batch is received when its last one arrives */
export async function feed({ env, workspace }: Service, arrivals: readonly Happening[]): Promise<void> {
  for (let first = 0; first < arrivals.length; first += MAX_BATCH_MESSAGES) {
    const part = arrivals.slice(first, first + MAX_BATCH_MESSAGES);
    const receivedAt = Math.max(...part.map(({ arrivesAt }) => arrivesAt));
    const body = { lone: false, items: part.map(messageOf), sentAt: receivedAt, measured: null };
    const { messages, rejections } = mapCdpBody(body, { receivedAt, pathType: null, newMessageId: () => "" });
    if (rejections.length > 0) throw new Error("a message of the simulation was rejected");
    const batch = { source: "cdp", receivedAt, messages, rejections } as const;
    const stored = await storeBatch(env, workspace, KEY.id, batch);
    if (stored.outcome !== "stored" || stored.stored !== part.length) {
      throw new Error("a message of the simulation was not stored");
    }
  }
}

function messageOf({ messageId, account, user, event, traits, at }: Happening): Record<string, unknown> {
  const common = { messageId, userId: user, timestamp: new Date(at).toISOString() };
  return event === null
    ? { ...common, type: "group", groupId: account, traits }
    : { ...common, type: "track", event, context: { groupId: account } };
}

/** The runs that make outcomes of all up to the end of a day. */
export async function recomputeAfter({ env }: Service, day: number): Promise<void> {
  const options = {
    now: startOf(day + 1) + CRON_MS,
    trigger: "cron",
    clock: Date.now,
    budgetMs: BUDGET_MS,
    retentionDays: recomputeSettings(env).retentionDays,
  } as const;
  for (let run = 0; run < MAX_RUNS; run += 1) {
    const result = await recompute(env, options);
    if (result.outcome === "done" && result.run.complete) return;
    if (result.outcome === "skipped") throw new Error("another recompute is running");
  }
  throw new Error("the recompute comes to no end");
}
