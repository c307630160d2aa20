/** Serves a Worker whose calls to D1 and Durable Objects fail at a chosen rate: see test/workers/faults/worker. */
import { z } from "zod";

import { buildWorker } from "../../harness/build-worker.ts";
import { type ServedWorker, serveWorker } from "../../harness/serve-worker.ts";

const ENTRY = "test/workers/faults/worker/index.ts";

const Counts = z.record(z.string(), z.number());

export interface FaultyWorker {
  worker: ServedWorker;
  /** Sets the rate from now on, and resets the counters. */
  setFaults(settings: { rate: number; seed: number }): Promise<void>;
  /** Counts the faults by kind. */
  faults(): Promise<Record<string, number>>;
}

export async function serveFaultyWorker(): Promise<FaultyWorker> {
  const worker = await serveWorker(await buildWorker(ENTRY));
  const ask = async (init?: RequestInit) => Counts.parse(await (await fetch(`${worker.url}/faults`, init)).json());
  return {
    worker,
    setFaults: async (settings) => {
      await ask({ method: "PUT", body: JSON.stringify(settings) });
    },
    faults: () => ask(),
  };
}
