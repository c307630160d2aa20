/** Fires the cron again and again, and reads from the Worker's own log lines what came of it. */
import * as z from "zod";

import { pause } from "./load/pause.ts";

export interface RecomputeRun {
  eventsFolded: number;
  accountsScored: number;
  /** False where it left something to the next run. */
  complete: boolean;
  ms: number;
}

const Line = z.object({
  operation: z.literal("recompute"),
  run: z.object({
    eventsFolded: z.number(),
    accountsScored: z.number(),
    complete: z.boolean(),
    startedAt: z.number(),
    finishedAt: z.number(),
  }),
});

/** So many runs may bring what is left to its end. */
const MOST_LAST_RUNS = 60;
/** What a line may take from the Worker to here. */
const LINE_MS = 5_000;

export class Recomputes {
  readonly #fire: () => Promise<void>;
  #sinceTaken: RecomputeRun[] = [];
  #last: RecomputeRun | null = null;
  runs = 0;
  readonly failures: string[] = [];

  /** @param fire fires the cron and waits for its end */
  constructor(fire: () => Promise<void>) {
    this.#fire = fire;
  }

  /** To be given each line that the Worker logs. */
  read(line: string): void {
    if (!line.includes('"operation":"recompute"')) return;
    const told = Line.safeParse(JSON.parse(line)).data;
    if (told === undefined) return; // another run was under way
    const { eventsFolded, accountsScored, complete, startedAt, finishedAt } = told.run;
    const run = { eventsFolded, accountsScored, complete, ms: finishedAt - startedAt };
    this.#last = run;
    this.#sinceTaken.push(run);
  }

  /** The runs that ended since it was asked last. */
  take(): RecomputeRun[] {
    return this.#sinceTaken.splice(0);
  }

  /** Fires until it is stopped: each run begins `everyMs` after the one before, but leaves half of that to the traffic. */
  async repeat(everyMs: number, stop: AbortSignal): Promise<void> {
    for (
      let dueAt = performance.now() + everyMs;
      ;
      dueAt = Math.max(dueAt + everyMs, performance.now() + everyMs / 2)
    ) {
      await pause(dueAt - performance.now(), stop);
      if (stop.aborted) return;
      await this.#once();
    }
  }

  /** Fires until nothing is left to do. @returns whether it came to that */
  async finish(): Promise<boolean> {
    for (let runs = 0; runs < MOST_LAST_RUNS; runs++) {
      const run = await this.#once();
      if (run === null) return false;
      if (run.complete && run.eventsFolded === 0 && run.accountsScored === 0) return true;
    }
    return false;
  }

  async #once(): Promise<RecomputeRun | null> {
    this.#last = null;
    this.runs += 1;
    try {
      await this.#fire();
    } catch (error) {
      this.failures.push(String(error));
      return null;
    }
    for (const until = performance.now() + LINE_MS; this.#last === null && performance.now() < until;) {
      await pause(10, new AbortController().signal);
    }
    if (this.#last === null) this.failures.push("a run of the recompute logged nothing");
    return this.#last;
  }
}
