/** What messages bring that has no name in the index yet: read before a stretch is folded, and of the tail. */
import type { Row } from "../client/batch.ts";
import { isNotErased } from "../users/erased-ids.ts";
import { ENTITY_COLUMNS } from "./entity-rows.ts";
import type { Name } from "./name-rows.ts";

/** A longer plan is no name that anybody would ask by. */
const MAX_PLAN_CHARACTERS = 256;

const hasName = (kind: string, subject: string, source: string): string => `EXISTS (
  SELECT 1 FROM names h
  WHERE h.workspace = ?1 AND h.kind = '${kind}' AND h.subject = ${subject} AND h.source = '${source}')`;

/**
 * Selects accounts, users and event names that have no name yet, and all plans, as rows of entities. ?1 is the
 * workspace. Those of erased people are none.
 * @param where picks messages, called `m`; `accounts` picks among theirs, called `a`
 */
export const selectUnnamed = (where: string, accounts = "TRUE"): string => `
WITH brought AS MATERIALIZED (
  SELECT m.account, m.user, iif(m.type = 'track', m.event, NULL) AS event, m.attributes ->> 'plan' AS plan
  FROM messages m WHERE ${where}
)
SELECT ${ENTITY_COLUMNS.account("a")}, a.kind AS account_kind
FROM (SELECT DISTINCT account FROM brought WHERE account IS NOT NULL) b CROSS JOIN accounts a ON a.number = b.account
WHERE ${isNotErased("a.external_id")} AND NOT ${hasName("account", "a.number", "external_id")} AND ${accounts}
UNION ALL
SELECT ${ENTITY_COLUMNS.user("u")}, NULL
FROM (SELECT DISTINCT user FROM brought WHERE user IS NOT NULL) b CROSS JOIN users u ON u.number = b.user
WHERE ${isNotErased("u.external_id")} AND NOT ${hasName("user", "u.number", "external_id")}
UNION ALL
SELECT 'feature', coalesce(e.number, 0), b.event, b.event, NULL, NULL
FROM (SELECT DISTINCT event FROM brought WHERE event IS NOT NULL) b
  LEFT JOIN event_names e ON e.workspace = ?1 AND e.name = b.event
WHERE e.number IS NULL OR NOT ${hasName("feature", "e.number", "event")}
UNION ALL
SELECT DISTINCT 'plan', 0, NULL, plan, NULL, NULL FROM brought
WHERE plan IS NOT NULL AND length(plan) <= ${MAX_PLAN_CHARACTERS}`;

/** The name that such a row tells of. */
export function nameIn(row: Row): Name {
  const [kind, subject, text] = [row["kind"], Number(row["number"]), String(row["external_id"])];
  if (kind === "account" || kind === "user") return { kind, subject, source: "external_id", text };
  if (kind === "feature") return { kind, subject, source: "event", text };
  return { kind: "plan", subject, source: "plan", text };
}
