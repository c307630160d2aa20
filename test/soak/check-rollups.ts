/** Compares the rollups with the log, in plain SQL. */
import { DAY_MS } from "../../src/core/durations.ts";
import type { Check } from "./account.ts";

/** Division rounds down, because all times of a soak are after 1970. */
const COMPARE = `
WITH
logged AS (
  SELECT account, occurred_at / ${DAY_MS} AS day, coalesce(user, 0) AS user, event, count(*) AS count,
    max(occurred_at) AS last_at
  FROM messages
  WHERE workspace = ?1 AND seq > ?1 << 32 AND seq < (?1 + 1) << 32 AND type = 'track'
  GROUP BY 1, 2, 3, 4
),
folded AS (
  SELECT r.account, r.day, r.user, n.name AS event, r.count, r.last_at
  FROM accounts a JOIN rollups r ON r.account = a.number LEFT JOIN event_names n ON n.number = r.event
  WHERE a.workspace = ?1
)
SELECT
  (SELECT count(*) FROM (SELECT * FROM logged EXCEPT SELECT * FROM folded)) AS missing,
  (SELECT count(*) FROM (SELECT * FROM folded EXCEPT SELECT * FROM logged)) AS wrong,
  (SELECT coalesce(sum(count), 0) FROM logged) AS events,
  (SELECT count(*) FROM folded) AS rollups,
  (SELECT coalesce(sum(events), 0) FROM workspace_days WHERE workspace = ?1) AS by_day,
  (SELECT max(seq) FROM messages WHERE seq > ?1 << 32 AND seq < (?1 + 1) << 32) IS
    (SELECT watermark FROM folds WHERE workspace = ?1) AS is_through`;

interface Compared {
  missing: number;
  wrong: number;
  events: number;
  rollups: number;
  by_day: number;
  is_through: number;
}

const SELECT_SENT =
  "SELECT number FROM workspace_states w WHERE EXISTS (SELECT 1 FROM messages m WHERE m.workspace = w.number)";

export async function checkRollups(databases: readonly D1Database[]): Promise<Check[]> {
  const total = { workspaces: 0, events: 0, rollups: 0, missing: 0, wrong: 0, byDay: 0, behind: 0 };
  for (const database of databases) {
    const { results } = await database.prepare(SELECT_SENT).all<{ number: number }>();
    for (const { number } of results) {
      const found = await database.prepare(COMPARE).bind(number).first<Compared>();
      if (found === null) continue;
      total.workspaces += 1;
      total.events += found.events;
      total.rollups += found.rollups;
      total.missing += found.missing;
      total.wrong += found.wrong;
      total.byDay += found.by_day;
      total.behind += found.is_through === 1 ? 0 : 1;
    }
  }
  const { workspaces, events, rollups, missing, wrong, byDay, behind } = total;
  return [
    {
      name: "the rollups count the log's events, by account, user, event and day",
      ok: missing === 0 && wrong === 0 && byDay === events,
      figures: { events, rollups, missing, wrong },
    },
    {
      name: "every fold has reached the last message",
      ok: behind === 0,
      figures: { workspaces, behind },
    },
  ];
}
