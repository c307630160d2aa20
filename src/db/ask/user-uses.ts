/**
 * What a user did in windows, under whatever accounts: one look into the rollups for each day on which the workspace
 * had events and the user was about in the account, however many others there were.
 */
import type { Entity, UserUse } from "../../core/ask/model.ts";
import type { Window } from "../../core/health/model.ts";
import type { Batch, Row } from "../client/batch.ts";
import { feature } from "./entity-rows.ts";
import { TAIL_EVENTS } from "./tail.ts";

/** ?2 the user, ?3 lists `[first day, last day]`, ?4 the event name that is counted alone, or `NULL`. */
const ACTS = `
WITH windows AS MATERIALIZED (
  SELECT w.key AS place, w.value ->> 0 AS first, w.value ->> 1 AS last FROM json_each(?3) w
), acts AS MATERIALIZED (
  SELECT w.place, r.day, e.name, e.number, r.count
  FROM windows w
  CROSS JOIN user_accounts a ON a.user = ?2 AND a.first_day <= w.last AND a.last_day >= w.first
  CROSS JOIN workspace_days d ON d.workspace = ?1 AND d.day BETWEEN max(w.first, a.first_day) AND min(w.last, a.last_day)
  CROSS JOIN rollups r ON r.account = a.account AND r.day = d.day AND r.user = ?2
  CROSS JOIN event_names e ON e.number = r.event
  WHERE ?4 IS NULL OR e.name = ?4
  UNION ALL
  SELECT w.place, t.day, t.event, 0, 1
  FROM (${TAIL_EVENTS}) t CROSS JOIN windows w ON t.day BETWEEN w.first AND w.last
  WHERE t.user = ?2 AND (?4 IS NULL OR t.event = ?4)
)`;

const DAYS = `${ACTS}
SELECT place, count(DISTINCT day) AS days FROM acts GROUP BY place`;

const FEATURES = `${ACTS}
SELECT place, name, max(number) AS number, sum(count) AS events FROM acts
GROUP BY place, name
ORDER BY place, events DESC, name`;

/** Uses in the order of the windows. */
export function selectUserUses(
  batch: Batch,
  user: Entity,
  windows: readonly Window[],
  only: Entity | null,
): () => UserUse[] {
  if (windows.length === 0) return () => [];
  const values = [user.number, JSON.stringify(windows.map(({ from, to }) => [from, to])), only?.externalId ?? null];
  const days = batch.add(DAYS, ...values);
  const features = batch.add(FEATURES, ...values);
  return () =>
    windows.map((_, place) => {
      const ofPlace = (row: Row) => row["place"] === place;
      const used = features()
        .filter(ofPlace)
        .map((row) => ({
          feature: feature(String(row["name"]), Number(row["number"])),
          events: Number(row["events"]),
        }));
      return {
        events: used.reduce((sum, { events }) => sum + events, 0),
        activeDays: Number(days().find(ofPlace)?.["days"] ?? 0),
        features: used,
      };
    });
}
