/**
 * What a 200 is worth: every process of `npm start` is killed at once in the middle of a stream, time and again, on one
 * database. Many requests are under way at each crash, so some are stored without their sender ever hearing of it.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type Service, startService, type Workspace } from "../harness/service.ts";
import { discrepancies, NO_DISCREPANCIES, type Shipment, shipment } from "./senders/shipments.ts";
import { Reader, storedMessages } from "./senders/stored.ts";

const IN_FLIGHT = 6;
/** Each crash comes after so many acknowledgements. */
const CRASHES = [1, 20, 40, 80, 30].map((acknowledgements, index) => ({ crash: index + 1, acknowledgements }));
/** Far more than the crashes wait for. */
const MAX_REQUESTS = 1_000;

let service: Service;
let workspace: Workspace;
let reader: Reader;
/** All that was ever sent. */
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

/** Runs so many workers side by side. */
async function sideBySide(worker: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
}

/**
 * Streams until so many requests have been acknowledged, then kills the service under those that are under way.
 * @returns what failed before that, and how many were under way
 */
async function crashUnderLoad(acknowledgements: number): Promise<{ failures: string[]; cut: number }> {
  const failures: string[] = [];
  let cut = 0;
  const { promise: enough, resolve } = Promise.withResolvers<void>();
  let killed = false;
  let acknowledged = 0;
  const last = sent.length + MAX_REQUESTS;
  const streaming = sideBySide(async () => {
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

/** Sends everything again, and returns the answers that were not 200, or that stored again what was acknowledged. */
async function resendAll(): Promise<string[]> {
  const surprises: string[] = [];
  const queue = [...sent];
  await sideBySide(async () => {
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

describe("A service that is killed in the middle of a stream", () => {
  it.each(CRASHES)(
    "has every acknowledged message once after crash $crash, and all of them once when all are sent again",
    async ({ acknowledgements }) => {
      expect(await crashUnderLoad(acknowledgements)).toEqual({ failures: [], cut: IN_FLIGHT });

      await service.restart();

      expect(discrepancies(sent, await reader.events())).toEqual(NO_DISCREPANCIES);

      expect(await resendAll()).toEqual([]);
      const events = await reader.events();
      expect(discrepancies(sent, events)).toEqual(NO_DISCREPANCIES);
      expect(events).toHaveLength(sent.reduce((sum, { ids }) => sum + ids.length, 0));
      expect(await storedMessages(service, workspace)).toBe(sent.reduce((sum, { messages }) => sum + messages, 0));
    },
  );
});
