/** Measures what the unfolded tail of the log adds to questions and to an account's page. */
import { type Query, querySchema } from "../../src/core/ask/query/model.ts";
import { DAY_MS } from "../../src/core/durations.ts";
import { readAccount } from "../../src/db/accounts/account-details.ts";
import { answerQuery } from "../../src/services/ask/answer-query.ts";
import { LocalDatabase } from "../../evals/simulator/local-database.ts";
import { environmentOf, withDatabase } from "../local/database.ts";
import { base, forEachNumber, INSERT_MESSAGES, NOW, own, spread, WORKSPACE } from "../local/fill.ts";
import { Meter } from "../local/meter.ts";
import { number, row } from "../local/table.ts";
import { ACCOUNTS, fillRollups, REF, summarizeAll, USERS_EACH } from "../queries/fill.ts";

const TAILS = [0, 1_000, 5_000, 20_000];
/** 500 for each of 800 days. A workspace with 1 M messages a month may have forty times as many, and smaller ratios. */
const ROLLUPS = 400_000;
const SAMPLES = 5;

const READS = {
  "events of the last 30 days by week": { find: "events", show: "value", measure: "events", per: "week" },
  "accounts with most events": { find: "accounts", show: "list", measure: "events" },
  "active users of an account": {
    find: "users",
    show: "list",
    measure: "events",
    where: [{ dimension: "account", is: "company-5" }],
  },
} as const;

export interface TailFigures {
  name: string;
  /** By length of the tail. */
  rowsRead: number[];
  ms: number[];
}

/**
 * Rows are D1's own count. Milliseconds are those of the processor, with SQLite in this process, so that other programs
 * don't count. Each read is measured with each tail in turn; the watermark decides how long the tail is.
 */
export async function measureTails(): Promise<TailFigures[]> {
  const local = LocalDatabase.create();
  const ms = await measureIn(local, environmentOf(local), processorMs);
  local.close();
  const rowsRead = await withDatabase((database) => {
    const meter = new Meter(database);
    return measureIn(database, environmentOf(meter), async (read) => {
      meter.take();
      await read();
      return meter.take().rowsRead;
    });
  });
  return ms.map(({ name, least }, place) => ({ name, ms: least, rowsRead: rowsRead[place]?.least ?? [] }));
}

async function processorMs(read: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await read();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** @returns the least of the samples for each read, by tail */
async function measureIn(
  database: D1Database,
  env: Env,
  measure: (read: () => Promise<unknown>) => Promise<number>,
): Promise<{ name: string; least: number[] }[]> {
  await fillRollups(database, ROLLUPS);
  await summarizeAll(database);
  await addMessages(database, Math.max(...TAILS));
  const found = Array.from(readsOf(env), ([name, read]) => ({ name, read, least: TAILS.map(() => Infinity) }));
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    for (const [place, messages] of TAILS.entries()) {
      const watermark = base(WORKSPACE) + Math.max(...TAILS) - messages;
      await database.prepare(`UPDATE folds SET watermark = ${watermark}`).run();
      for (const { read, least } of found) least[place] = Math.min(least[place] ?? Infinity, await measure(read));
    }
  }
  return found;
}

function readsOf(env: Env): Map<string, () => Promise<unknown>> {
  const reads = new Map<string, () => Promise<unknown>>();
  for (const [name, read] of Object.entries(READS)) {
    const query: Query = querySchema.parse({ window: { last: 30, unit: "day" }, ...read });
    reads.set(name, async () => {
      const answer = await answerQuery(env, REF, query, NOW);
      if ("issues" in answer || "refusal" in answer.written) throw new Error(`No answer: ${name}`);
    });
  }
  const page = { now: NOW, withIdentity: false, withUnfolded: true };
  return reads.set("an account's page", () => readAccount(env, REF, "company-5", page));
}

async function addMessages(database: D1Database, count: number): Promise<void> {
  const user = spread("i", ACCOUNTS * USERS_EACH, 0);
  await forEachNumber(
    database,
    count,
    `${INSERT_MESSAGES}
     SELECT ${WORKSPACE}, 'cdp', i / 100, 'track', ${own("i")}, 'message-' || i,
       ${own(`${user} / ${USERS_EACH} + 1`)}, ${own(`${user} + 1`)}, 'report.exported', '{"pages":12}', NULL,
       ${NOW - DAY_MS / 1_440} + i, ${NOW - DAY_MS / 1_440} + i FROM n`,
  );
}

export const tailTable = (tails: TailFigures[]): string =>
  [
    row("Rows read and milliseconds, and their ratio to an empty tail", TAILS.map(number)),
    ...tails.flatMap(({ name, rowsRead, ms }) => [
      row(`  ${name}: rows`, rowsRead.map(number)),
      row("    ms", ms.map(number)),
      row(
        "    ratio of ms",
        ms.map((each) => number(each / (ms[0] ?? each))),
      ),
    ]),
  ].join("\n");
