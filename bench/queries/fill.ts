/** Fills a workspace with years of rollups, and with what the recompute makes of them. */
import { DAY_MS } from "../../src/core/durations.ts";
import { acquireLease } from "../../src/db/recompute/lease-sql.ts";
import { openSession } from "../../src/db/recompute/session.ts";
import { summarizeDays } from "../../src/db/recompute/account-days-sql.ts";
import { STEP_SIZES } from "../../src/services/recompute/run-state.ts";
import { EVENTS as WORLD_EVENTS } from "../../evals/ask/query/world.ts";
import { environmentOf } from "../local/database.ts";
import { base, fillWorkspace, forEachNumber, NOW, own, spread, TODAY, WORKSPACE } from "../local/fill.ts";

export const REF = { id: "ws_bench", number: WORKSPACE, database: "DB" };
export const ACCOUNTS = 1_000;
export const USERS_EACH = 20;
const USERS = ACCOUNTS * USERS_EACH;
const EVENTS = [...WORLD_EVENTS, "a.b", "a.c", "a.d", "a.e", "a.f", "a.g", "a.h"];
export const DAYS = 800;
/** Days that one transaction inserts. */
const DAYS_AT_ONCE = 10;

/** @param rollups in all, spread evenly over the days; half of a day's users have two */
export async function fillRollups(database: D1Database, rollups: number): Promise<void> {
  await fillWorkspace(database, ACCOUNTS, USERS_EACH);
  const perDay = Math.round(rollups / DAYS);
  const from = TODAY - DAYS;
  const user = `(1 + (i / 2 * 7919 + day * 104729) % ${USERS})`;
  const run = (sql: string) => database.prepare(sql).run();
  await run(`UPDATE accounts SET attributes = json_object('plan', json_array(iif(number % 3, 'Pro', 'free'), 1, 1),
    'seats', json_array(20, 1, 1), 'mrr', json_array(number % 977, 1, 1), 'currency', json_array('EUR', 1, 1))`);
  await run(
    `INSERT INTO dimension_values (workspace, dimension, value) VALUES (${WORKSPACE}, 'plan', '"Pro"'), (${WORKSPACE}, 'plan', '"free"')`,
  );
  await run(`INSERT INTO event_names (number, workspace, name, first_day, last_day)
    SELECT ${base(WORKSPACE)} + key + 1, ${WORKSPACE}, value, ${from}, ${TODAY - 1} FROM json_each('${JSON.stringify(EVENTS)}')`);
  for (let day = from; day < TODAY; day += DAYS_AT_ONCE) {
    await run(`INSERT INTO rollups (account, day, user, event, count, last_at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${perDay}),
        d(day) AS (SELECT ${day} UNION ALL SELECT day + 1 FROM d WHERE day < ${Math.min(day + DAYS_AT_ONCE, TODAY) - 1})
      SELECT ${own(`(${user} - 1) / ${USERS_EACH} + 1`)}, day, ${own(user)},
        ${own(`1 + ${spread("(i * 131 + day)", EVENTS.length, 1)}`)}, 3, day * ${DAY_MS}
      FROM d CROSS JOIN n WHERE TRUE ON CONFLICT DO NOTHING`);
    await run(`INSERT INTO health_days (account, day, state, score, coverage, losses)
      WITH RECURSIVE d(day) AS (SELECT ${day} UNION ALL SELECT day + 1 FROM d WHERE day < ${Math.min(day + DAYS_AT_ONCE, TODAY) - 1})
      SELECT number, day, iif((number + day / 9) % 4, 'healthy', 'at_risk'), (number + day) % 100, 1, '[]' FROM accounts CROSS JOIN d`);
  }
  await run("INSERT INTO user_accounts SELECT user, account, min(day), max(day) FROM rollups GROUP BY user, account");
  await run(`INSERT INTO account_progress (workspace, account, first_at, last_event_at, summarize_from, score_from, due_at)
    SELECT ${WORKSPACE}, account, min(day) * ${DAY_MS}, max(last_at), min(day), max(day), 0 FROM rollups GROUP BY account`);
  await run(
    `INSERT INTO workspace_days (workspace, day, events) SELECT ${WORKSPACE}, day, sum(count) FROM rollups GROUP BY day`,
  );
  await run(`INSERT INTO folds (workspace, watermark, as_of) VALUES (${WORKSPACE}, ${base(WORKSPACE)}, ${NOW})`);
  await forEachNumber(
    database,
    ACCOUNTS,
    `INSERT INTO attribute_days (account, day, attributes)
    SELECT ${own("i")}, ${from}, json_object('plan', json_array('Pro', 1, 1)) FROM n`,
  );
}

/** Summarizes all days as the recompute does. @returns how many steps that took */
export async function summarizeAll(database: D1Database): Promise<number> {
  const session = openSession(environmentOf(database), REF, "run_bench", { sent: 0 });
  await acquireLease(session, "recompute", { now: Date.now(), expiresAt: Date.now() + DAY_MS });
  const { summarized: limit, rollups: maxRollups } = STEP_SIZES;
  for (let steps = 0; ; steps += 1)
    if ((await summarizeDays(session, REF, { now: NOW, lastDay: TODAY - 1, limit, maxRollups })) === null) return steps;
}
