/**
 * Serves the Worker on bare workerd for all browser tests, with one workspace full of data. A run that takes screenshots
 * also has the workspace of `npm run demo`.
 */
import type { TestProject } from "vitest/node";

import { buildWorker } from "../../harness/build-worker.ts";
import { type ServedWorker, serveWorker } from "../../harness/serve-worker.ts";
import type { Served } from "./console.ts";
import { demo } from "./demo.ts";
import { fill } from "./fill.ts";
import { MAKES_IMAGES } from "./screenshots.ts";

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const worker = await serveWorker(await buildWorker());
  try {
    project.provide("served", await furnish(worker));
  } catch (error) {
    await worker[Symbol.asyncDispose]();
    throw error;
  }
  return async () => worker[Symbol.asyncDispose]();
}

async function furnish(worker: ServedWorker): Promise<Served> {
  const { url, adminToken } = worker;
  const full = await fill(worker);
  return { url, adminToken, full, shown: MAKES_IMAGES ? await demo(worker) : full };
}
