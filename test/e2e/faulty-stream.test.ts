/**
 * Senders whose service fails all the time: one in ten of its calls to D1 and to the objects is lost, refused, late, or
 * done and not answered. All else is real: the library and its retries, HTTP, the Worker, the database.
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

const MESSAGES = 20_000;
const CAPTURES = 2_000;
const RATE = 0.1;
const CONNECTIONS = 24;
/** More than connections: who was told to wait holds none. */
const CAPTURE_SENDERS = 100;
const MAX_ATTEMPTS = 30;
const STREAM_TIMEOUT_MS = 240_000;
const DAY_MS = 86_400_000;

/** What was answered to one request. */
interface Heard {
  status: number;
  retryAfter: string | null;
  /** Of a 200. */
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

/** Sends for the library, over few connections, and hears what is answered to each batch, by its first message. */
function listening(): { httpClient: HTTPFetchFn; heard: Map<string, Heard[]> } {
  const heard = new Map<string, Heard[]>();
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

/** The answers that are none of the documented ones. */
const undocumented = (answers: Heard[]): Heard[] =>
  answers.filter(({ status, retryAfter }) => status !== 200 && !(/^(429|503)$/.test(String(status)) && retryAfter));

/**
 * Whether a request's last answer is its one 200, and its messages were all new then; or all duplicates, since they
 * were stored when the sender was told 503.
 */
function isAcknowledgedOnce(told: Heard[]): boolean {
  const refused = told.slice(0, -1);
  const last = told.at(-1);
  if (last?.status !== 200 || refused.some(({ status }) => status === 200)) return false;
  const { stored, duplicates } = last;
  return duplicates === 0 ? stored > 0 : stored === 0 && refused.some(({ status }) => status === 503);
}

/** The account that a capture is of. */
const accountId = (key: string): string => `company-${key.length % 3}`;

/** Kinds of faults that did not strike. */
const unseen = async (): Promise<string[]> =>
  Object.entries(await faulty.faults()).flatMap(([kind, count]) => (count > 0 ? [] : [kind]));

describe("§4.4 §8 a service that meets a fault at one in ten of its calls", () => {
  it(
    `§4.4 §8 takes ${MESSAGES} messages from Segment's library, and has each of them once`,
    async () => {
      const { worker } = faulty;
      const workspace = await worker.createWorkspace({ writeLimit: 100_000 });
      const stream = streamOf(MESSAGES, Date.now() - DAY_MS);
      const { httpClient, heard } = listening();
      const errors: unknown[] = [];
      // The default of 15 messages a batch. All batches wait in one queue, some of them for longer than the default.
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
      const sum = (of: (answer: Heard) => number) => answers.reduce((total, answer) => total + of(answer), 0);
      expect(sum(({ stored }) => stored) + sum(({ duplicates }) => duplicates)).toBe(MESSAGES);
      expect(sum(({ duplicates }) => duplicates)).toBeGreaterThan(0);
      expect([...heard.values()].filter((told) => !isAcknowledgedOnce(told))).toEqual([]);
    },
    STREAM_TIMEOUT_MS,
  );

  it(
    `§3 §8 takes ${CAPTURES} captures with an Idempotency-Key from a sender that repeats, and has each of them once`,
    async () => {
      const { worker } = faulty;
      const workspace = await worker.createWorkspace({ writeLimit: 100_000 });
      const keys = Array.from({ length: CAPTURES }, (_, n) => `capture-${n}`);

      /** As a sender would write it: until it is told 200, at most so often, and after as long as it is told to wait. */
      const send = async (key: string): Promise<Heard[]> => {
        const told: Heard[] = [];
        while (told.length < MAX_ATTEMPTS) {
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
            told.push({ status, retryAfter, stored: 0, duplicates: 0 });
            await sleep(Number(retryAfter) * 1_000);
            continue;
          }
          const { deduped, account } = Captured.parse(answer);
          if (account.externalId !== accountId(key)) throw new Error(`${key} was answered ${account.externalId}`);
          return [...told, { status, retryAfter, stored: deduped ? 0 : 1, duplicates: deduped ? 1 : 0 }];
        }
        return told;
      };

      await faulty.setFaults({ rate: RATE, seed: 2 });
      const queue = keys.toReversed();
      const heard: Heard[][] = [];
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
      expect(heard.filter((told) => !isAcknowledgedOnce(told))).toEqual([]);
      const deduplicated = heard.flat().reduce((sum, { duplicates }) => sum + duplicates, 0);
      expect(deduplicated).toBeGreaterThan(0);
      expect(heard.flat().reduce((sum, { stored }) => sum + stored, 0) + deduplicated).toBe(CAPTURES);
    },
    STREAM_TIMEOUT_MS,
  );
});

/** The library's calls, bound. */
function sendingBy(client: Analytics) {
  type Done = (error?: unknown) => void;
  return {
    track: (message: Parameters<Analytics["track"]>[0], done: Done) => client.track(message, done),
    identify: (message: Parameters<Analytics["identify"]>[0], done: Done) => client.identify(message, done),
    group: (message: Parameters<Analytics["group"]>[0], done: Done) => client.group(message, done),
    page: (message: Parameters<Analytics["page"]>[0], done: Done) => client.page(message, done),
  };
}
