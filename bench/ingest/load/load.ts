/** Sends requests from another process, so that the measurement never waits for the service. */
import { fork } from "node:child_process";
import { once } from "node:events";

import { z } from "zod";

import { type Job, Outcome } from "./job.ts";

export interface Load extends Disposable {
  /** @throws Error if a response has another status than expected */
  run(job: Job): Promise<Outcome>;
}

const Reply = z.union([z.object({ outcome: Outcome }), z.object({ error: z.string() })]);

export function startLoad(): Load {
  const child = fork(new URL("drive.ts", import.meta.url));
  const ended = once(child, "exit").then(() => [{ error: "the process that sends requests has ended" }]);
  return {
    async run(job) {
      child.send(job);
      const [message]: unknown[] = await Promise.race([once(child, "message"), ended]);
      const reply = Reply.parse(message);
      if ("error" in reply) throw new Error(reply.error);
      return reply.outcome;
    },
    [Symbol.dispose]: () => void child.kill(),
  };
}
