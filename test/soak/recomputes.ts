/** Recomputes again and again while senders write. */
import { setTimeout as sleep } from "node:timers/promises";

import * as z from "zod";

import type { AdminClient } from "../harness/admin-client.ts";

const Run = z.object({ eventsFolded: z.number(), accountsScored: z.number(), complete: z.boolean() });

const MAX_LAST_RUNS = 60;

export class Recomputes {
  runs = 0;
  readonly failures: string[] = [];
  readonly #worker: AdminClient;

  constructor(worker: AdminClient) {
    this.#worker = worker;
  }

  /** Recomputes until it is stopped. */
  async repeat(everyMs: number, stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      await sleep(everyMs, undefined, { signal: stop }).catch(() => undefined);
      if (!stop.aborted) await this.#runOnce();
    }
  }

  /** Recomputes until nothing is left to do. @returns whether that was reached */
  async finish(): Promise<boolean> {
    for (let runs = 0; runs < MAX_LAST_RUNS; runs++) {
      const run = await this.#runOnce();
      if (run === undefined) return false;
      if (run.complete && run.eventsFolded === 0 && run.accountsScored === 0) return true;
    }
    return false;
  }

  async #runOnce(): Promise<z.infer<typeof Run> | undefined> {
    this.runs += 1;
    const response = await this.#worker.admin("POST", "/admin/recompute");
    const answer = await response.text();
    const run = Run.safeParse(JSON.parse(answer)).data;
    if (run === undefined) this.failures.push(`a recompute returned ${response.status}: ${answer}`);
    return run;
  }
}
