/** Compares how long a batch takes on a full database and on an empty one: two services, in turn. */
import { buildWorker } from "../../test/harness/build-worker.ts";
import { type ServedWorker, serveWorker } from "../../test/harness/serve-worker.ts";
import { fillLog } from "../local/fill.ts";
import type { Load } from "./load/load.ts";
import { median } from "./medians.ts";

export interface Growth {
  messages: number;
  /** Median milliseconds from a request to the end of its response. */
  emptyMs: number;
  filledMs: number;
}

const ROUNDS = 6;
const ROUND_MS = 1_000;

export async function measureGrowth(load: Load, messages: number): Promise<Growth> {
  const script = await buildWorker();
  await using empty = await serveWorker(script);
  await using filled = await serveWorker(script);
  const targets = await Promise.all(
    [empty, filled].map(async (service) => {
      const { id, key } = await service.createWorkspace({ writeLimit: 100_000 });
      return { service, id, key, ms: [] as number[] };
    }),
  );
  const [none, many] = targets;
  if (none === undefined || many === undefined) throw new Error("no services");
  await fill(many.service, many.id, messages);
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { service, key, ms } of targets) {
      const outcome = await load.run({
        url: `${service.url}/v1/batch`,
        keys: [key],
        payload: { form: "batch", messages: 1_000 },
        status: 200,
        connections: 1,
        durationMs: ROUND_MS,
        // Stays below the workspace's write limit.
        perSecond: 8,
      });
      if (round > 0) ms.push(outcome.p50);
    }
  }
  return { messages, emptyMs: median(none.ms), filledMs: median(many.ms) };
}

async function fill({ database }: ServedWorker, workspaceId: string, messages: number): Promise<void> {
  const workspace = await database
    .prepare("SELECT number FROM workspaces WHERE id = ?")
    .bind(workspaceId)
    .first<number>("number");
  if (workspace === null) throw new Error("the workspace is not stored");
  await fillLog(database, workspace, messages);
}
