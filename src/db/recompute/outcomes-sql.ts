/** Writes outcomes: health, its history, and inbox items. Nothing else writes them, and only the recompute imports this. */
import { getTableColumns } from "drizzle-orm";

import type { Day, Health, HealthDay } from "../../core/health/model.ts";
import type { InboxItem } from "../../core/inbox/model.ts";
import { typedKeys } from "../../core/typed-keys.ts";
import { columnsOf } from "../client/columns-of.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { lastNumber, replaceChanged } from "../client/sql-fragments.ts";
import { jsonParts, type Statement, statement } from "../client/statements.ts";
import { accountProgress, health, healthDays, inboxItems } from "../schema/schema.ts";
import { mayWrite } from "./lease-sql.ts";
import type { Session } from "./session.ts";

export interface AccountItems {
  account: number;
  items: readonly InboxItem[];
}

/** The result of scoring an account. Rows that equal the stored ones are not written. */
export interface AccountOutcome extends AccountItems {
  days: readonly HealthDay[];
  health: Health | null;
  /** Deletes the account's health. It is not due again after its last day is summarized. */
  superseded: boolean;
}

/**
 * Writes outcomes and removes the accounts from the list of due ones, in one transaction.
 * @param scoredThrough the last complete day
 * @param dueAt when the accounts are due again, in milliseconds since the epoch
 * @returns false when the run may no longer write
 */
export async function writeOutcomes(
  session: Session,
  workspace: WorkspaceRef,
  outcomes: readonly AccountOutcome[],
  { scoredThrough, dueAt }: { scoredThrough: Day; dueAt: number },
): Promise<boolean> {
  const days = outcomes.flatMap(({ account, days: changed }) =>
    changed.map((day) => [account, ...DAY.map((column) => day[column])]),
  );
  const scores = outcomes.flatMap(({ account, health: changed }) =>
    changed === null ? [] : [[account, changed.state, changed.score, changed]],
  );
  const superseded = JSON.stringify(outcomes.flatMap((one) => (one.superseded ? [one.account] : [])));
  const scored = JSON.stringify(outcomes.map(({ account }) => account));
  const [number, holder] = [workspace.number, session.holder];
  const results = await session.batch([
    ...jsonParts(days).map((rows) => statement(UPSERT_DAYS, number, rows, holder)),
    ...jsonParts(scores).map((rows) => statement(UPSERT_HEALTH, number, rows, holder)),
    ...(superseded === "[]"
      ? []
      : [DELETE_HEALTH, DELETE_DAYS].map((sql) => statement(sql, number, superseded, holder))),
    ...upsertItems(session, workspace, outcomes),
    statement(SET_SCORED, number, scored, scoredThrough + 1, holder, dueAt, superseded),
  ]);
  return (results.at(-1)?.meta.changes ?? 0) > 0;
}

/** Builds statements that open, update and resolve items. An item keeps its id while its identity stays the same. */
export function upsertItems(session: Session, workspace: WorkspaceRef, accounts: readonly AccountItems[]): Statement[] {
  const rows = accounts.flatMap(({ account, items }) =>
    items.map((item) => [account, ...ITEM.map((column) => item[column])]),
  );
  return jsonParts(rows).map((part) => statement(UPSERT_ITEMS, workspace.number, part, session.holder));
}

const a = columnsOf(accountProgress);
const d = columnsOf(healthDays);
const h = columnsOf(health);
const i = columnsOf(inboxItems);

const DAY = typedKeys(getTableColumns(healthDays)).filter((column) => column !== "account");
const HEALTH = [h.state, h.score, h.health];
const IDENTITY = ["kind", "subject", "occurrence"] as const;
const ITEM = typedKeys(getTableColumns(inboxItems)).filter(
  (column) => column !== "number" && column !== "id" && column !== "workspace" && column !== "account",
);
const CONTENT = ITEM.filter((column) => !IDENTITY.some((key) => key === column));

/** Selects the members of each row `value` of a JSON array. */
const members = (count: number): string => Array.from({ length: count }, (_, index) => `value ->> ${index}`).join(", ");

const UPSERT_DAYS = `
INSERT INTO ${d.table} (${d.account}, ${DAY.map((column) => d[column]).join(", ")})
SELECT ${members(1 + DAY.length)} FROM json_each(?2)
WHERE ${mayWrite("?3", "?1")}
ON CONFLICT (${d.account}, ${d.day}) ${replaceChanged(DAY.filter((column) => column !== "day").map((column) => d[column]))}`;

const UPSERT_HEALTH = `
INSERT INTO ${h.table} (${h.workspace}, ${h.account}, ${HEALTH.join(", ")})
SELECT ?1, ${members(1 + HEALTH.length)} FROM json_each(?2)
WHERE ${mayWrite("?3", "?1")}
ON CONFLICT (${h.workspace}, ${h.account}) ${replaceChanged(HEALTH)}`;

const UPSERT_ITEMS = `
INSERT INTO ${i.table} (${i.number}, ${i.id}, ${i.workspace}, ${i.account}, ${ITEM.map((column) => i[column]).join(", ")})
SELECT ${lastNumber(i, "?1")} + key + 1, 'itm_' || lower(hex(randomblob(12))), ?1, ${members(1 + ITEM.length)} FROM json_each(?2)
WHERE ${mayWrite("?3", "?1")}
ON CONFLICT (${i.workspace}, ${i.account}, ${IDENTITY.map((column) => i[column]).join(", ")})
${replaceChanged(CONTENT.map((column) => i[column]))}`;

const IN_LIST = "IN (SELECT value FROM json_each(?2))";

const DELETE_HEALTH = `
DELETE FROM ${h.table} WHERE ${h.workspace} = ?1 AND ${h.account} ${IN_LIST} AND ${mayWrite("?3", "?1")}`;

const DELETE_DAYS = `DELETE FROM ${d.table} WHERE ${d.account} ${IN_LIST} AND ${mayWrite("?3", "?1")}`;

/** A superseded account is never due again once its days are summarized, because other accounts are compared with them. */
const SET_SCORED = `
UPDATE ${a.table} SET ${a.scoreFrom} = ?3,
  ${a.dueAt} = iif(${a.summarizeFrom} IS NULL AND ${a.account} IN (SELECT value FROM json_each(?6)), NULL, ?5)
WHERE ${a.workspace} = ?1 AND ${a.account} ${IN_LIST} AND ${mayWrite("?4", "?1")}`;
