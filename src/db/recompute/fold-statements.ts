/**
 * The fold, statement by statement: a stretch of a workspace's log becomes daily rollups. One transaction moves the
 * watermark with them, and each statement asks for the watermark it was made for, so a stretch is folded once whatever
 * crashes, overlaps or is repeated.
 *
 * All statements take the same parameters:
 *   ?1 the workspace's number   ?2 the seq before the first, where the watermark stands   ?3 the last seq
 *   ?4 the run   ?5 today   ?6 the first day to take (of a rebuild)
 */
import { dayOf } from "../client/utc-day.ts";
import { mayWrite } from "./session.ts";

/** Which column of `folds` tells how far a fold has come. */
export type Progress = "watermark" | "rebuilt_through";

const IN_STRETCH = `m.seq > ?2 AND m.seq <= ?3 AND ${dayOf("m.occurred_at")} >= ?6`;

/** The first account that users came by in the stretch with whom attributes waited: what these go to. */
const FIRST_ACCOUNTS = `(
  SELECT m.user, m.account, min(m.seq)
  FROM messages m
  WHERE m.seq > ?2 AND m.seq <= ?3 AND m.account IS NOT NULL
    AND EXISTS (SELECT 1 FROM pending_attribute_days w WHERE w.user = m.user)
  GROUP BY m.user
)`;

const attributesOf = (owner: string, condition: string) => `
  SELECT m.${owner} AS owner, ${dayOf("m.occurred_at")} AS day, a.key AS name, m.attributes -> a.key AS value,
    m.occurred_at, m.seq
  FROM messages m CROSS JOIN json_each(m.attributes) a
  WHERE ${IN_STRETCH} AND m.attributes IS NOT NULL AND ${condition}`;

const unpacked = (table: string, row: string, owner: string) => `
  SELECT ${owner} AS owner, ${row}.day, a.key AS name, a.value -> 0 AS value, a.value ->> 1 AS occurred_at,
    a.value ->> 2 AS seq
  FROM ${table} CROSS JOIN json_each(${row}.attributes) a`;

/** Keeps of each owner, day and name the latest value there is, of those brought and the one stored. */
function keepLatest(table: string, owner: string, brought: string, condition: string): string {
  return `
INSERT INTO ${table} (${owner}, day, attributes)
WITH brought AS MATERIALIZED (${brought})
SELECT owner, day, json_group_object(name, json_array(json(value), occurred_at, seq))
FROM (
  SELECT owner, day, name, value, occurred_at, seq,
    row_number() OVER (PARTITION BY owner, day, name ORDER BY occurred_at DESC, seq DESC) AS place
  FROM (
    SELECT * FROM brought
    UNION ALL
    ${unpacked(`(SELECT DISTINCT owner, day FROM brought) b CROSS JOIN ${table} d ON d.${owner} = b.owner AND d.day = b.day`, "d", "b.owner")}
  )
  ORDER BY owner, day, name
)
WHERE place = 1 AND ${condition}
GROUP BY owner, day
ON CONFLICT (${owner}, day) DO UPDATE SET attributes = excluded.attributes`;
}

/** @param progress a rebuild replaces rollups alone: what is known of the accounts' bounds stays */
export function foldStatements(progress: Progress): string[] {
  const may = `${mayWrite("?4", "?1")}
  AND EXISTS (SELECT 1 FROM folds WHERE workspace = ?1 AND ${progress} = ?2)`;
  const waited = unpacked(
    `${FIRST_ACCOUNTS} f CROSS JOIN pending_attribute_days w ON w.user = f.user`,
    "w",
    "f.account",
  );

  return [
    `
INSERT INTO event_names (workspace, name)
SELECT DISTINCT ?1, m.event FROM messages m
WHERE ${IN_STRETCH} AND m.type = 'track' AND m.account IS NOT NULL AND ${may}
ON CONFLICT DO NOTHING`,

    `
INSERT INTO rollups (account, day, user, event, count, last_at)
SELECT g.account, g.day, g.user, n.number, g.count, g.last_at
FROM (
  SELECT m.account, ${dayOf("m.occurred_at")} AS day, coalesce(m.user, 0) AS user, m.event, count(*) AS count,
    max(m.occurred_at) AS last_at
  FROM messages m
  WHERE ${IN_STRETCH} AND m.type = 'track' AND m.account IS NOT NULL AND ${may}
  GROUP BY 1, 2, 3, 4
) g CROSS JOIN event_names n ON n.workspace = ?1 AND n.name = g.event
WHERE true
ON CONFLICT (account, day, user, event) DO UPDATE
SET count = count + excluded.count, last_at = max(last_at, excluded.last_at)`,

    `
INSERT INTO workspace_days (workspace, day, events)
SELECT ?1, ${dayOf("m.occurred_at")}, count(*)
FROM messages m
WHERE ${IN_STRETCH} AND m.type = 'track' AND m.account IS NOT NULL AND ${may}
GROUP BY 2
ON CONFLICT (workspace, day) DO UPDATE SET events = events + excluded.events`,

    keepLatest("pending_attribute_days", "user", attributesOf("user", "m.account IS NULL AND m.user IS NOT NULL"), may),
    keepLatest(
      "attribute_days",
      "account",
      `${attributesOf("account", "m.account IS NOT NULL")} UNION ALL ${waited}`,
      may,
    ),

    // Rebuilt too, so that a rebuild mends what a Worker without questions has folded.
    upsertUserAccounts(may),
    ...(progress === "watermark" ? [upsertActivity(may), setDue(may), setLastEvent(may)] : []),

    `
DELETE FROM pending_attribute_days
WHERE user IN (SELECT f.user FROM ${FIRST_ACCOUNTS} f) AND ${may}`,

    `UPDATE folds SET ${progress} = ?3 WHERE workspace = ?1 AND ${progress} = ?2 AND ${mayWrite("?4", "?1")}`,
  ];
}

