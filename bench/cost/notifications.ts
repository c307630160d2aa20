/** Counts what notifications write: how many there are, and the rows of one. */
import { DAY_MS } from "../../src/core/durations.ts";

export interface NotificationFigures {
  /** Pieces of news of the day, for a destination that wants all of them (docs/recompute.md §10.8). */
  news: number;
  /** Rows written to store one, and to deliver it: to claim it, to record the attempt and the result, to delete the oldest attempt. */
  stored: number;
  delivered: number;
}

const NEWS = `
SELECT (SELECT count(*) FROM inbox_items WHERE opened_day = ?1) + (SELECT count(*) FROM inbox_items WHERE resolved_day = ?1)
  + (SELECT count(*) FROM health_days today JOIN health_days before ON before.account = today.account AND before.day = ?1 - 1
     WHERE today.day = ?1 AND today.state <> before.state) AS news`;

const STORE = `
INSERT INTO notifications (number, id, destination, type, subject, day, change, created_at, next_attempt_at)
SELECT (1 << 32) + 2, 'ntf_2', (1 << 32) + 1, 'inbox.opened', 2, 1, '', 1, 1`;
const DELIVER = [
  "UPDATE notifications SET next_attempt_at = 2 WHERE number = (1 << 32) + 2 AND next_attempt_at = 1",
  "UPDATE notifications SET next_attempt_at = NULL WHERE number = (1 << 32) + 2",
  `INSERT INTO delivery_attempts (destination, number, id, notification, notification_id, type, at, status, outcome)
   VALUES ((1 << 32) + 1, 101, 'att_101', (1 << 32) + 2, 'ntf_2', 'inbox.opened', 2, 200, 'delivered')`,
  "DELETE FROM delivery_attempts WHERE destination = (1 << 32) + 1 AND number <= 1",
];
/** Other rows, as in steady state. */
const PREPARE = [
  `INSERT INTO notifications (number, id, destination, type, subject, day, change, created_at, next_attempt_at)
   VALUES ((1 << 32) + 1, 'ntf_1', (1 << 32) + 1, 'inbox.opened', 1, 1, '', 1, NULL)`,
  `INSERT INTO delivery_attempts (destination, number, id, notification, notification_id, type, at, status, outcome)
   VALUES ((1 << 32) + 1, 1, 'att_1', (1 << 32) + 1, 'ntf_1', 'inbox.opened', 1, 200, 'delivered')`,
];

/** @param database of one workspace; `now` the day after the one that was scored last */
export async function countNotifications(database: D1Database, now: number): Promise<NotificationFigures> {
  const written = async (sql: string) => (await database.prepare(sql).run()).meta.rows_written;
  const day = Math.floor(now / DAY_MS) - 1;
  const news = (await database.prepare(NEWS).bind(day).first<number>("news")) ?? 0;
  for (const sql of PREPARE) await written(sql);
  const stored = await written(STORE);
  let delivered = 0;
  for (const sql of DELIVER) delivered += await written(sql);
  return { news, stored, delivered };
}
