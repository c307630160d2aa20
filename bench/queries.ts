/**
 * `npm run bench:queries`: looks for the heaviest queries that are allowed, and measures how long a capture waits beside
 * them. A local D1 has one large workspace: 1,000 accounts, 20,000 users and 800 days. The capture is another workspace's.
 *
 * Queries are drawn, and each gets the longest window that isn't refused. Times depend on the machine, so they also come
 * as a ratio to the same capture alone in the same run. The exit code is 1 if an ordinary question is refused.
 *
 *     npm run bench:queries -- [--rollups 4000000] [--draw 200]
 */
import { parseArgs } from "node:util";

import { listDimensions, answerQuery } from "../src/services/ask/answer-query.ts";
import { DAY_MS } from "../src/core/durations.ts";
import { summaryQueries } from "../src/core/ask/query/summary.ts";
import { checkQuery } from "../src/core/ask/query/check.ts";
import { type Query, querySchema } from "../src/core/ask/query/model.ts";
import { medianOf } from "../src/core/health/trend.ts";
import { storeBatch } from "../src/db/ingest/store-messages.ts";
import { drawQuery } from "../evals/ask/query/queries.ts";
import { randomOf } from "../evals/simulator/random.ts";
import { capture } from "./local/capture.ts";
import { environmentOf, withDatabase } from "./local/database.ts";
import { NOW } from "./local/fill.ts";
import { type Cost, Meter } from "./local/meter.ts";
import { number, row } from "./local/table.ts";
import { DAYS, fillRollups, REF, summarizeAll } from "./queries/fill.ts";

const { values } = parseArgs({
  options: { rollups: { type: "string", default: "4000000" }, draw: { type: "string", default: "200" } },
});
const NEIGHBOR = { id: "ws_neighbor", number: 2, database: "DB" };
const WINDOWS = [DAYS, 400, 200, 100, 50, 25, 12];
const HEAVIEST = 8;
const SAMPLES = 9;

interface Measured {
  query: Query;
  ms: number;
  rowsRead: number;
  /** The part of the SQL that the primary runs beside a read replica: the first round trip. */
  lookUpMs: number;
}

/** Questions that people ask of such a workspace. They must be allowed. */
const window = { last: 90, unit: "day" } as const;
const ORDINARY = [
  { find: "accounts", show: "list", measure: "events", window, where: [{ dimension: "plan", is: "Pro" }] },
  { find: "accounts", show: "list", measure: "active_users", window, where: [{ dimension: "events", over: 20 }] },
  {
    find: "accounts",
    show: "count",
    window,
    where: [
      { dimension: "event", is: "login" },
      { dimension: "active_users", over: 3 },
    ],
  },
  { find: "accounts", show: "list", measure: "events", window, compare: { to: "before" } },
  { find: "accounts", show: "list", window, where: [{ dimension: "health", became: "at_risk" }] },
  { find: "users", show: "count", window, where: [{ dimension: "active", is: false }] },
  {
    find: "users",
    show: "list",
    measure: "events",
    window,
    where: [
      { dimension: "active_days", over: 3 },
      { dimension: "features_used", over: 1 },
    ],
  },
  {
    find: "users",
    show: "list",
    measure: "events",
    window: { all: true },
    where: [{ dimension: "account", is: "company-5" }],
  },
  { find: "features", show: "list", measure: "active_users", window },
  { find: "features", show: "list", measure: "adoption", window },
  { find: "features", show: "summary", where: [{ dimension: "event", is: "login" }] },
  { find: "events", show: "value", measure: "active_users", per: "week", window },
  { find: "events", show: "value", measure: "events", per: "month", window: { all: true } },
  { find: "accounts", show: "summary", window },
].map((query) => querySchema.parse(query));

