/** Runs tasks on threads, one for each core: the in-memory database of a workspace blocks its thread. */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

import type { ObservedShuffle, ObservedWorkspace } from "./observed.ts";
import type { WorkspaceOptions } from "../simulator/plan.ts";

export type Task = { kind: "workspace" | "shuffle" } & WorkspaceOptions;
export type Result =
  | { kind: "workspace"; observed: ObservedWorkspace }
  | { kind: "shuffle"; observed: ObservedShuffle };

/** Returns the results in the order of the tasks. */
export async function runTasks(tasks: readonly Task[], done: (task: Task) => void): Promise<Result[]> {
  const results: Result[] = [];
  const left = [...tasks.entries()];
  const runNext = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, task] = next;
      results[index] = await runTask(task);
      done(task);
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), tasks.length) }, runNext));
  return results;
}

function runTask(task: Task): Promise<Result> {
  return new Promise((settle, reject) => {
    const worker = new Worker(new URL("thread.ts", import.meta.url), { workerData: task });
    worker.once("message", settle);
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`A thread ended with ${code} and without a result.`)));
  });
}
