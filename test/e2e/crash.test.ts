/**
 * Kills every process of `npm start` at once in the middle of a stream, several times on one database. Many requests are
 * in flight at each crash, so some are stored although their sender never gets a response.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Workspace } from "../harness/admin-client.ts";
import { type Service, startService } from "../harness/service.ts";
import { eventsOf, notWhole, type Shipment, shipment, storedEvents } from "./senders/shipments.ts";
import { Reader, storedMessages } from "./senders/stored.ts";

const IN_FLIGHT = 6;
/** Each crash happens after this many acknowledgements. */
const CRASHES = [1, 80].map((acknowledgements, index) => ({ crash: index + 1, acknowledgements }));
/** Far more than the crashes need. */
const MAX_REQUESTS = 1_000;

let service: Service;
let workspace: Workspace;
let reader: Reader;
/** Everything sent so far. */
const sent: Shipment[] = [];

beforeAll(async () => {
  service = await startService();
  workspace = await service.createWorkspace({ writeLimit: 100_000 });
  reader = new Reader(service, workspace);
});
afterAll(() => service[Symbol.asyncDispose]());

function post({ path, headers, body }: Shipment): Promise<Response> {
  return fetch(service.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${workspace.key}`, "content-type": "application/json", ...headers },
    body,
  });
}

/** Runs the worker several times in parallel. */
async function inParallel(worker: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
}

/**
 * Streams until that many requests are acknowledged, then kills the service.
 *
 * @returns failures before the crash, and the number of requests in flight at it
 */
async function crashUnderLoad(acknowledgements: number): Promise<{ failures: string[]; cut: number }> {
  const failures: string[] = [];
  let cut = 0;
  const { promise: enough, resolve } = Promise.withResolvers<void>();
  let killed = false;
  let acknowledged = 0;
  const last = sent.length + MAX_REQUESTS;
  const streaming = inParallel(async () => {
    while (sent.length < last) {
      const next = shipment(sent.length);
      sent.push(next);
      try {
        const response = await post(next);
        if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
        next.acknowledged = true;
        await response.text();
      } catch (error) {
        if (killed) cut += 1;
        else failures.push(String(error));
        return;
      }
      acknowledged += 1;
      if (acknowledged === acknowledgements) resolve();
    }
  });
  await Promise.race([enough, streaming]);
  killed = true;
  await service.kill();
  await streaming;
  return { failures, cut };
}

/** Sends everything again. Returns responses other than 200, and those that stored an acknowledged message again. */
async function resendAll(): Promise<string[]> {
  const surprises: string[] = [];
  const queue = [...sent];
  await inParallel(async () => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const response = await post(next);
      const answer = await response.text();
      const { deduped }: { deduped?: boolean } = JSON.parse(answer);
      if (response.status !== 200 || (next.acknowledged && deduped !== true)) surprises.push(answer);
      next.acknowledged = true;
    }
  });
  return surprises;
}

describe("§4.4 §4.5 a service that is killed in the middle of a stream", () => {
  it.each(CRASHES)(
    "has stored every acknowledged message once after crash $crash, and every message once after a retry",
    async ({ acknowledgements }) => {
      expect(await crashUnderLoad(acknowledgements)).toEqual({ failures: [], cut: IN_FLIGHT });

      await service.restart();

      expect(notWhole(sent, await reader.events())).toEqual([]);

      expect(await resendAll()).toEqual([]);
      expect(storedEvents(await reader.events())).toEqual(eventsOf(sent));
      expect(await storedMessages(service, workspace)).toBe(sent.reduce((sum, { messages }) => sum + messages, 0));
    },
  );
});