await withDatabase(async (database) => {
  await fillRollups(database, Number(values.rollups));
  const steps = await summarizeAll(database);
  await database.prepare("INSERT INTO workspace_states (number, id, state) VALUES (2, 'ws_neighbor', 'live')").run();
  const counts = await database.prepare("SELECT count(*) AS rollups FROM rollups").first<number>("rollups");
  console.log(`${number(counts ?? 0)} rollups, summarized in ${steps} steps`);
  const meter = new Meter(database);
  const env = environmentOf(meter);
  const dimensions = await listDimensions(env, REF);

  /** @returns `null` for a query that is refused */
  async function measure(query: Query): Promise<Measured | null> {
    const trips: Cost[] = [];
    meter.take();
    meter.onBatch = () => trips.push(meter.take());
    const answer = await answerQuery(env, REF, query, NOW);
    if ("issues" in answer) throw new Error(JSON.stringify(answer.issues));
    const sum = (of: (trip: Cost) => number) => trips.reduce((total, trip) => total + of(trip), 0);
    const [ms, rowsRead, lookUpMs] = [sum((trip) => trip.sqlMs), sum((trip) => trip.rowsRead), trips[0]?.sqlMs ?? 0];
    const isRefused = "refusal" in answer.written && answer.written.refusal.reason === "too_many_rows";
    return isRefused ? null : { query, ms, rowsRead, lookUpMs };
  }

  async function longestAllowed(query: Query): Promise<Measured | null> {
    for (const last of WINDOWS) {
      const long = { last, unit: "day" } as const;
      const where = query.where.map((filter) =>
        filter.window === undefined ? filter : { ...filter, window: { ...long, last: last - 1 } },
      );
      const measured = await measure({ ...query, where, window: long });
      if (measured !== null) return measured;
    }
    return null;
  }

  const found: Measured[] = [];
  const random = randomOf("heavy queries");
  const names = { account: ["company-5", "company-6"], user: ["user-5", "user-6"] };
  for (let drawn = 0; drawn < Number(values.draw); drawn += 1) {
    const query = drawQuery(random, dimensions, names);
    const summary: Query = { find: query.find, where: query.where, show: "summary" };
    const isSummary =
      drawn % 4 === 0 &&
      checkQuery(summary, dimensions).length === 0 &&
      summaryQueries(summary, Math.floor(NOW / DAY_MS)).length > 1;
    const measured = await longestAllowed(isSummary ? summary : query);
    if (measured !== null) found.push(measured);
  }
  const heaviest = found.toSorted((a, b) => b.ms - a.ms).slice(0, HEAVIEST);

  async function captureMs(query: Query | null): Promise<number> {
    const samples: number[] = [];
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const answering = query === null ? null : answerQuery(env, REF, query, NOW);
      // The first round trip is short. The capture arrives during the second one.
      if (query !== null) await new Promise((resolve) => setTimeout(resolve, 15));
      const startedAt = performance.now();
      await storeBatch(environmentOf(database), NEIGHBOR, "key_1", capture.next());
      samples.push(performance.now() - startedAt);
      await answering;
    }
    return medianOf(samples);
  }

  await captureMs(null);
  const alone = await captureMs(null);
  console.log(`a capture alone takes ${number(alone)} ms\n`);
  const line = async ({ query, ms, rowsRead, lookUpMs }: Measured): Promise<void> => {
    const beside = await captureMs(query);
    console.log(
      row(
        JSON.stringify(query),
        [
          number(rowsRead),
          `${number(ms)} ms`,
          `${number(lookUpMs)} ms`,
          `${number(beside)} ms`,
          `× ${number(beside / alone)}`,
        ],
        110,
      ),
    );
  };
  console.log(row("heaviest allowed queries", ["rows read", "SQL", "look-ups", "capture", "to alone"], 110));
  for (const each of heaviest) await line(each);
  console.log(`\n${row("ordinary questions", ["rows read", "SQL", "look-ups", "capture", "to alone"], 110)}`);
  for (const query of ORDINARY) {
    const measured = await measure(query);
    if (measured !== null) await line(measured);
    else {
      console.log(row(JSON.stringify(query), ["refused"], 110));
      process.exitCode = 1;
    }
  }
});
