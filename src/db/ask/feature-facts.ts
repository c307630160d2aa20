/**
 * Who uses a feature, over all accounts of a workspace: from the summaries of the days on which each account was
 * active, and for users from the rollups of those days alone that have the feature.
 */
import { DAY_MS } from "../../core/durations.ts";
import type { Facts, FeaturePlan } from "../../core/ask/model.ts";
import type { Batch, Row } from "../client/batch.ts";
import { ENTITY_COLUMNS, entityIn, isSuperseded } from "./entity-rows.ts";
import { FEATURE_OF_NAME, HAS_FEATURE, ROLLUPS_OF_CROWD, ROLLUPS_OF_FEATURE } from "./feature-rollups.ts";
import { NEVER_FRESH, TAIL_EVENTS } from "./tail.ts";

type FeatureFacts = Extract<Facts, { subject: "feature" }>;

/** ?2 lists `[first day, last day]`, ?3 is the event name. Accounts are those with an event since the window began. */
const USED = `
windows AS MATERIALIZED (
  SELECT w.key AS place, w.value ->> 0 AS first, w.value ->> 1 AS last FROM json_each(?2) w
), feature AS MATERIALIZED (
  ${FEATURE_OF_NAME}
), known AS (
  SELECT w.place, w.first, w.last, a.account, coalesce(a.roll_up_from, ${NEVER_FRESH}) AS fresh
  FROM windows w CROSS JOIN activity a ON a.workspace = ?1 AND a.last_event_at >= w.first * ${DAY_MS}
), tail AS MATERIALIZED (
  SELECT w.place, t.account, t.user, t.day
  FROM (${TAIL_EVENTS}) t CROSS JOIN windows w ON t.day BETWEEN w.first AND w.last
  WHERE t.event = ?3
)`;

const CONDENSED =
  "known k CROSS JOIN account_days d ON d.account = k.account AND d.day BETWEEN k.first AND min(k.last, k.fresh - 1)";
const FRESH =
  "known k CROSS JOIN rollups r ON r.account = k.account AND r.day BETWEEN max(k.first, k.fresh) AND k.last";

const ACCOUNTS = `
WITH ${USED}
SELECT g.place, g.events, ${ENTITY_COLUMNS.account("a")}, ${isSuperseded("a")} AS superseded
FROM (
  SELECT place, account, sum(count) AS events FROM (
    SELECT k.place, k.account, json_extract(d.features, n.path || '[0]') AS count FROM feature n CROSS JOIN ${CONDENSED}
    UNION ALL
    SELECT k.place, k.account, r.count FROM feature n CROSS JOIN ${FRESH} WHERE r.event = n.number
    UNION ALL
    SELECT place, account, 1 FROM tail
  )
  WHERE count > 0
  GROUP BY place, account
) g CROSS JOIN accounts a ON a.number = g.account
ORDER BY g.place, g.events DESC, a.external_id`;

const USERS = `
WITH ${USED}
SELECT g.place, g.events, ${ENTITY_COLUMNS.user("u")}
FROM (
  SELECT place, user, sum(count) AS events FROM (
    SELECT k.place, r.user, r.count
    FROM feature n CROSS JOIN ${CONDENSED} CROSS JOIN ${ROLLUPS_OF_FEATURE} WHERE ${HAS_FEATURE}
    UNION ALL
    SELECT k.place, r.user, r.count
    FROM feature n CROSS JOIN ${CONDENSED} CROSS JOIN ${ROLLUPS_OF_CROWD} WHERE ${HAS_FEATURE}
    UNION ALL
    SELECT k.place, r.user, r.count FROM feature n CROSS JOIN ${FRESH} WHERE r.event = n.number
    UNION ALL
    SELECT place, user, 1 FROM tail
  )
  WHERE user > 0
  GROUP BY place, user
) g CROSS JOIN users u ON u.number = g.user
ORDER BY g.place, g.events DESC, u.external_id`;

/** ?2 and ?3 the first and the last day. */
const ACTIVE_ACCOUNTS = `
SELECT count(*) AS accounts FROM (
  SELECT b.account FROM activity b
  WHERE b.workspace = ?1 AND b.last_event_at >= ?2 * ${DAY_MS} AND (
    EXISTS (SELECT 1 FROM account_days d WHERE d.account = b.account
      AND d.day BETWEEN ?2 AND min(?3, coalesce(b.roll_up_from, ${NEVER_FRESH}) - 1))
    OR EXISTS (SELECT 1 FROM rollups r WHERE r.account = b.account AND r.day BETWEEN max(?2, b.roll_up_from) AND ?3))
  UNION
  SELECT t.account FROM (${TAIL_EVENTS}) t WHERE t.day BETWEEN ?2 AND ?3
) c CROSS JOIN accounts a ON a.number = c.account
WHERE NOT ${isSuperseded("a")}`;

export function selectFeatureFacts(batch: Batch, plan: FeaturePlan): () => FeatureFacts {
  const windows = "before" in plan ? [plan.window, plan.before] : [plan.window];
  const values = [JSON.stringify(windows.map(({ from, to }) => [from, to])), plan.feature.externalId] as const;
  const accounts = batch.add(ACCOUNTS, ...values);
  const users = plan.measure === "users" || plan.measure === "user_count" ? batch.add(USERS, ...values) : () => [];
  const active = plan.measure === "adoption" ? batch.add(ACTIVE_ACCOUNTS, plan.window.from, plan.window.to) : () => [];
  return () => ({
    subject: "feature",
    uses: windows.map((_, place) => {
      const ofPlace = (row: Row) => row["place"] === place;
      const used = accounts().filter(ofPlace);
      return {
        events: used.reduce((sum, { events }) => sum + Number(events), 0),
        accounts: used
          .filter(({ superseded }) => superseded !== 1)
          .map((row) => ({ account: entityIn(row), events: Number(row["events"]) })),
        users: users()
          .filter(ofPlace)
          .map((row) => ({ user: entityIn(row), events: Number(row["events"]) })),
      };
    }),
    activeAccounts: Number(active()[0]?.["accounts"] ?? 0),
  });
}
