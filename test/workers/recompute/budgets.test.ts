/** The budgets of a run: statements, bytes loaded at once, and numbers that a comparison of accounts adds up. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { DAY_MS } from "../../../src/core/durations.ts";
import { ROLLUPS_PER_ATTRIBUTE_DAY } from "../../../src/db/recompute/account-days-sql.ts";
import { databaseWith, envWith, type Trip } from "../support/faulty-env.ts";
import * as eventful from "./eventful-workspace.ts";
import { morningOf, newWorkspace, run, startRun, store } from "./runs.ts";
import { readOutcomes } from "./stored-outcomes.ts";

const NOW = morningOf(eventful.FIRST_DAY + eventful.DAYS);
const BYTES = 150_000;
/** A step begins below this number of statements, and sends up to thirty. */
const STATEMENTS = 40;
const STEPS = { summarized: 5, rollups: 200, compared: 6, scored: 20, bytes: BYTES, sums: 200 };

/** Made once, so that each workspace stores the same. */
const MESSAGES = Array.from({ length: eventful.DAYS }, (_, day) => eventful.messagesOf(day)).flat();

describe("§10.5 a run with little of everything", () => {
  it(
    "stays within its budgets, continues a comparison, and ends with the same outcomes",
    { timeout: 120_000 },
    async () => {
      const whole = await newWorkspace();
      await store(whole, MESSAGES);
      const { accountsScored } = await run(NOW);
      const expected = await readOutcomes(whole);

      const workspace = await newWorkspace();
      await store(workspace, MESSAGES);
      const loaded: number[] = [];
      const sent: number[] = [];
      const summarized: string[] = [];
      let [continued, scored] = [0, 0];
      for (let isComplete = false; !isComplete;) {
        let statements = 0;
        const { DB } = databaseWith(async (trip, _number, bound = []) => {
          statements += bound.length;
          const results = await trip();
          for (const { sql, values } of bound)
            if (/^\s*INSERT INTO account_days/.test(sql)) summarized.push(String(values[1]));
          if (Array.isArray(results)) loaded.push(...bound.map(({ sql }, place) => daysIn(sql, results[place])));
          return results;
        });
        const result = await startRun(NOW, { stepSizes: STEPS, maxStatements: STATEMENTS }, envWith({ DB }));
        if (result.outcome !== "done") throw new Error("another run holds the lease");
        isComplete = result.run.complete;
        scored += result.run.accountsScored;
        sent.push(statements);
        continued += Number((await countComparisons()) > 0);
      }
      expect(await readOutcomes(workspace)).toEqual(expected);
      expect(scored).toBe(accountsScored);
      expect(Math.max(...sent)).toBeLessThan(STATEMENTS + 30);
      expect(Math.max(...loaded)).toBeLessThan(BYTES);
      expect(loaded.filter((bytes) => bytes > 0).length).toBeGreaterThan(10);
      expect(await Promise.all(summarized.map(excessOf))).toEqual(summarized.map(() => []));
      expect(continued).toBeGreaterThan(2);
      expect(await countComparisons()).toBe(0);
    },
  );

  it("compares one day, and loads one account, if they are larger than its budgets", { timeout: 120_000 }, async () => {
    const workspace = await newWorkspace();
    const days = 12;
    const from = (eventful.FIRST_DAY + eventful.DAYS - days) * DAY_MS;
    await store(
      workspace,
      MESSAGES.filter(({ occurredAt }) => occurredAt >= from),
    );
    const result = await run(NOW, { stepSizes: { bytes: 1, sums: 20 } });
    expect(result).toMatchObject({ complete: true });
    expect(Object.keys((await readOutcomes(workspace)).contexts)).toHaveLength(days);
  });
});

describe("§10.5 a run of all workspaces", () => {
  it("counts the statements that list workspaces, and lists no further database once it is over", async () => {
    await store(await newWorkspace(), MESSAGES.slice(0, 1));
    let statements = 0;
    const count: Trip = (trip, _number, bound = []) => {
      statements += bound.length;
      return trip();
    };
    const databases = { DB: databaseWith(count).DB, DB_1: databaseWith(count, env.DB_1).DB };
    const cut = await startRun(NOW, { maxStatements: 2 }, envWith(databases));
    expect(cut).toMatchObject({ run: { complete: false, eventsFolded: 0 } });
    expect(statements).toBeLessThanOrEqual(2);
    expect(await run(NOW)).toMatchObject({ complete: true, eventsFolded: 1 });
  });
});

/** What a step summarized of each account and day, counted as rollups, if it summarized more than it should. */
async function excessOf(ranges: string): Promise<number[]> {
  const { results } = await env.DB.prepare(
    `SELECT sum(d.rollups) AS rollups FROM json_each(?1) c CROSS JOIN (
       SELECT account, day, 1 AS rollups FROM rollups
       UNION ALL SELECT account, day, ${ROLLUPS_PER_ATTRIBUTE_DAY} FROM attribute_days
     ) d ON d.account = c.value ->> 0 AND d.day BETWEEN c.value ->> 1 AND c.value ->> 2
     GROUP BY d.account, d.day`,
  )
    .bind(ranges)
    .all<{ rollups: number }>();
  const days = results.map(({ rollups }) => rollups);
  // A single day is summarized however large it is.
  return days.length > 1 && days.reduce((sum, rollups) => sum + rollups, 0) > STEPS.rollups ? days : [];
}

/** The bytes of days in a result. */
function daysIn(sql: string, result: unknown): number {
  return /^\s*SELECT .* AS days\b/s.test(sql) ? JSON.stringify(rowsOf(result)).length : 0;
}

const rowsOf = (result: unknown): unknown =>
  typeof result === "object" && result !== null && "results" in result ? result.results : [];

const countComparisons = async (): Promise<number> =>
  (await env.DB.prepare("SELECT count(*) AS count FROM comparisons").first<number>("count")) ?? 0;
