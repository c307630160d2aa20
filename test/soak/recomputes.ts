/** Fires the cron again and again, and reads the results from the Worker's log. */
import { setTimeout as sleep } from "node:timers/promises";

import * as z from "zod";

const Line = z.object({
  operation: z.literal("recompute"),
  run: z.object({ eventsFolded: z.number(), accountsScored: z.number(), complete: z.boolean() }),
});
type Run = z.infer<typeof Line>["run"];

const MAX_LAST_RUNS = 60;
/** How long a log line may take from the Worker. */
const LINE_MS = 5_000;

export class Recomputes {
  runs = 0;
  readonly failures: string[] = [];
  readonly #fire: () => Promise<void>;
  #last: Run | null = null;

  /** @param fire fires the cron and waits for its end */
  constructor(fire: () => Promise<void>) {
    this.#fire = fire;
  }

  /** Takes a line of the Worker's log. */
  read(line: string): void {
    if (line.includes('"operation":"recompute"')) this.#last = Line.safeParse(JSON.parse(line)).data?.run ?? this.#last;
  }

  /** Fires until it is stopped. */
  async repeat(everyMs: number, stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      await sleep(everyMs, undefined, { signal: stop }).catch(() => undefined);
      if (!stop.aborted) await this.#runOnce();
    }
  }

  /** Fires until nothing is left to do. @returns whether that was reached */
  async finish(): Promise<boolean> {
    for (let runs = 0; runs < MAX_LAST_RUNS; runs++) {
      const run = await this.#runOnce();
      if (run === null) return false;
      if (run.complete && run.eventsFolded === 0 && run.accountsScored === 0) return true;
    }
    return false;
  }

  async #runOnce(): Promise<Run | null> {
    this.#last = null;
    this.runs += 1;
    try {
      await this.#fire();
    } catch (error) {
      this.failures.push(String(error));
      return null;
    }
    for (const until = performance.now() + LINE_MS; this.#last === null && performance.now() < until;) await sleep(10);
    if (this.#last === null) this.failures.push("a recompute logged nothing");
    return this.#last;
  }
}
