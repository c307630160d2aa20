/**
 * Recomputes a large workspace as the queue does, invocation by invocation: 50,000 accounts, ten of them with 2,000 daily
 * users. It shows what an invocation sends and loads. SQLite runs in this process, because only counts matter here.
 */
import { sum } from "d3-array";

import { DAY_MS } from "../../src/core/durations.ts";
import { recomputeWorkspace } from "../../src/services/recompute/recompute-workspaces.ts";
import { LocalDatabase } from "../../evals/simulator/local-database.ts";
import { environmentOf } from "../local/database.ts";
import { base, forEachNumber, NOW, own, spread, TODAY, WORKSPACE } from "../local/fill.ts";
import { TripRecorder } from "../local/trips.ts";
import { sampleHeap } from "./heap.ts";

const LARGE = { accounts: 10, dailyUsers: 2_000, days: 180 };
const HISTORY_DAYS = 60;
const REF = { id: "ws_bench", number: WORKSPACE, database: "DB" };
const MAX_INVOCATIONS = 1_000;
/** Round trips between two samples of memory. */
const TRIPS_PER_SAMPLE = 20;

export interface LargeRun {
  name: "first" | "daily";
  accountsScored: number;
  invocations: number;
  trips: number;
  /** The maximum number in an invocation. */
  statements: number;
  /** The most bytes that one round trip returned, as text. */
  bytes: number;
  /** The maximum MB after a garbage collection. */
  heap: number;
  seconds: number;
}

export async function measureLarge(accounts: number): Promise<LargeRun[]> {
  const database = LocalDatabase.create();
  try {
    await fill(database, accounts);
    const first = await measureRun("first", database, NOW);
    await addDay(database, accounts, TODAY);
    return [first, await measureRun("daily", database, NOW + DAY_MS)];
  } finally {
    database.close();
  }
}

async function measureRun(name: LargeRun["name"], database: LocalDatabase, now: number): Promise<LargeRun> {
  const startedAt = performance.now();
  const recorder = new TripRecorder(database);
  const most = { statements: 0, bytes: 0, heap: 0 };
  let [trips, accountsScored] = [0, 0];
  recorder.onTrip = () => {
    trips += 1;
    if (trips % TRIPS_PER_SAMPLE === 0) most.heap = Math.max(most.heap, sampleHeap());
  };
  for (let invocations = 1; invocations <= MAX_INVOCATIONS; invocations += 1) {
    const result = await recomputeWorkspace(environmentOf(recorder), REF, {
      now,
      trigger: "cron",
      clock: Date.now,
      budgetMs: DAY_MS,
    });
    if (result.outcome !== "done") throw new Error("Another run holds the lease.");
    const sent = recorder.take();
    most.statements = Math.max(
      most.statements,
      sum(sent, ({ statements }) => statements),
    );
    most.bytes = Math.max(most.bytes, ...sent.map(({ bytes }) => bytes));
    accountsScored += result.run.accountsScored;
    if (result.run.complete) {
      return { name, accountsScored, invocations, trips, ...most, seconds: (performance.now() - startedAt) / 1_000 };
    }
  }
  throw new Error("The workspace is never finished.");
}

/** Fills summarized days up to the day before yesterday, and the rollups of yesterday. */
async function fill(database: D1Database, accounts: number): Promise<void> {
  const run = (sql: string) => database.prepare(sql).run();
  await run(`INSERT INTO workspace_states (number, id, state) VALUES (${WORKSPACE}, '${REF.id}', 'live')`);
  await run(`INSERT INTO event_names (number, workspace, name) VALUES (${own("1")}, ${WORKSPACE}, 'report.exported')`);
  await forEachNumber(
    database,
    accounts,
    `INSERT INTO accounts (number, id, workspace, kind, external_id, created_at)
     SELECT ${own("i")}, printf('acc_%024x', i), ${WORKSPACE}, 'company', 'company-' || i, 0 FROM n`,
  );
  const lastDay = TODAY - 2;
  for (let day = TODAY - HISTORY_DAYS; day <= lastDay; day += 1) {
    await forEachNumber(
      database,
      accounts,
      `INSERT INTO account_days (account, day, events, user_days, users, features)
       SELECT ${own("i")}, ${day}, 6, 3, json_array(i * 3, i * 3 + 1, i * 3 + 2),
         json_object('1', json_array(6, json_array(i * 3, i * 3 + 1, i * 3 + 2)))
       FROM n WHERE i > ${LARGE.accounts} AND ${spread(`(i * 131 + ${day})`, 3, 1)} = 0`,
    );
  }
  await run(
    `INSERT INTO account_days (account, day, events, user_days, users, features)
     SELECT ${own("a.value")}, ${lastDay} - d.value, ${LARGE.dailyUsers}, ${LARGE.dailyUsers},
       (SELECT json_group_array(1000000 + a.value * ${LARGE.dailyUsers} + u.value) FROM json_each('${upTo(LARGE.dailyUsers)}') u),
       '{"1":[2000,[1,2,3]]}'
     FROM json_each('${upTo(LARGE.accounts)}') a CROSS JOIN json_each('${upTo(LARGE.days)}') d`,
  );
  await forEachNumber(
    database,
    accounts,
    `INSERT INTO account_progress (workspace, account, first_at, last_event_at, summarize_from, score_from, due_at, timeline)
     SELECT ${WORKSPACE}, ${own("i")}, ${(TODAY - LARGE.days) * DAY_MS}, ${(TODAY - 1) * DAY_MS}, ${TODAY - 1}, ${TODAY - 1}, 0,
       json_array(json_array(${TODAY - 60}, json_object('mrr', 100 + ${spread("i", 900, 1)}, 'currency', 'EUR'))) FROM n`,
  );
  await run(`INSERT INTO folds (workspace, watermark) VALUES (${WORKSPACE}, ${base(WORKSPACE)})`);
  await run(
    `INSERT INTO workspace_days (workspace, day, events)
     SELECT ${WORKSPACE}, day, sum(events) FROM account_days GROUP BY day`,
  );
  await addDay(database, accounts, TODAY - 1);
}

const upTo = (count: number): string => JSON.stringify(Array.from({ length: count }, (_, place) => place + 1));

/** Adds the rollups of a day, as the fold would. */
async function addDay(database: D1Database, accounts: number, day: number): Promise<void> {
  const rollup = "INSERT INTO rollups (account, day, user, event, count, last_at)";
  const rest = `${own("1")}, 1, ${day * DAY_MS}`;
  await forEachNumber(
    database,
    accounts,
    `${rollup} SELECT ${own("i")}, ${day}, ${own("i * 3")}, ${rest} FROM n WHERE i % 3 = 0`,
  );
  await database
    .prepare(
      `${rollup} SELECT ${own("a.value")}, ${day}, ${own(`1000000 + a.value * ${LARGE.dailyUsers} + u.value`)}, ${rest}
       FROM json_each('${upTo(LARGE.accounts)}') a CROSS JOIN json_each('${upTo(LARGE.dailyUsers)}') u WHERE true
       ON CONFLICT DO NOTHING`,
    )
    .run();
  await database
    .prepare(`INSERT INTO workspace_days (workspace, day, events) VALUES (${WORKSPACE}, ${day}, ${accounts})`)
    .run();
  await database
    .prepare(`UPDATE account_progress SET summarize_from = min(coalesce(summarize_from, ${day}), ${day}), due_at = 0`)
    .run();
}
