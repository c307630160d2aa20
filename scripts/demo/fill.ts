/** Sends the demo's data to the service, through the same paths that senders use. */
import { setTimeout as sleep } from "node:timers/promises";

import * as z from "zod";

import { MAX_BATCH_MESSAGES } from "../../src/core/ingest/cdp-body.ts";
import type { CapturedEvent, Mark } from "./extras.ts";
import { call, type Client } from "./service.ts";

export interface Sent {
  stored: number;
  duplicates: number;
  rejected: number;
}

const PROGRESS_EVERY_MS = 4_000;

const BatchResponse = z.object({ stored: z.number(), duplicates: z.number(), rejected: z.array(z.unknown()) });
const OkResponse = z.object({ ok: z.literal(true) });
const CaptureResponse = z.object({ deduped: z.boolean() });
const InboxResponse = z.object({
  items: z.array(
    z.object({ id: z.string(), kind: z.string(), account: z.object({ externalId: z.string() }).nullable() }),
  ),
});

export async function sendMessages(
  sender: Client,
  messages: readonly object[],
  onProgress: (sent: number) => void = () => undefined,
): Promise<Sent> {
  const total = { stored: 0, duplicates: 0, rejected: 0 };
  let reportedAt = performance.now();
  for (let first = 0; first < messages.length; first += MAX_BATCH_MESSAGES) {
    const batch = messages.slice(first, first + MAX_BATCH_MESSAGES);
    const { stored, duplicates, rejected } = await call(sender, "POST", "/api/v1/cdp", BatchResponse, { batch });
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
    const headers = { "idempotency-key": idempotencyKey };
    const { deduped } = await call(sender, "POST", "/api/v1/events", CaptureResponse, body, headers);
    if (!deduped) stored += 1;
  }
  return stored;
}

export async function attach(sender: Client, identities: readonly object[]): Promise<void> {
  for (const identity of identities) await call(sender, "POST", "/api/v1/identity", OkResponse, identity);
}

/** Dismisses or snoozes the items that are open. */
export async function mark(sender: Client, marks: readonly Mark[]): Promise<void> {
  const { items } = await call(sender, "GET", "/api/v1/inbox?limit=200", InboxResponse);
  for (const { account, kind, path, body } of marks) {
    const item = items.find((open) => open.kind === kind && open.account?.externalId === account);
    if (item !== undefined) await call(sender, "POST", `/api/v1/inbox/${item.id}/${path}`, OkResponse, body);
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
