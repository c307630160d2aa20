/** Sends the demo to the service, by the paths that senders use. */
import { setTimeout as sleep } from "node:timers/promises";

import * as z from "zod";

import { MAX_BATCH_MESSAGES } from "../../src/core/ingest/cdp-body.ts";
import { call } from "./service.ts";
import type { CapturedEvent, Mark } from "./sidelines.ts";

export interface Sender {
  url: string;
  key: string;
  /** Breaks it off. */
  stop?: AbortSignal;
}

export interface Filled {
  stored: number;
  duplicates: number;
  rejected: number;
}

/** Tells how far it is, so often. */
const TELL_EVERY_MS = 4_000;

const Batch = z.object({ stored: z.number(), duplicates: z.number(), rejected: z.array(z.unknown()) });
const Answer = z.object({ ok: z.literal(true) });
const Capture = z.object({ deduped: z.boolean() });
const Items = z.object({
  items: z.array(
    z.object({ id: z.string(), kind: z.string(), account: z.object({ externalId: z.string() }).nullable() }),
  ),
});

export async function sendMessages(
  sender: Sender,
  messages: readonly object[],
  tell: (sent: number) => void = () => undefined,
): Promise<Filled> {
  const filled = { stored: 0, duplicates: 0, rejected: 0 };
  let toldAt = performance.now();
  for (let first = 0; first < messages.length; first += MAX_BATCH_MESSAGES) {
    const batch = messages.slice(first, first + MAX_BATCH_MESSAGES);
    const { stored, duplicates, rejected } = await post(sender, "/api/v1/cdp", { batch }, Batch);
    filled.stored += stored;
    filled.duplicates += duplicates;
    filled.rejected += rejected.length;
    if (performance.now() - toldAt < TELL_EVERY_MS) continue;
    toldAt = performance.now();
    tell(first + batch.length);
  }
  return filled;
}

/** @returns how many were new */
export async function capture(sender: Sender, captures: readonly CapturedEvent[]): Promise<number> {
  let stored = 0;
  for (const { idempotencyKey, body } of captures) {
    const headers = { "idempotency-key": idempotencyKey };
    const { deduped } = await post(sender, "/api/v1/events", body, Capture, headers);
    if (!deduped) stored += 1;
  }
  return stored;
}

export async function attach(sender: Sender, identities: readonly object[]): Promise<void> {
  for (const identity of identities) await post(sender, "/api/v1/identity", identity, Answer);
}

/** Puts aside those of the items that are open. */
export async function mark(sender: Sender, marks: readonly Mark[]): Promise<void> {
  const { items } = await call(sender.url, { path: "/api/v1/inbox?limit=200", key: sender.key }, Items);
  for (const { account, kind, path, body } of marks) {
    const item = items.find((open) => open.kind === kind && open.account?.externalId === account);
    if (item !== undefined) await post(sender, `/api/v1/inbox/${item.id}/${path}`, body, Answer);
  }
}

const PAUSE_MS = 1_000;
const MOST_RUNS = 60;

/** @returns whether the recompute came to its end */
export async function recomputeAll(run: () => Promise<boolean>, stop: AbortSignal): Promise<boolean> {
  for (let runs = 0; runs < MOST_RUNS; runs += 1) {
    if (await run()) return true;
    await sleep(PAUSE_MS, undefined, { signal: stop }); // the cron's run may be under way
  }
  return false;
}

const post = <T>(
  { url, key, stop }: Sender,
  path: string,
  body: unknown,
  schema: z.ZodType<T>,
  headers: Readonly<Record<string, string>> = {},
): Promise<T> =>
  call(url, { method: "POST", path, key, headers, stop, ...(body === undefined ? {} : { body }) }, schema);
