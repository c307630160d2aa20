/** Measures what the unfolded tail of the log adds to questions and to an account's page. */
import { type Query, query as querySchema } from "../../src/core/ask/query/model.ts";
import { DAY_MS } from "../../src/core/durations.ts";
import { readAccount } from "../../src/db/accounts/account-details.ts";
import { answerQuery } from "../../src/services/ask/answer-query.ts";
import { environmentOf, withDatabase } from "../local/database.ts";
import { base, forEachNumber, INSERT_MESSAGES, NOW, own, spread, WORKSPACE } from "../local/fill.ts";
import { Meter } from "../local/meter.ts";
import { number, row } from "../local/table.ts";
import { ACCOUNTS, fillRollups, REF, summarizeAll, USERS_EACH } from "../queries/fill.ts";

const TAILS = [0, 1_000, 5_000, 20_000];
/** 1,000 for each of 800 days: a small part of what a workspace with 1 M messages a month has. */
const ROLLUPS = 800_000;
const SAMPLES = 9;

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
  /** By length of the tail. The least of the samples: other programs only add to it. */
  rowsRead: number[];
  ms: number[];
}

/** Each read is measured with each tail in turn. The watermark decides how long the tail is. */
export const measureTails = (): Promise<TailFigures[]> =>
  withDatabase(async (database) => {
    await fillRollups(database, ROLLUPS);
    await summarizeAll(database);
    const meter = new Meter(database);
    const env = environmentOf(meter);
    const reads = new Map<string, () => Promise<unknown>>();
    for (const [name, read] of Object.entries(READS)) {
      const query: Query = querySchema.parse({ window: { last: 30, unit: "day" }, ...read });
      reads.set(name, async () => {
        const answer = await answerQuery(env, REF, query, NOW);
        if ("issues" in answer || "refusal" in answer.written) throw new Error(`No answer: ${name}`);
      });
    }
    const page = { now: NOW, withIdentity: false, withUnfolded: true };
    reads.set("an account's page", () => readAccount(env, REF, "company-5", page));

    await addMessages(database, Math.max(...TAILS));
    const found = Array.from(reads, ([name, read]) => ({
      name,
      read,
      times: TAILS.map(() => Infinity),
      rows: TAILS.map(() => 0),
    }));
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      for (const [place, messages] of TAILS.entries()) {
        const watermark = base(WORKSPACE) + Math.max(...TAILS) - messages;
        await database.prepare(`UPDATE folds SET watermark = ${watermark}`).run();
        for (const one of found) {
          meter.take();
          const startedAt = performance.now();
          await one.read();
          one.times[place] = Math.min(one.times[place] ?? Infinity, performance.now() - startedAt);
          one.rows[place] = meter.take().rowsRead;
        }
      }
    }
    return found.map(({ name, times, rows }) => ({ name, ms: times, rowsRead: rows }));
  });

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
