/** Runs one task on its thread: see tasks.ts. */
import { parentPort, workerData } from "node:worker_threads";

import { runShuffled, runWorkspace } from "./run-workspace.ts";
import type { Result, Task } from "./tasks.ts";
import { planWorkspace } from "../simulator/plan.ts";

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- tasks.ts is the only one to start it
const task = workerData as Task;
const plan = planWorkspace(task);
const result: Result =
  task.kind === "workspace"
    ? { kind: "workspace", observed: await runWorkspace(plan) }
    : { kind: "shuffle", observed: await runShuffled(plan) };
parentPort?.postMessage(result, []);
