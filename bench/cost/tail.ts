/** Measures what the unfolded tail of the log adds to questions and to an account's page. */
import { type Query, query as querySchema } from "../../src/core/ask/query/model.ts";
import { DAY_MS } from "../../src/core/durations.ts";
import { medianOf } from "../../src/core/health/trend.ts";
import { readAccount } from "../../src/db/accounts/account-details.ts";
import { answerQuery } from "../../src/services/ask/answer-query.ts";
import { environmentOf, withDatabase } from "../local/database.ts";
import { forEachNumber, INSERT_MESSAGES, NOW, own, spread, WORKSPACE } from "../local/fill.ts";
import { Meter } from "../local/meter.ts";
import { number, row } from "../local/table.ts";
import { ACCOUNTS, fillRollups, REF, summarizeAll, USERS_EACH } from "../queries/fill.ts";

const TAILS = [0, 1_000, 5_000, 20_000];
/** 2,000 for each of 800 days: a third of what a workspace with 1 M messages a month has. */
const ROLLUPS = 1_600_000;
const SAMPLES = 15;

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
  reads: { messages: number; rowsRead: number; ms: number }[];
}

/** Each read is measured with each tail, one after the other, in the same database. */
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

    const found = Array.from(reads.keys(), (name): TailFigures => ({ name, reads: [] }));
    let stored = 0;
    for (const messages of TAILS) {
      await addMessages(database, stored, messages);
      stored = messages;
      for (const { name, reads: figures } of found) {
        const read = reads.get(name) ?? (() => Promise.resolve());
        await read();
        meter.take();
        const times: number[] = [];
        for (let sample = 0; sample < SAMPLES; sample += 1) {
          const startedAt = performance.now();
          await read();
          times.push(performance.now() - startedAt);
        }
        figures.push({ messages, rowsRead: Math.round(meter.take().rowsRead / SAMPLES), ms: medianOf(times) });
      }
    }
    return found;
  });

async function addMessages(database: D1Database, from: number, to: number): Promise<void> {
  const user = spread("i", ACCOUNTS * USERS_EACH, 0);
  await forEachNumber(
    database,
    to - from,
    `${INSERT_MESSAGES}
     SELECT ${WORKSPACE}, 'cdp', i / 100, 'track', ${own(`${from} + i`)}, 'message-' || (${from} + i),
       ${own(`${user} / ${USERS_EACH} + 1`)}, ${own(`${user} + 1`)}, 'report.exported', '{"pages":12}', NULL,
       ${NOW - DAY_MS / 1_440} + i, ${NOW - DAY_MS / 1_440} + i FROM n`,
  );
}

export const tailTable = (tails: TailFigures[]): string =>
  [
    row("Rows read and milliseconds, and their ratio to an empty tail", TAILS.map(number)),
    ...tails.flatMap(({ name, reads }) => [
      row(
        `  ${name}: rows`,
        reads.map(({ rowsRead }) => number(rowsRead)),
      ),
      row(
        "    ms",
        reads.map(({ ms }) => number(ms)),
      ),
      row(
        "    ratio of ms",
        reads.map(({ ms }) => number(ms / (reads[0]?.ms ?? ms))),
      ),
    ]),
  ].join("\n");
