/** docs/recompute.md §10.6: counts and scores of days before the history are deleted. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { selectFreshness } from "../../../src/db/ask/freshness.ts";
import { newBatch } from "../../../src/db/client/batch.ts";
import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { contents } from "../moves/twins.ts";
import { databaseWith, envWith } from "../support/faulty-env.ts";
import { expireLeases } from "../support/leases.ts";
import { attributes, DAY, event, HOUR_MS, morningOf, newWorkspace, run, startRun, store } from "./runs.ts";

const NOW = morningOf(DAY);
const NEXT = morningOf(DAY + 1);
const HISTORY = { historyDays: 500 };
/** The first day to keep. */
const FROM = DAY - 500;

type Rows = Record<string, Record<string, unknown>[]>;

async function rowsOf(workspace: WorkspaceRef): Promise<Rows> {
  const found = Object.entries(await contents(envWith({}), workspace));
  return Object.fromEntries(found.map(([name, rows]) => [name, rows.map((row) => JSON.parse(row))]));
}

/** Made once, so that each workspace stores the same. */
const MESSAGES = [
  ...Array.from({ length: 60 }, (_, place) => event({ occurredAt: morningOf(FROM - 50 + place) })),
  ...Array.from({ length: 60 }, (_, place) => event({ occurredAt: morningOf(DAY - 60 + place) })),
  // An account that was active for half a year, and then fell silent.
  ...Array.from({ length: 180 }, (_, place) =>
    event({ accountId: "silent", userId: "s1", occurredAt: morningOf(FROM - 200 + place) }),
  ),
  attributes({ occurredAt: morningOf(FROM - 300), attributes: { plan: "basic", seats: 2 } }),
  attributes({ occurredAt: morningOf(FROM - 200), attributes: { plan: "pro" } }),
  attributes({ occurredAt: morningOf(FROM - 100), attributes: { seats: 5 } }),
  attributes({ occurredAt: morningOf(FROM - 90), attributes: { seats: 6 } }),
  attributes({ occurredAt: morningOf(FROM + 10), attributes: { seats: 7 } }),
  ...[FROM - 20, FROM - 10].map((day) =>
    event({
      type: "identify",
      userId: "waits",
      accountId: null,
      event: null,
      occurredAt: morningOf(day),
      attributes: { mrr: day },
    }),
  ),
];

/** Makes a workspace with scores of each day, and with rejections. */
async function filled(): Promise<WorkspaceRef> {
  const workspace = await newWorkspace();
  await store(workspace, MESSAGES, NOW);
  await run(NOW);
  await env.DB.batch(
    [
      `WITH RECURSIVE days (day) AS (SELECT ${FROM - 9} UNION ALL SELECT day + 1 FROM days WHERE day < ${FROM + 9})
       INSERT INTO health_days (account, day, state, coverage, losses)
       SELECT account, day, 'watch', 1, '[]' FROM account_progress CROSS JOIN days WHERE workspace = ?1`,
      `INSERT INTO workspace_contexts (workspace, day, context) VALUES (?1, ${FROM - 1}, '{}'), (?1, ${FROM}, '{}')`,
      `INSERT INTO rejection_counts (workspace, day, code, count, ingest_id) VALUES (?1, ${FROM - 2}, 'a', 3, 1)`,
    ].map((sql) => env.DB.prepare(sql).bind(workspace.number)),
  );
  return workspace;
}

const daysIn = (rows: Rows, table: string, account?: number): number[] =>
  (rows[table] ?? [])
    .filter((row) => account === undefined || row["account"] === account)
    .map(({ day }) => Number(day))
    .toSorted((a, b) => a - b);

const TABLES = ["rollups", "accountDays", "healthDays", "workspaceDays", "workspaceContexts"];

