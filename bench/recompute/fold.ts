/** Measures how fast the log is folded, against a plain GROUP BY. */
import { DAY_MS } from "../../src/core/durations.ts";
import { STEP_SIZES } from "../../src/services/recompute/run-state.ts";
import { recompute } from "../../src/services/recompute/recompute-workspaces.ts";
import { environmentOf, withDatabase } from "../local/database.ts";
import { fillLog, fillWorkspace, LOG, NOW, WORKSPACE } from "../local/fill.ts";
import { sampleHeap } from "./heap.ts";
import { type Cost, Meter } from "../local/meter.ts";

const SAMPLES = 10;

export interface FoldFigures {
  messages: number;
  rollups: number;
  cost: Cost;
  eventsPerSecond: number;
  /** Milliseconds of SQL for one plain GROUP BY of the same messages into an empty table. */
  floorMs: number;
  heap: number[];
}

export const measureFold = (messages: number): Promise<FoldFigures> =>
  withDatabase(async (database) => {
    await fillWorkspace(database, LOG.accounts, LOG.usersEach);
    await fillLog(database, WORKSPACE, messages);
    const meter = new Meter(database);
    const heap = [sampleHeap()];
    const batches = Math.ceil(messages / STEP_SIZES.messages);
    const folded = () => meter.timesOf("INSERT INTO rollups");
    meter.onBatch = () => {
      if (folded() >= (heap.length * batches) / SAMPLES) heap.push(sampleHeap());
    };
    const result = await recompute(environmentOf(meter), {
      now: NOW,
      trigger: "admin",
      // The clock stops until everything is folded, and then exceeds the budget: scoring is measured elsewhere.
      clock: () => (folded() < batches ? NOW : NOW + 1),
      budgetMs: 1,
    });
    if (result.outcome !== "done" || result.run.eventsFolded !== messages) throw new Error("The fold is not complete.");
    const cost = meter.take();
    return {
      messages,
      rollups: await countRollups(database),
      cost,
      eventsPerSecond: messages / (cost.sqlMs / 1_000),
      floorMs: await measureFloor(database),
      heap,
    };
  });

async function countRollups(database: D1Database): Promise<number> {
  const { results } = await database.prepare("SELECT count(*) AS count FROM rollups").run<{ count: number }>();
  return results[0]?.count ?? 0;
}

async function measureFloor(database: D1Database): Promise<number> {
  await database
    .prepare(
      `CREATE TABLE floor (account integer NOT NULL, day integer NOT NULL, user integer NOT NULL, event text NOT NULL,
         count integer NOT NULL, last_at integer NOT NULL, PRIMARY KEY (account, day, user, event)) WITHOUT ROWID`,
    )
    .run();
  const { meta } = await database
    .prepare(
      `INSERT INTO floor SELECT account, occurred_at / ${DAY_MS}, user, event, count(*), max(occurred_at)
       FROM messages GROUP BY 1, 2, 3, 4`,
    )
    .run();
  return meta.duration;
}
