/**
 * Sends to a service that fails all the time: one in ten of its calls to D1 and to Durable Objects is lost, refused, late,
 * or done without an answer. Everything else is real: the library and its retries, HTTP, the Worker, the database.
 */
import { setTimeout as sleep } from "node:timers/promises";

import { Analytics, type HTTPFetchFn } from "@segment/analytics-node";
import { Agent, fetch as fetchWith } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { type FaultyWorker, serveFaultyWorker } from "./faulty-worker/faulty-worker.ts";
import { storedMessages, userAccounts, userTraits } from "./faulty-worker/rows.ts";
import { streamOf } from "./faulty-worker/stream.ts";
import { senderOf } from "./senders/sender.ts";

const MESSAGES = 4_000;
const CAPTURES = 500;
const RATE = 0.1;
const CONNECTIONS = 24;
/** More than connections: a sender that waits holds none. */
const CAPTURE_SENDERS = 100;
const MAX_ATTEMPTS = 30;
const STREAM_TIMEOUT_MS = 240_000;
const DAY_MS = 86_400_000;

/** The response to one request. */
interface Result {
  status: number;
  retryAfter: string | null;
  /** From a 200; else 0. */
  stored: number;
  duplicates: number;
}

const Batch = z.object({ batch: z.array(z.object({ messageId: z.string() })).min(1) });
const Ingested = z.object({ stored: z.number(), duplicates: z.number(), rejected: z.tuple([]) });
const Captured = z.object({ deduped: z.boolean(), account: z.object({ externalId: z.string() }) });

let faulty: FaultyWorker;
const agent = new Agent({ connections: CONNECTIONS });
beforeAll(async () => {
  faulty = await serveFaultyWorker();
});
afterAll(async () => {
  await agent.close();
  await faulty.worker[Symbol.asyncDispose]();
});

/** Sends for the library over few connections. Records the responses to each batch, by its first message. */
function recordingClient(): { httpClient: HTTPFetchFn; heard: Map<string, Result[]> } {
  const heard = new Map<string, Result[]>();
  return {
    heard,
    httpClient: async (url, { method, headers, body }) => {
      const response = await fetchWith(url, { method, headers, body, dispatcher: agent });
      const text = await response.text();
      const { stored, duplicates } =
        response.status === 200 ? Ingested.parse(JSON.parse(text)) : { stored: 0, duplicates: 0 };
      const [first] = Batch.parse(JSON.parse(body)).batch;
      const id = first?.messageId ?? "";
      const { status } = response;
      const answer = { status, retryAfter: response.headers.get("retry-after"), stored, duplicates };
      heard.set(id, [...(heard.get(id) ?? []), answer]);
      return { status, statusText: response.statusText, headers: Object.fromEntries(response.headers) };
    },
  };
}

/** Returns the responses that are not documented. */
const undocumented = (answers: Result[]): Result[] =>
  answers.filter(({ status, retryAfter }) => status !== 200 && !(/^(429|503)$/.test(String(status)) && retryAfter));

/**
 * True when only the last response is a 200, and its messages were all new; or all duplicates, because an earlier attempt
 * stored them and answered 503.
 */
function isAcknowledgedOnce(results: Result[]): boolean {
  const refused = results.slice(0, -1);
  const last = results.at(-1);
  if (last?.status !== 200 || refused.some(({ status }) => status === 200)) return false;
  const { stored, duplicates } = last;
  return duplicates === 0 ? stored > 0 : stored === 0 && refused.some(({ status }) => status === 503);
}

/** Returns the account of a capture. */
const accountId = (key: string): string => `company-${key.length % 3}`;

/** Returns the kinds of faults that did not happen. */
const unseen = async (): Promise<string[]> =>
  Object.entries(await faulty.faults()).flatMap(([kind, count]) => (count > 0 ? [] : [kind]));

