/**
 * Sends messages in batches, one after the other, because an account that one message names counts for later ones. It spreads
 * them over the window of the write limit, so that hardly any batch is refused.
 */
import { setTimeout as sleep } from "node:timers/promises";

import * as z from "zod";

import { retrying } from "../../clients/typescript/src/retry.ts";
import { MAX_BATCH_BYTES } from "../../src/config.ts";
import { parseJson } from "../../src/core/parse-json.ts";
import { sayBusy } from "../request.ts";

/** A message as JSON, and where it is from. */
export interface Outgoing {
  json: string;
  file: string;
  line: number;
}

export interface Counts {
  stored: number;
  duplicates: number;
}

const MAX_MESSAGES = 1_000;
/** Until a response tells the limit. */
const FIRST_MESSAGES = 100;
/** A batch uses at most this part of the limit. */
const BATCHES_PER_WINDOW = 10;
/** Batches arrive a little earlier or later than they were sent. */
const SPARE = 1.02;
const MAX_LATE_MS = 5_000;
const ENVELOPE_BYTES = 32;
const MAX_CONNECTIONS = 6;

const REVOKED = "The key isn't valid, or not any more: the same import was started again, or somebody has ended it.";

const send = retrying({ maxAttempts: 100, onRetry: sayBusy });

const Answer = z.object({
  stored: z.number(),
  duplicates: z.number(),
  rejected: z.array(z.object({ index: z.number(), code: z.string(), message: z.string(), path: z.string().nullish() })),
});
const Failed = z.object({ error: z.object({ message: z.string() }) });

export class Sender {
  readonly counts: Counts = { stored: 0, duplicates: 0 };
  readonly #target: { url: string; key: string; signal: AbortSignal };
  readonly #reject: (message: Outgoing, reason: string) => void;
  #waiting: Outgoing[] = [];
  #bytes = ENVELOPE_BYTES;
  #perMessageMs = 0;
  #maxMessages = FIRST_MESSAGES;
  #nextAt = Date.now();

  /** @param reject learns of each message that the service rejected */
  constructor(
    target: { url: string; key: string; signal: AbortSignal },
    reject: (message: Outgoing, reason: string) => void,
  ) {
    this.#target = target;
    this.#reject = reject;
  }

  async add(message: Outgoing): Promise<void> {
    const bytes = Buffer.byteLength(message.json) + 1;
    if (bytes + ENVELOPE_BYTES > MAX_BATCH_BYTES) return this.#reject(message, "is too large");
    if (this.#bytes + bytes > MAX_BATCH_BYTES || this.#waiting.length >= this.#maxMessages) await this.flush();
    this.#waiting.push(message);
    this.#bytes += bytes;
  }

  /** Sends what waits. @throws Error when the service refuses it, or can't be reached */
  async flush(): Promise<void> {
    const batch = this.#waiting;
    if (batch.length === 0) return;
    const { signal } = this.#target;
    await sleep(Math.max(0, this.#nextAt - Date.now()), undefined, { signal });
    const startedAt = Date.now();
    const { response, text } = await this.#post(`{"batch":[${batch.map(({ json }) => json).join(",")}]}`);
    const parsed = parseJson(text);
    const body = parsed.ok ? parsed.value : null;
    if (response.status === 401) throw new Error(REVOKED);
    if (!response.ok)
      throw new Error(Failed.safeParse(body).data?.error.message ?? `The service returned ${response.status}.`);
    const { stored, duplicates, rejected } = Answer.parse(body);
    this.counts.stored += stored;
    this.counts.duplicates += duplicates;
    for (const { index, message, path } of rejected) {
      const sent = batch[index];
      if (sent !== undefined) this.#reject(sent, path == null ? message : `${path}: ${message}`);
    }
    this.#waiting = [];
    this.#bytes = ENVELOPE_BYTES;
    this.#pace(response.headers.get("ratelimit-policy"));
    // After slow batches, the next ones follow at once, until the time is made up.
    this.#nextAt = Math.max(this.#nextAt, startedAt - MAX_LATE_MS) + batch.length * this.#perMessageMs;
  }

  /** @param policy as `"writes";q=100;w=10` */
  #pace(policy: string | null): void {
    const [, limit, seconds] = /q=(\d+);w=(\d+)/.exec(policy ?? "") ?? [];
    if (limit === undefined) return;
    this.#perMessageMs = (SPARE * Number(seconds) * 1_000) / Number(limit);
    this.#maxMessages = Math.min(MAX_MESSAGES, Math.max(1, Math.floor(Number(limit) / BATCHES_PER_WINDOW)));
  }

  async #post(body: string): Promise<{ response: Response; text: string }> {
    const { url, key, signal } = this.#target;
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    for (let attempt = 1; ; attempt += 1) {
      try {
        const response = await send(new Request(`${url}/v1/batch`, { method: "POST", headers, body, signal }));
        return { response, text: await response.text() };
      } catch (error) {
        // The connection failed, perhaps in the middle of the response.
        if (signal.aborted || attempt === MAX_CONNECTIONS) throw error;
        await sleep(500 * 2 ** attempt, undefined, { signal });
      }
    }
  }
}
