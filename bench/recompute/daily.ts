/** Measures a run with all accounts due (after midnight), with one in a hundred (late events), and with none. */
import { DAY_MS } from "../../src/core/durations.ts";
import type { RunFigures } from "../../src/services/recompute/run-state.ts";
import { recompute } from "../../src/services/recompute/recompute-workspaces.ts";
import { environmentOf, withDatabase } from "../local/database.ts";
import {
  fillWorkspace,
  base,
  forEachNumber,
  INSERT_MESSAGES,
  NOW,
  spread,
  TODAY,
  own,
  WORKSPACE,
} from "../local/fill.ts";
import { sampleHeap } from "./heap.ts";
import { type Cost, Meter } from "../local/meter.ts";

const USERS_EACH = 3;
const EVENTS = 8;
const EVENTS_A_DAY = 4;
/** The ages of accounts, in days. */
const AGES = { min: 60, max: 90 };
/** One in this many accounts has a late event from this many days ago. */
const LATE = { oneIn: 100, daysAgo: 3 };
/** Batches between two samples of memory. */
const BATCHES_PER_SAMPLE = 20;

export interface RunCost {
  name: "first" | "full" | "late" | "idle";
  cost: Cost;
  figures: RunFigures;
  /** Elapsed milliseconds outside of batches: scoring. */
  scoringMs: number;
  heap: number[];
}

/** The first run scores the whole history, the full one the next day. */
export const measureDays = (accounts: number): Promise<RunCost[]> =>
  withDatabase(async (database) => {
    await fillWorkspace(database, accounts, USERS_EACH);
    await fillHistory(database, accounts);
    const meter = new Meter(database);
    const first = await measureRun("first", meter, NOW - DAY_MS);
    await addYesterday(database, accounts);
    const full = await measureRun("full", meter, NOW);
    await addLateEvents(database, accounts);
    const late = await measureRun("late", meter, NOW);
    return [first, full, late, await measureRun("idle", meter, NOW)];
  });

async function measureRun(name: RunCost["name"], meter: Meter, now: number): Promise<RunCost> {
  const heap = [sampleHeap()];
  let batches = 0;
  meter.onBatch = () => {
    batches += 1;
    if (batches % BATCHES_PER_SAMPLE === 0) heap.push(sampleHeap());
  };
  const startedAt = performance.now();
  const result = await recompute(environmentOf(meter), {
    now,
    trigger: "admin",
    clock: Date.now,
    budgetMs: DAY_MS,
    maxStatements: Infinity,
  });
  const elapsedMs = performance.now() - startedAt;
  if (result.outcome !== "done" || !result.run.complete) throw new Error("The run did not finish.");
  heap.push(sampleHeap());
  const cost = meter.take();
  return { name, cost, figures: result.run, scoringMs: elapsedMs - cost.batchMs, heap };
}

const [FIRST_DAY, DAY_BEFORE_YESTERDAY] = [TODAY - AGES.max - 1, TODAY - 2];
const age = `(${AGES.min} + ${spread("i", AGES.max - AGES.min + 1, 0)})`;
/** 1970-01-01 was a Thursday. */
const isBusinessDay = (day: string) => `(${day} + 3) % 7 < 5`;
/** Accounts pause for a day now and then, and a few have left for good. */
const isActive = (day: string) => `${spread(`(i * 131 + ${day})`, 10, 1)} > 0
  AND (${spread("i", 20, 2)} > 0 OR ${day} < ${TODAY} - ${spread("i", 40, 3)})`;
const userOf = (day: string, place: string) => own(`(i - 1) * ${USERS_EACH} + (${place} + ${day}) % ${USERS_EACH} + 1`);
const eventOf = (day: string, place: string) => `((i + ${place} * 3 + ${day}) % ${EVENTS} + 1)`;

/** Fills folded days up to the day before yesterday, without any scores. */
async function fillHistory(database: D1Database, accounts: number): Promise<void> {
  await forEachNumber(
    database,
    EVENTS,
    `INSERT INTO event_names (number, workspace, name) SELECT ${own("i")}, ${WORKSPACE}, 'report.event-' || i FROM n`,
  );
  for (let day = FIRST_DAY; day <= DAY_BEFORE_YESTERDAY; day += 1) {
    await forEachNumber(
      database,
      accounts,
      `INSERT INTO rollups (account, day, user, event, count, last_at)
       SELECT ${own("i")}, ${day}, ${userOf(`${day}`, "p.value")}, ${own(eventOf(`${day}`, "p.value"))}, 1, ${day * DAY_MS} + 36000000
       FROM n CROSS JOIN json_each('${PLACES}') p
       WHERE ${isBusinessDay(`${day}`)} AND ${day} >= ${TODAY} - ${age} AND ${isActive(`${day}`)}`,
    );
  }
  await database.batch([
    database.prepare(
      `INSERT INTO workspace_days (workspace, day, events) SELECT ${WORKSPACE}, day, count(*) FROM rollups GROUP BY day`,
    ),
    database.prepare(`INSERT INTO folds (workspace, watermark) VALUES (${WORKSPACE}, ${base(WORKSPACE)})`),
  ]);
  const firstDay = `${TODAY} - ${age}`;
  await forEachNumber(
    database,
    accounts,
    `INSERT INTO attribute_days (account, day, attributes)
     SELECT ${own("i")}, ${firstDay}, json_object('stage', json_array('active', 0, 0), 'seats', json_array(3 + i % 4, 0, 0),
       'mrr', json_array(100 + ${spread("i", 900, 1)}, 0, 0), 'currency', json_array('EUR', 0, 0)) FROM n`,
  );
  await forEachNumber(
    database,
    accounts,
    `INSERT INTO account_progress (workspace, account, first_at, last_event_at, summarize_from, score_from, due_at)
     SELECT ${WORKSPACE}, ${own("i")}, (${firstDay}) * ${DAY_MS}, ${(TODAY - 1) * DAY_MS}, ${firstDay}, ${firstDay}, 0 FROM n`,
  );
}

const PLACES = JSON.stringify(Array.from({ length: EVENTS_A_DAY }, (_, place) => place));

/** Adds the messages of the day that the full run finds complete. */
async function addYesterday(database: D1Database, accounts: number): Promise<void> {
  const day = TODAY - 1;
  for (let place = 0; place < EVENTS_A_DAY; place += 1) {
    await forEachNumber(
      database,
      accounts,
      `${INSERT_MESSAGES}
       SELECT ${messageValues(`${place * accounts} + i`, day, `${place}`)} FROM n`,
    );
  }
}

async function addLateEvents(database: D1Database, accounts: number): Promise<void> {
  await forEachNumber(
    database,
    accounts,
    `${INSERT_MESSAGES}
     SELECT ${messageValues(`${EVENTS_A_DAY * accounts} + i / ${LATE.oneIn}`, TODAY - LATE.daysAgo, "0")}
     FROM n WHERE i % ${LATE.oneIn} = 0`,
  );
}

const messageValues = (number: string, day: number, place: string) => `
  ${WORKSPACE}, 'cdp', 0, 'track', ${own(number)}, 'message-' || (${number}), ${own("i")}, ${userOf(`${day}`, place)},
  'report.event-' || ${eventOf(`${day}`, place)}, '{"pages":12}', NULL, ${day * DAY_MS} + 36000000, ${NOW}`;
