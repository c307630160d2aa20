/**
 * Sends to a service that fails all the time: one in ten of its calls to D1 and to Durable Objects is lost, refused, late,
 * or done without an answer. Everything else is real: the library and its retries, HTTP, the Worker, the database.
 */
import { Analytics, type HTTPFetchFn } from "@segment/analytics-node";
import { Agent, fetch as fetchWith } from "undici";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";

import { buildWorker } from "../harness/build-worker.ts";
import { type ServedWorker, serveWorker } from "../harness/serve-worker.ts";
import { senderOf } from "./senders/sender.ts";
import { expectStored, streamOf } from "./senders/stream.ts";

const USERS = 200;
const TRACKS = 3_600;
const MESSAGES = TRACKS + 2 * USERS;
const RATE = 0.1;
const CONNECTIONS = 24;
const STREAM_TIMEOUT_MS = 240_000;

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
const Counts = z.record(z.string(), z.number());

let worker: ServedWorker;
const agent = new Agent({ connections: CONNECTIONS });
beforeAll(async () => {
  worker = await serveWorker(await buildWorker("test/workers/faults/worker/index.ts"));
});
afterAll(async () => {
  await agent.close();
  await worker[Symbol.asyncDispose]();
});

/** Sets the rate of faults, and returns how many of each kind have happened since the last call. */
async function setFaults(rate: number): Promise<Record<string, number>> {
  const counts = await fetch(`${worker.url}/faults`);
  await fetch(`${worker.url}/faults`, { method: "PUT", body: JSON.stringify({ rate, seed: 1 }) });
  return Counts.parse(await counts.json());
}

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

it(
  `§4.4 §8 a service with a fault in one of ten calls stores each of ${MESSAGES} messages from Segment's library once`,
  async () => {
    const workspace = await worker.createWorkspace({ writeLimit: 100_000 });
    const stream = streamOf(USERS, TRACKS);
    const { httpClient, heard } = recordingClient();
    const errors: unknown[] = [];
    // With the default of 15 messages a batch. All batches wait in one queue, some longer than the default timeout.
    const settings = { flushInterval: 1_000, httpRequestTimeout: STREAM_TIMEOUT_MS, httpClient };
    const client = new Analytics({ host: worker.url, writeKey: workspace.key, ...settings });
    client.on("error", (error) => errors.push(error));
    const sender = senderOf(client);

    await setFaults(RATE);
    for (const one of stream.groups) sender.group(one);
    await sender.flush();
    for (const one of stream.identifies) sender.identify(one);
    for (const { sent } of stream.tracks) sender.track(sent);
    await sender.flush();

    // Every kind of fault has happened.
    expect(Object.entries(await setFaults(0)).filter(([, count]) => count === 0)).toEqual([]);
    expect(errors).toEqual([]);
    await expectStored(worker, workspace, stream);

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