describe("§10.6 the history", () => {
  it("§10.6 loses the days before it, and nothing else: the same accounts have the same health", async () => {
    const shortened = await filled();
    await run(NEXT, HISTORY);
    const left = await rowsOf(shortened);
    const whole = await filled();
    await run(NEXT);
    const all = await rowsOf(whole);
    const [active, silent] = [1, 2];
    const kept = FROM + 1;
    for (const table of TABLES) {
      const expected = (all[table] ?? []).filter(({ day, account }) => {
        const isOfSilence = account === silent && table !== "healthDays";
        return Number(day) >= (isOfSilence ? FROM - 21 - 120 : kept);
      });
      expect(left[table], table).toEqual(expected);
      expect(expected.length, table).toBeLessThan(all[table]?.length ?? 0);
    }
    expect(daysIn(left, "rollups", active)[0]).toBe(kept);
    const unchanged = [
      "health",
      "inboxItems",
      "accountProgress",
      "userAccounts",
      "accounts",
      "users",
      "rejectionCounts",
    ];
    for (const table of unchanged) expect(left[table], table).toEqual(all[table]);
    expect(left["health"]).toHaveLength(2);
    // The last value of each attribute stays.
    expect(daysIn(left, "attributeDays")).toEqual([FROM - 200, FROM - 90, FROM + 10]);
    expect(daysIn(left, "pendingAttributeDays")).toEqual([FROM - 10]);
  });

  it("§10.6 keeps the plan of an account, also when an older message comes late", async () => {
    const workspace = await filled();
    await run(NEXT, HISTORY);
    await store(workspace, [attributes({ occurredAt: morningOf(FROM - 250), attributes: { plan: "old" } })], NOW);
    await run(morningOf(DAY + 2), HISTORY);
    const { accountProgress = [] } = await rowsOf(workspace);
    const timeline: [number, object][] = JSON.parse(String(accountProgress[0]?.["timeline"]));
    expect(timeline.slice(-3)).toEqual([
      [FROM - 200, { plan: "pro" }],
      [FROM - 90, { seats: 6 }],
      [FROM + 10, { seats: 7 }],
    ]);
  });

  it("§10.6 begins the records of questions, also when older events come late", async () => {
    const workspace = await filled();
    const firstDay = async () => {
      const batch = newBatch(env, workspace);
      const read = selectFreshness(batch);
      await batch.run();
      return read().firstDay;
    };
    expect(await firstDay()).toBe(FROM - 200);
    await run(NEXT, HISTORY);
    expect(await firstDay()).toBe(FROM + 1);
    await store(workspace, [event({ occurredAt: morningOf(FROM - 99) })], NOW);
    await run(NEXT + HOUR_MS, HISTORY);
    expect(daysIn(await rowsOf(workspace), "workspaceDays")[0]).toBe(FROM - 99);
    expect(await firstDay()).toBe(FROM + 1);
    await run(morningOf(DAY + 2), HISTORY);
    expect(daysIn(await rowsOf(workspace), "workspaceDays")[0]).toBe(FROM + 2);
  });

  it("§10.6 is shortened once a day, in steps of accounts and rows", async () => {
    const workspace = await newWorkspace();
    await store(workspace, [event({ occurredAt: NOW })], NOW);
    await run(NOW);
    const accounts = 20_001;
    const oldDays = async () => daysIn(await rowsOf(workspace), "healthDays").filter((day) => day < FROM);
    await env.DB.batch(
      [
        `WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ${accounts})
         INSERT INTO account_progress (workspace, account, first_at, score_from) SELECT ?1, (?1 << 32) + i, 0, 0 FROM n`,
        `INSERT INTO health_days (account, day, state, coverage, losses)
         SELECT account, d.value, 'watch', 1, '[]' FROM account_progress CROSS JOIN json_each('[${FROM - 2}, ${FROM - 1}]') d WHERE workspace = ?1`,
      ].map((sql) => env.DB.prepare(sql).bind(workspace.number)),
    );
    const steps: string[] = [];
    const { DB } = databaseWith(async (real, _, statements = []) => {
      steps.push(
        ...statements.filter(({ sql }) => sql.includes("DELETE FROM health_days WHERE (")).map(({ sql }) => sql),
      );
      return real();
    });
    // Its first run ends before all is deleted.
    const clock = () => (steps.length > 0 ? NOW + HOUR_MS : NOW);
    await startRun(NEXT, { ...HISTORY, clock }, envWith({ DB }));
    expect(steps).toHaveLength(1);
    expect(await oldDays()).toHaveLength(2 * accounts - 20_000);
    await expireLeases();
    await run(NEXT, HISTORY);
    expect(await oldDays()).toEqual([]);
    await startRun(NEXT + 1, HISTORY, envWith({ DB }));
    expect(steps).toHaveLength(1);
    const { rowsRead } = await run(morningOf(DAY + 2), HISTORY);
    expect(rowsRead).toBeLessThan(11 * accounts);
  });
});