/** A new account is due at once. */
const upsertActivity = (may: string) => `
INSERT INTO activity (workspace, account, first_at, last_event_at, roll_up_from, score_from, due_at)
SELECT ?1, account, min(first_at), max(last_event_at), min(day), min(day), 0
FROM (
  SELECT m.account, min(m.occurred_at) AS first_at, max(iif(m.type = 'track', m.occurred_at, NULL)) AS last_event_at,
    min(${dayOf("m.occurred_at")}) AS day
  FROM messages m
  WHERE ${IN_STRETCH} AND m.account IS NOT NULL
  GROUP BY m.account
  UNION ALL
  SELECT f.account, NULL, NULL, min(w.day)
  FROM ${FIRST_ACCOUNTS} f CROSS JOIN pending_attribute_days w ON w.user = f.user
  GROUP BY f.account
)
WHERE ${may}
GROUP BY account
ON CONFLICT (workspace, account) DO UPDATE SET
  first_at = min(first_at, excluded.first_at),
  last_event_at = max(coalesce(last_event_at, excluded.last_event_at), coalesce(excluded.last_event_at, last_event_at)),
  roll_up_from = min(coalesce(roll_up_from, excluded.roll_up_from), excluded.roll_up_from),
  score_from = min(score_from, excluded.score_from)`;

/**
 * So is one to which something happened on a day that is over. A statement of its own: the upsert would write the index
 * of what is due with each account of each stretch, though it stays as it is.
 */
const setDue = (may: string) => `
UPDATE activity SET due_at = 0
WHERE workspace = ?1 AND due_at IS NOT 0 AND account IN (
  SELECT m.account FROM messages m WHERE ${IN_STRETCH} AND ${dayOf("m.occurred_at")} < ?5
  UNION
  SELECT f.account FROM ${FIRST_ACCOUNTS} f CROSS JOIN pending_attribute_days w ON w.user = f.user AND w.day < ?5
) AND ${may}`;

/** A user has a row for each account, and it is written once a day however often the day's events are folded. */
const upsertUserAccounts = (may: string) => `
INSERT INTO user_accounts (user, account, first_day, last_day)
SELECT m.user, m.account, min(${dayOf("m.occurred_at")}), max(${dayOf("m.occurred_at")})
FROM messages m
WHERE ${IN_STRETCH} AND m.type = 'track' AND m.account IS NOT NULL AND m.user IS NOT NULL AND ${may}
GROUP BY m.user, m.account
ON CONFLICT (user, account) DO UPDATE
SET first_day = min(first_day, excluded.first_day), last_day = max(last_day, excluded.last_day)
WHERE excluded.first_day < first_day OR excluded.last_day > last_day`;

const setLastEvent = (may: string) => `
UPDATE folds SET last_event_at = max(coalesce(folds.last_event_at, e.last_event_at), e.last_event_at)
FROM (
  SELECT max(m.occurred_at) AS last_event_at FROM messages m
  WHERE ${IN_STRETCH} AND m.type = 'track' AND m.account IS NOT NULL
) e
WHERE folds.workspace = ?1 AND e.last_event_at IS NOT NULL AND ${may}`;
