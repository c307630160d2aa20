/**
 * Serves one Worker for all end-to-end tests that create their own workspaces and need nothing else of their own.
 * Vitest runs the default export once, before them. Only one file may recompute: a recompute does nothing while another
 * one runs.
 */
import { inject } from "vitest";
import type { TestProject } from "vitest/node";

import { type AdminClient, adminClient } from "./admin-client.ts";
import { buildWorker } from "./build-worker.ts";
import { serveWorker } from "./serve-worker.ts";

declare module "vitest" {
  interface ProvidedContext {
    sharedWorker: { url: string; adminToken: string };
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const worker = await serveWorker(await buildWorker(), { databases: ["DB_1"] });
  project.provide("sharedWorker", { url: worker.url, adminToken: worker.adminToken });
  return async () => worker[Symbol.asyncDispose]();
}

export function sharedWorker(): AdminClient {
  const { url, adminToken } = inject("sharedWorker");
  return adminClient(url, adminToken);
}
