/** Sums over all accounts of a workspace, in windows. */
import { DAY_MS } from "../../core/durations.ts";
import type { Entity } from "../../core/ask/model.ts";
import type { Window } from "../../core/health/model.ts";
import type { Batch } from "../client/batch.ts";
import { MAX_DAY_USERS } from "../users/day-users.ts";
import { feature, isSuperseded } from "./entity-rows.ts";
import { NEVER_FRESH, TAIL_EVENTS } from "./tail.ts";

/** ?2 lists `[first day, last day]`. Accounts are those with an event since the window began. */
const KNOWN = `
windows AS MATERIALIZED (
  SELECT w.key AS place, w.value ->> 0 AS first, w.value ->> 1 AS last FROM json_each(?2) w
), known AS (
  SELECT w.place, w.first, w.last, a.account, coalesce(a.roll_up_from, ${NEVER_FRESH}) AS fresh
  FROM windows w CROSS JOIN activity a ON a.workspace = ?1 AND a.last_event_at >= w.first * ${DAY_MS}
), tail AS MATERIALIZED (
  SELECT w.place, t.account, t.user, t.event, t.day
  FROM (${TAIL_EVENTS}) t CROSS JOIN windows w ON t.day BETWEEN w.first AND w.last
)`;

const CONDENSED =
  "known k CROSS JOIN account_days d ON d.account = k.account AND d.day BETWEEN k.first AND min(k.last, k.fresh - 1)";
const FRESH =
  "known k CROSS JOIN rollups r ON r.account = k.account AND r.day BETWEEN max(k.first, k.fresh) AND k.last";

/** A user's day in the tail is one more, where the rollups have none of it. */
const SUMS = `
WITH ${KNOWN}
SELECT place, account, sum(events) AS events, sum(user_days) AS user_days FROM (
  SELECT k.place, k.account, d.events, d.user_days FROM ${CONDENSED}
  UNION ALL
  SELECT place, account, sum(count), sum(user > 0) FROM (
    SELECT k.place, k.account, r.day, r.user, sum(r.count) AS count FROM ${FRESH} GROUP BY k.place, k.account, r.day, r.user
  ) GROUP BY place, account
  UNION ALL
  SELECT place, account, sum(count), sum(user > 0 AND NOT EXISTS (
    SELECT 1 FROM rollups r WHERE r.account = t.account AND r.day = t.day AND r.user = t.user
  )) FROM (
    SELECT place, account, day, user, count(*) AS count FROM tail GROUP BY place, account, day, user
  ) t GROUP BY place, account
)
GROUP BY place, account`;

export interface Sums {
  events: number;
  /** Distinct users with an event, added up over the days. */
  userDays: number;
}

/** Of each account with an event in one of the windows, in their order. */
export function selectAccountSums(batch: Batch, windows: readonly Window[]): () => Map<number, Sums[]> {
  if (windows.length === 0) return () => new Map();
  const sums = batch.add(SUMS, daysOf(windows));
  return () => {
    const accounts = new Map<number, Sums[]>();
    for (const row of sums()) {
      const account = Number(row["account"]);
      const own = accounts.get(account) ?? windows.map(() => ({ events: 0, userDays: 0 }));
      own[Number(row["place"])] = { events: Number(row["events"]), userDays: Number(row["user_days"]) };
      accounts.set(account, own);
    }
    return accounts;
  };
}

const FEATURES = `
WITH ${KNOWN}
SELECT name, max(number) AS number, sum(events) AS events,
  count(DISTINCT iif(EXISTS (SELECT 1 FROM accounts a WHERE a.number = account AND ${isSuperseded("a")}), NULL, account)) AS accounts
FROM (
  SELECT e.name, e.number, g.account, g.events
  FROM (
    SELECT account, event, sum(count) AS events FROM (
      SELECT k.account, CAST(f.key AS INTEGER) AS event, f.value ->> 0 AS count FROM ${CONDENSED} CROSS JOIN json_each(d.features) f
      UNION ALL
      SELECT k.account, r.event, r.count FROM ${FRESH}
    )
    GROUP BY account, event
  ) g CROSS JOIN event_names e ON e.number = g.event
  UNION ALL
  SELECT t.event, 0, t.account, count(*) FROM tail t GROUP BY t.event, t.account
)
GROUP BY name
ORDER BY events DESC, name`;

/** What was done, and by how many accounts; superseded ones are none. */
export function selectFeatureSums(
  batch: Batch,
  window: Window,
): () => { feature: Entity; events: number; accounts: number }[] {
  const features = batch.add(FEATURES, daysOf([window]));
  return () =>
    features().map(({ name, number, events, accounts }) => ({
      feature: feature(String(name), Number(number)),
      events: Number(events),
      accounts: Number(accounts),
    }));
}

const ACTIVE_USERS = `
WITH ${KNOWN}
SELECT count(*) AS users FROM (
  SELECT u.value AS user FROM ${CONDENSED} CROSS JOIN json_each(d.users) u WHERE d.user_days <= ${MAX_DAY_USERS}
  UNION
  SELECT r.user FROM ${CONDENSED} CROSS JOIN rollups r ON r.account = d.account AND r.day = d.day
  WHERE d.user_days > ${MAX_DAY_USERS} AND r.user > 0
  UNION
  SELECT r.user FROM ${FRESH} WHERE r.user > 0
  UNION
  SELECT user FROM tail WHERE user > 0
)`;

/** How many users did anything, wherever. */
export function selectActiveUsers(batch: Batch, window: Window): () => number {
  const users = batch.add(ACTIVE_USERS, daysOf([window]));
  return () => Number(users()[0]?.["users"] ?? 0);
}

const daysOf = (windows: readonly Window[]): string => JSON.stringify(windows.map(({ from, to }) => [from, to]));
