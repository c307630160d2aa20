/** Before all walks: the Worker on bare workerd, with one workspace that has something to show. After them it is gone. */
import type { TestProject } from "vitest/node";

import { buildWorker } from "../../../scripts/workerd/build-worker.ts";
import { serveWorker } from "../../../scripts/workerd/serve-worker.ts";
import { fill } from "./fill.ts";

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const worker = await serveWorker(await buildWorker());
  try {
    const { url, adminToken } = worker;
    project.provide("served", { url, adminToken, full: await fill(worker) });
  } catch (error) {
    await worker[Symbol.asyncDispose]();
    throw error;
  }
  return async () => worker[Symbol.asyncDispose]();
}
