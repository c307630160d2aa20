/** A thread's one task: see tasks.ts. */
import { parentPort, workerData } from "node:worker_threads";

import { runShuffled } from "./service/run-shuffled.ts";
import { runWorkspace } from "./service/run-workspace.ts";
import type { Result, Task } from "./tasks.ts";
import { planWorkspace } from "../simulator/plan.ts";

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- tasks.ts starts threads with nothing else
const task = workerData as Task;
const plan = planWorkspace(task);
const result: Result =
  task.kind === "workspace"
    ? { kind: "workspace", observed: await runWorkspace(plan) }
    : { kind: "shuffle", observed: await runShuffled(plan) };
parentPort?.postMessage(result, []);
