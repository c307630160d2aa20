/** The load, made by a process of its own: what measures must not wait for what is measured. */
import { fork } from "node:child_process";
import { once } from "node:events";

import type { Job, Outcome } from "./job.ts";

export interface Load extends Disposable {
  /** @throws Error when a request was not answered as it should be */
  run(job: Job): Promise<Outcome>;
}

interface Told {
  outcome?: Outcome;
  error?: string;
}

export function startLoad(): Load {
  const child = fork(new URL("process.ts", import.meta.url));
  return {
    async run(job) {
      child.send(job);
      const [told] = (await once(child, "message")) as [Told];
      if (told.outcome === undefined) throw new Error(told.error);
      return told.outcome;
    },
    [Symbol.dispose]: () => void child.kill(),
  };
}
