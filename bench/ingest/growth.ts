/** Compares how long a batch takes on a full database and on an empty one: two services, in turn. */
import { buildWorker } from "../../test/harness/build-worker.ts";
import { type ServedWorker, serveWorker } from "../../test/harness/serve-worker.ts";
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
const ROWS_PER_STATEMENT = 50_000;
const SEQ_BASE = 2 ** 32;

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

/** Fills the log by SQL in the shape that ingest stores. Requests would take longer than the whole bench. */
async function fill({ database }: ServedWorker, workspaceId: string, messages: number): Promise<void> {
  const workspace = await database
    .prepare("SELECT number FROM workspaces WHERE id = ?")
    .bind(workspaceId)
    .first<number>("number");
  if (workspace === null) throw new Error("the workspace is not stored");
  const statement = database.prepare(`
    INSERT INTO messages (workspace, source, ingest_id, type, seq, message_id, account, user, event, properties,
      occurred_at, received_at)
    WITH RECURSIVE n(i) AS (SELECT cast(?1 AS integer) UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
    SELECT ?3, 'cdp', i / 1000, 'track', ?4 + i, printf('%08x-%08x', ((i * 2654435761) & 0xffffffff) >> 11, i), i % 20 + 1,
      i % 100 + 1, 'report.exported', '{"accountId":"account-1","format":"pdf","pages":12,"source":"dashboard"}',
      1762000000000 + i * 1000, 1762000000000 + i * 1000
    FROM n`);
  for (let from = 1; from <= messages; from += ROWS_PER_STATEMENT) {
    const to = Math.min(from + ROWS_PER_STATEMENT - 1, messages);
    await statement.bind(from, to, workspace, workspace * SEQ_BASE).run();
  }
}
