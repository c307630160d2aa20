/** The load, made by a process of its own: what measures must not wait for what is measured. */
import { fork } from "node:child_process";
import { once } from "node:events";

import { z } from "zod";

import type { Job, Outcome } from "./job.ts";

export interface Load extends Disposable {
  /** @throws Error when a request was not answered as it should be */
  run(job: Job): Promise<Outcome>;
}

const Told = z.union([
  z.object({ outcome: z.object({ requests: z.number(), elapsedMs: z.number(), p50: z.number(), p99: z.number() }) }),
  z.object({ error: z.string() }),
]);

export function startLoad(): Load {
  const child = fork(new URL("process.ts", import.meta.url));
  const ended = once(child, "exit").then(() => [{ error: "the process that makes the load has ended" }]);
  return {
    async run(job) {
      child.send(job);
      const [message]: unknown[] = await Promise.race([once(child, "message"), ended]);
      const told = Told.parse(message);
      if ("error" in told) throw new Error(told.error);
      return told.outcome;
    },
    [Symbol.dispose]: () => void child.kill(),
  };
}
