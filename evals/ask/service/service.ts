/**
 * The service with one simulated workspace, fed by the way that requests take: compatibility messages through the
 * real mapping and storage, the recompute as the cron runs it, identity traits by their own store. What is asked
 * then goes through the whole app, over HTTP requests that never leave the process.
 */
import { createHash, randomBytes } from "node:crypto";

import { recomputeSettings } from "../../../src/config.ts";
import { newApiKey } from "../../../src/core/api-key.ts";
import { mapCdpBody, MAX_BATCH_MESSAGES } from "../../../src/core/ingest/cdp-body.ts";
import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { storeBatch } from "../../../src/db/ingest/store-messages.ts";
import { findWorkspace, insertWorkspace } from "../../../src/db/workspaces/workspaces.ts";
import { recompute } from "../../../src/services/recompute/recompute.ts";
import { LocalDatabase } from "../../simulator/local-database.ts";
import { dayOf } from "../calendar.ts";
import type { Happening, World } from "../world/model.ts";
import { loadApp } from "./app.ts";
import { attachIdentities } from "./identities.ts";

export interface Service {
  env: Env;
  workspace: WorkspaceRef;
  /** Sends a request with the workspace's key. */
  request: (path: string, body?: unknown) => Promise<Response>;
}

const BUDGET_MS = 60 * 60_000;
const MAX_RUNS = 100;

export async function openService(world: World): Promise<Service> {
  const env: Env = { DB: LocalDatabase.create(), RECOMPUTE_BUDGET_MS: "", EVENT_RETENTION_DAYS: "" };
  const key = newApiKey(randomBytes);
  const hash = createHash("sha256").update(key).digest("hex");
  const record = { id: "key_evaluation", hash, lastFour: key.slice(-4), name: null, scopes: null, createdAt: 0 };
  const described = { id: `ws_${world.name}`, name: world.name, writeLimit: 1_000_000, createdAt: 0 };
  await insertWorkspace(env, described, record);
  const workspace = await findWorkspace(env, described.id);
  if (workspace === null) throw new Error("the workspace was not made");
  const app = await loadApp();
  const request = async (path: string, body?: unknown): Promise<Response> =>
    app.fetch(
      new Request(`http://evaluation.test${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
      env,
    );
  const service = { env, workspace, request };
  await live(service, world, record.id);
  return service;
}

interface Sent {
  at: number;
  message: Record<string, unknown>;
}

async function live(service: Service, world: World, keyId: string): Promise<void> {
  const companies = new Set(world.accounts.filter(({ isSolo }) => !isSolo).map(({ id }) => id));
  const sent: Sent[] = [
    ...world.facts,
    ...world.happenings.map((happening) => ({ at: happening.at, message: trackOf(happening, companies) })),
  ].toSorted((one, other) => one.at - other.at);
  let done = 0;
  for (const until of [...world.recomputes, Infinity]) {
    const next = sent.findIndex(({ at }) => at > until);
    const part = sent.slice(done, next === -1 ? sent.length : next);
    done += part.length;
    await feed(service, keyId, part, world);
    if (until !== Infinity) await recomputeAt(service, until);
  }
  await attachIdentities(service, world);
}

async function feed({ env, workspace }: Service, keyId: string, sent: readonly Sent[], world: World): Promise<void> {
  for (const ofDay of Map.groupBy(sent, ({ at }) => dayOf(at)).values()) {
    for (let first = 0; first < ofDay.length; first += MAX_BATCH_MESSAGES) {
      const part = ofDay.slice(first, first + MAX_BATCH_MESSAGES);
      const receivedAt = part.at(-1)?.at ?? world.now;
      const batch = part.map(({ at, message }, place) => ({
        ...message,
        messageId: `${at}-${first + place}`,
        timestamp: new Date(at).toISOString(),
      }));
      const body = { lone: false, items: batch, sentAt: receivedAt, measured: null };
      const { messages, rejections } = mapCdpBody(body, { receivedAt, pathType: null, newMessageId: () => "" });
      if (rejections.length > 0) throw new Error(`a message of ${world.name} was rejected`);
      const stored = await storeBatch(env, workspace, keyId, { source: "cdp", receivedAt, messages, rejections });
      if (stored.outcome !== "stored" || stored.stored !== part.length) throw new Error("a message was not stored");
    }
  }
}

function trackOf({ account, user, feature }: Happening, companies: ReadonlySet<string>): Record<string, unknown> {
  return {
    type: "track",
    event: feature.sent,
    ...(user === null ? {} : { userId: user }),
    ...(companies.has(account) ? { context: { groupId: account } } : {}),
  };
}

async function recomputeAt({ env }: Service, now: number): Promise<void> {
  const { retentionDays } = recomputeSettings(env);
  const options = { now, trigger: "cron", clock: Date.now, budgetMs: BUDGET_MS, retentionDays } as const;
  for (let run = 0; run < MAX_RUNS; run += 1) {
    const result = await recompute(env, options);
    if (result.outcome === "done" && result.run.complete) return;
    if (result.outcome === "skipped") throw new Error("another recompute is running");
  }
  throw new Error("the recompute comes to no end");
}
