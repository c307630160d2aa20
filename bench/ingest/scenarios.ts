/** The requests to measure, and the services that get them. */
import { setTimeout } from "node:timers/promises";

import type { ServedWorker } from "../../test/harness/serve-worker.ts";
import type { Job, Payload } from "./load/job.ts";
import type { Services } from "./services.ts";

export interface Scenario {
  name: string;
  service: ServedWorker;
  job: Omit<Job, "durationMs">;
  /** Messages that each request stores. */
  stored: number;
  /** Runs before each round. */
  prepare?: () => Promise<unknown>;
}

const SINGLES_AT_A_TIME = 16;
const BATCHES_AT_A_TIME = 2;

export function scenariosOf({ floor, naive, ours, keys, limitedKey }: Services): Scenario[] {
  const [key = ""] = keys;
  const scenario = (name: string, service: ServedWorker, path: string, payload: Payload, status = 200): Scenario => {
    const connections = payload.messages < 100 ? SINGLES_AT_A_TIME : BATCHES_AT_A_TIME;
    const stores = status === 200 && service !== floor && payload.form !== "duplicate";
    return {
      name,
      service,
      job: { url: service.url + path, keys, payload, status, connections },
      stored: stores ? payload.messages : 0,
    };
  };
  const one: Payload = { form: "track", messages: 1 };
  const refused = (name: string, refusedKey: string, status: number): Scenario => {
    const { job, ...rest } = scenario(name, ours, "/v1/track", one, status);
    return { ...rest, job: { ...job, keys: [refusedKey] } };
  };

  return [
    scenario("floor", floor, "/", one),
    scenario("naive", naive, "/events", one),
    scenario("naive batch of 1,000", naive, "/batch", batch(1_000)),
    scenario("capture", ours, "/api/v1/events", { form: "capture", messages: 1 }),
    scenario("track", ours, "/v1/track", one),
    scenario("batch of 15", ours, "/v1/batch", batch(15)),
    scenario("batch of 100", ours, "/v1/batch", batch(100)),
    scenario("batch of 1,000", ours, "/v1/batch", batch(1_000)),
    scenario("1,000 duplicates", ours, "/v1/batch", { form: "duplicate", messages: 1_000 }),
    // A key with a wrong checksum.
    refused("401", key.slice(0, -1) + (key.endsWith("0") ? "1" : "0"), 401),
    { ...refused("429", limitedKey, 429), prepare: () => useUp(ours, limitedKey) },
  ];
}

const batch = (messages: number): Payload => ({ form: "batch", messages });

/** The window of the write limit, and a scenario. */
const STILL_USED_UP_SECONDS = 15;

/** Uses up the write limit for 100 seconds with one batch larger than the limit, unless it is still used up long enough. */
async function useUp({ url }: ServedWorker, key: string): Promise<void> {
  const message = { type: "track", userId: "user-1", event: "Report Exported" };
  const body = JSON.stringify({ batch: Array.from({ length: 1_000 }, () => message) });
  for (;;) {
    const response = await fetch(`${url}/v1/batch`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body,
    });
    const text = await response.text();
    if (response.status === 200) return;
    if (response.status !== 429) throw new Error(text);
    const usedUpSeconds = Number(/;t=(\d+)/.exec(response.headers.get("ratelimit") ?? "")?.[1]);
    if (usedUpSeconds >= STILL_USED_UP_SECONDS) return;
    await setTimeout(1_000);
  }
}