describe("§4.4 §8 a service with a fault in one of ten calls", () => {
  it(
    `§4.4 §8 stores each of ${MESSAGES} messages from Segment's library once`,
    async () => {
      const { worker } = faulty;
      const workspace = await worker.createWorkspace({ writeLimit: 100_000 });
      const stream = streamOf(MESSAGES, Date.now() - DAY_MS);
      const { httpClient, heard } = recordingClient();
      const errors: unknown[] = [];
      // With the default of 15 messages a batch. All batches wait in one queue, some longer than the default timeout.
      const settings = { flushInterval: 1_000, httpRequestTimeout: STREAM_TIMEOUT_MS, httpClient };
      const client = new Analytics({ host: worker.url, writeKey: workspace.key, ...settings });
      client.on("error", (error) => errors.push(error));
      const sender = senderOf({ ...sendingBy(client), flush: async () => undefined });

      await faulty.setFaults({ rate: RATE, seed: 1 });
      for (const one of stream.groups) sender.group(one);
      await sender.flush();
      for (const one of stream.identifies) sender.identify(one);
      for (const one of stream.tracks) sender.track(one);
      await sender.flush();

      expect(await unseen()).toEqual([]);
      await faulty.setFaults({ rate: 0, seed: 1 });
      expect(errors).toEqual([]);
      expect(await storedMessages(worker, workspace)).toEqual(stream.stored);
      expect(await userAccounts(worker, workspace)).toEqual(stream.accounts);
      expect(await userTraits(worker, workspace, "round")).toEqual(stream.rounds);

      const answers = [...heard.values()].flat();
      expect(undocumented(answers)).toEqual([]);
      expect(answers.filter(({ status }) => status === 503).length).toBeGreaterThan(0);
      const sum = (of: (answer: Result) => number) => answers.reduce((total, answer) => total + of(answer), 0);
      expect(sum(({ stored }) => stored) + sum(({ duplicates }) => duplicates)).toBe(MESSAGES);
      expect(sum(({ duplicates }) => duplicates)).toBeGreaterThan(0);
      expect([...heard.values()].filter((results) => !isAcknowledgedOnce(results))).toEqual([]);
    },
    STREAM_TIMEOUT_MS,
  );

  it(
    `§3 §8 stores each of ${CAPTURES} captures with an Idempotency-Key once when senders retry`,
    async () => {
      const { worker } = faulty;
      const workspace = await worker.createWorkspace({ writeLimit: 100_000 });
      const keys = Array.from({ length: CAPTURES }, (_, n) => `capture-${n}`);

      /** Retries until a 200 as a sender would, and waits for as long as the service says. */
      const send = async (key: string): Promise<Result[]> => {
        const results: Result[] = [];
        while (results.length < MAX_ATTEMPTS) {
          const response = await fetchWith(`${worker.url}/api/v1/events`, {
            method: "POST",
            headers: { authorization: `Bearer ${workspace.key}`, "idempotency-key": key },
            body: JSON.stringify({
              accountId: accountId(key),
              userId: `of-${accountId(key)}`,
              event: "report.exported",
            }),
            dispatcher: agent,
          });
          const { status } = response;
          const answer = await response.json();
          const retryAfter = response.headers.get("retry-after");
          if (status !== 200) {
            results.push({ status, retryAfter, stored: 0, duplicates: 0 });
            await sleep(Number(retryAfter) * 1_000);
            continue;
          }
          const { deduped, account } = Captured.parse(answer);
          if (account.externalId !== accountId(key)) throw new Error(`${key} got the account ${account.externalId}`);
          return [...results, { status, retryAfter, stored: deduped ? 0 : 1, duplicates: deduped ? 1 : 0 }];
        }
        return results;
      };

      await faulty.setFaults({ rate: RATE, seed: 2 });
      const queue = keys.toReversed();
      const heard: Result[][] = [];
      const sending = Array.from({ length: CAPTURE_SENDERS }, async () => {
        for (let key = queue.pop(); key !== undefined; key = queue.pop()) heard.push(await send(key));
      });
      await Promise.all(sending);

      expect(await unseen()).toEqual([]);
      await faulty.setFaults({ rate: 0, seed: 2 });
      expect(await storedMessages(worker, workspace)).toEqual(
        keys.toSorted().map((messageId) => {
          const account = accountId(messageId);
          return { messageId, type: "track", user: `of-${account}`, account: `company:${account}` };
        }),
      );
      expect(undocumented(heard.flat())).toEqual([]);
      expect(heard.filter((results) => !isAcknowledgedOnce(results))).toEqual([]);
      const deduplicated = heard.flat().reduce((sum, { duplicates }) => sum + duplicates, 0);
      expect(deduplicated).toBeGreaterThan(0);
      expect(heard.flat().reduce((sum, { stored }) => sum + stored, 0) + deduplicated).toBe(CAPTURES);
    },
    STREAM_TIMEOUT_MS,
  );
});

/** Binds the library's calls. */
function sendingBy(client: Analytics) {
  type Done = (error?: unknown) => void;
  return {
    track: (message: Parameters<Analytics["track"]>[0], done: Done) => client.track(message, done),
    identify: (message: Parameters<Analytics["identify"]>[0], done: Done) => client.identify(message, done),
    group: (message: Parameters<Analytics["group"]>[0], done: Done) => client.group(message, done),
    page: (message: Parameters<Analytics["page"]>[0], done: Done) => client.page(message, done),
  };
}
