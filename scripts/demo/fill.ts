/** Sends the demo's data to the service, through the same paths that senders use. */
import { setTimeout as sleep } from "node:timers/promises";

import { type Client, type components, dataOf } from "../../clients/typescript/src/client.ts";
import { MAX_BATCH_MESSAGES } from "../../src/core/ingest/cdp-body.ts";
import type { CapturedEvent, Identity, Mark } from "./extras.ts";

export interface Sent {
  stored: number;
  duplicates: number;
  rejected: number;
}

const PROGRESS_EVERY_MS = 4_000;

/** @param messages in Segment's format; some are wrong on purpose */
export async function sendMessages(
  sender: Client,
  messages: readonly object[],
  onProgress: (sent: number) => void = () => undefined,
): Promise<Sent> {
  const total = { stored: 0, duplicates: 0, rejected: 0 };
  let reportedAt = performance.now();
  for (let first = 0; first < messages.length; first += MAX_BATCH_MESSAGES) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the service has to reject the wrong ones
    const batch = messages.slice(first, first + MAX_BATCH_MESSAGES) as components["schemas"]["Message"][];
    const { stored, duplicates, rejected } = await dataOf(sender.POST("/api/v1/cdp", { body: { batch } }));
    total.stored += stored;
    total.duplicates += duplicates;
    total.rejected += rejected.length;
    if (performance.now() - reportedAt < PROGRESS_EVERY_MS) continue;
    reportedAt = performance.now();
    onProgress(first + batch.length);
  }
  return total;
}

/** @returns the number of events that were new */
export async function capture(sender: Client, captures: readonly CapturedEvent[]): Promise<number> {
  let stored = 0;
  for (const { idempotencyKey, body } of captures) {
    const params = { header: { "Idempotency-Key": idempotencyKey } };
    const { deduped } = await dataOf(sender.POST("/api/v1/events", { params, body }));
    if (!deduped) stored += 1;
  }
  return stored;
}

export async function attach(sender: Client, identities: readonly Identity[]): Promise<void> {
  for (const body of identities) await dataOf(sender.POST("/api/v1/identity", { body }));
}

/** Dismisses or snoozes the items that are open. */
export async function mark(sender: Client, marks: readonly Mark[]): Promise<void> {
  const { items } = await dataOf(sender.GET("/api/v1/inbox", { params: { query: { limit: 200 } } }));
  for (const { account, kind, until } of marks) {
    const item = items.find((open) => open.kind === kind && open.account?.externalId === account);
    if (item === undefined) continue;
    const params = { path: { id: item.id } };
    if (until === null) await dataOf(sender.POST("/api/v1/inbox/{id}/dismiss", { params }));
    else await dataOf(sender.POST("/api/v1/inbox/{id}/snooze", { params, body: { until } }));
  }
}

const PAUSE_MS = 1_000;
const MAX_RUNS = 60;

/** @returns whether the recompute finished */
export async function recomputeAll(run: () => Promise<boolean>, stop: AbortSignal): Promise<boolean> {
  for (let runs = 0; runs < MAX_RUNS; runs += 1) {
    if (await run()) return true;
    await sleep(PAUSE_MS, undefined, { signal: stop }); // a run of the cron may hold the lease
  }
  return false;
}
