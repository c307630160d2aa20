/**
 * What accounts did in windows: complete days by their summaries, days that are not condensed by rollups, and the tail
 * by its messages. What is read grows with days, users and event names, never with the events of a user on a day.
 */
import type { AccountUse, Entity } from "../../core/ask/model.ts";
import type { Window } from "../../core/health/model.ts";
import type { Batch, Row } from "../client/batch.ts";
import { MAX_DAY_USERS } from "../users/day-users.ts";
import { ENTITY_COLUMNS, entityIn, feature } from "./entity-rows.ts";
import { FEATURE_OF_NAME, HAS_FEATURE, ROLLUPS_OF_CROWD, ROLLUPS_OF_FEATURE } from "./feature-rollups.ts";
import { NEVER_FRESH, TAIL_EVENTS } from "./tail.ts";

/** An account, and when. */
export interface UseWindow {
  account: Entity;
  window: Window;
}

/** ?2 lists `[account, first day, last day]`. */
const WINDOWS = `
windows AS MATERIALIZED (
  SELECT w.key AS place, w.value ->> 0 AS account, w.value ->> 1 AS first, w.value ->> 2 AS last,
    coalesce(a.roll_up_from, ${NEVER_FRESH}) AS fresh
  FROM json_each(?2) w LEFT JOIN activity a ON a.workspace = ?1 AND a.account = w.value ->> 0
), tail AS MATERIALIZED (
  SELECT w.place, t.user, t.event, t.day
  FROM (${TAIL_EVENTS}) t CROSS JOIN windows w ON w.account = t.account AND t.day BETWEEN w.first AND w.last
)`;

const CONDENSED =
  "windows w CROSS JOIN account_days d ON d.account = w.account AND d.day BETWEEN w.first AND min(w.last, w.fresh - 1)";
const FRESH =
  "windows w CROSS JOIN rollups r ON r.account = w.account AND r.day BETWEEN max(w.first, w.fresh) AND w.last";

const USERS = `
SELECT g.place, g.days, g.last_day, ${ENTITY_COLUMNS.user("u")}
FROM (SELECT place, user, count(DISTINCT day) AS days, max(day) AS last_day FROM user_days GROUP BY place, user) g
CROSS JOIN users u ON u.number = g.user
ORDER BY g.place, g.last_day DESC, g.days DESC, u.external_id`;

const ALL_USERS = `
WITH ${WINDOWS}, user_days AS (
  SELECT w.place, u.value AS user, d.day FROM ${CONDENSED} CROSS JOIN json_each(d.users) u
  WHERE d.user_days <= ${MAX_DAY_USERS}
  UNION
  SELECT w.place, r.user, d.day FROM ${CONDENSED} CROSS JOIN rollups r ON r.account = d.account AND r.day = d.day
  WHERE d.user_days > ${MAX_DAY_USERS} AND r.user > 0
  UNION
  SELECT w.place, r.user, r.day FROM ${FRESH} WHERE r.user > 0
  UNION
  SELECT place, user, day FROM tail WHERE user > 0
)
${USERS}`;

const ALL_DAYS = `
WITH ${WINDOWS}
SELECT place, count(DISTINCT day) AS days FROM (
  SELECT w.place, d.day FROM ${CONDENSED}
  UNION
  SELECT w.place, r.day FROM ${FRESH}
  UNION
  SELECT place, day FROM tail
)
GROUP BY place`;

const ALL_FEATURES = `
WITH ${WINDOWS}
SELECT place, name, max(number) AS number, sum(count) AS events FROM (
  SELECT g.place, e.name, e.number, g.count
  FROM (
    SELECT place, event, sum(count) AS count FROM (
      SELECT w.place, CAST(f.key AS INTEGER) AS event, f.value ->> 0 AS count FROM ${CONDENSED} CROSS JOIN json_each(d.features) f
      UNION ALL
      SELECT w.place, r.event, r.count FROM ${FRESH}
    )
    GROUP BY place, event
  ) g CROSS JOIN event_names e ON e.number = g.event
  UNION ALL
  SELECT t.place, t.event, 0, count(*) FROM tail t GROUP BY t.place, t.event
)
GROUP BY place, name
ORDER BY place, events DESC, name`;

/** ?3 the event name that is counted alone. */
const ACTS = `
WITH ${WINDOWS}, feature AS MATERIALIZED (
  ${FEATURE_OF_NAME}
), acts AS MATERIALIZED (
  SELECT w.place, r.user, r.day, r.count
  FROM feature n CROSS JOIN ${CONDENSED} CROSS JOIN ${ROLLUPS_OF_FEATURE}
  WHERE ${HAS_FEATURE}
  UNION ALL
  SELECT w.place, r.user, r.day, r.count
  FROM feature n CROSS JOIN ${CONDENSED} CROSS JOIN ${ROLLUPS_OF_CROWD}
  WHERE ${HAS_FEATURE}
  UNION ALL
  SELECT w.place, r.user, r.day, r.count FROM feature n CROSS JOIN ${FRESH} WHERE r.event = n.number
  UNION ALL
  SELECT place, user, day, 1 FROM tail WHERE event = ?3
)`;

const FEATURE_USERS = `${ACTS}, user_days AS (
  SELECT place, user, day FROM acts WHERE user > 0
)
${USERS}`;

const FEATURE_DAYS = `
${ACTS}
SELECT place, count(DISTINCT day) AS days, sum(count) AS events FROM acts GROUP BY place`;

/**
 * Uses in the order of `asked`.
 * @param only counts the events of one name, and who was active with them; `null` all events
 */
export function selectAccountUses(batch: Batch, asked: readonly UseWindow[], only: Entity | null): () => AccountUse[] {
  if (asked.length === 0) return () => [];
  const windows = JSON.stringify(asked.map(({ account, window: { from, to } }) => [account.number, from, to]));
  if (only === null) {
    const users = batch.add(ALL_USERS, windows);
    const days = batch.add(ALL_DAYS, windows);
    const features = batch.add(ALL_FEATURES, windows);
    return () =>
      asked.map((_, place) => {
        const used = ofPlace(features(), place).map((row) => ({
          feature: feature(String(row["name"]), Number(row["number"])),
          events: Number(row["events"]),
        }));
        return {
          events: used.reduce((sum, { events }) => sum + events, 0),
          activeDays: Number(ofPlace(days(), place)[0]?.["days"] ?? 0),
          users: usersIn(ofPlace(users(), place)),
          features: used,
        };
      });
  }
  const users = batch.add(FEATURE_USERS, windows, only.externalId);
  const days = batch.add(FEATURE_DAYS, windows, only.externalId);
  return () =>
    asked.map((_, place) => {
      const [total] = ofPlace(days(), place);
      const events = Number(total?.["events"] ?? 0);
      return {
        events,
        activeDays: Number(total?.["days"] ?? 0),
        users: usersIn(ofPlace(users(), place)),
        features: events === 0 ? [] : [{ feature: only, events }],
      };
    });
}

const ofPlace = (rows: readonly Row[], place: number): Row[] => rows.filter((row) => row["place"] === place);

const usersIn = (rows: readonly Row[]): AccountUse["users"] =>
  rows.map((row) => ({ user: entityIn(row), days: Number(row["days"]), lastDay: Number(row["last_day"]) }));
