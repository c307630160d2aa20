/**
 * Writes outcomes: health, its history, and inbox items. Nothing else writes them, and only the recompute imports this.
 * It is SQL text because it upserts lists from JSON only while the run holds the lease.
 */
import { getTableColumns } from "drizzle-orm";

import type { Day, Health, HealthDay } from "../../core/health/model.ts";
import type { InboxItem } from "../../core/inbox/model.ts";
import type { News } from "../../core/notify/news.ts";
import { typedKeys } from "../../core/typed-keys.ts";
import { columnsOf } from "../client/columns-of.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { prepare } from "../client/prepare.ts";
import { lastNumber, replaceChanged } from "../client/sql-fragments.ts";
import { jsonParts } from "../client/run-statements.ts";
import type { Statement } from "../client/statement.ts";
import { insertNews } from "../destinations/outbox-sql.ts";
import { accountProgress, health, healthDays, inboxItems } from "../schema/schema.ts";
import { MAY_WRITE } from "./lease-sql.ts";
import type { Session } from "./session.ts";

export interface AccountItems {
  account: number;
  items: readonly InboxItem[];
  /** What the items, and the account's days, have that the stored ones lack. */
  news: readonly News[];
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
 * @param dueAt when the accounts are due again, `now` when news is due, in milliseconds since the epoch
 * @returns false when the run may no longer write
 */
export async function writeOutcomes(
  session: Session,
  workspace: WorkspaceRef,
  outcomes: readonly AccountOutcome[],
  { scoredThrough, dueAt, now }: { scoredThrough: Day; dueAt: number; now: number },
): Promise<boolean> {
  const days = outcomes.flatMap(({ account, days: changed }) =>
    changed.map((day) => [account, ...DAY.map((column) => day[column])]),
  );
  const scores = outcomes.flatMap(({ account, health: changed }) =>
    changed === null ? [] : [[account, changed.state, changed.score, changed]],
  );
  const superseded = JSON.stringify(outcomes.flatMap((one) => (one.superseded ? [one.account] : [])));
  const scored = JSON.stringify(outcomes.map(({ account }) => account));
  const scoreFrom = scoredThrough + 1;
  const values = { workspace: workspace.number, holder: session.holder, superseded, scored, scoreFrom, dueAt };
  const results = await session.batch([
    ...jsonParts(days).map((rows) => UPSERT_DAYS.bind({ ...values, rows })),
    ...jsonParts(scores).map((rows) => UPSERT_HEALTH.bind({ ...values, rows })),
    ...(superseded === "[]" ? [] : [DELETE_HEALTH.bind(values), DELETE_DAYS.bind(values)]),
    ...upsertItems(session, workspace, outcomes, now),
    SET_SCORED.bind(values),
  ]);
  return (results.at(-1)?.meta.changes ?? 0) > 0;
}

/**
 * Builds statements that open, update and resolve items, and put the news into the outbox. An item keeps its id while its identity
 * stays the same.
 */
export function upsertItems(
  session: Session,
  workspace: WorkspaceRef,
  accounts: readonly AccountItems[],
  now: number,
): Statement[] {
  const rows = accounts.flatMap(({ account, items }) =>
    items.map((item) => [account, ...ITEM.map((column) => item[column])]),
  );
  const values = { workspace: workspace.number, holder: session.holder };
  const upserts = jsonParts(rows).map((part) => UPSERT_ITEMS.bind({ ...values, rows: part }));
  return [...upserts, ...insertNews(session, workspace, accounts, now)];
}

const accountHealth = columnsOf(health);
const healthDay = columnsOf(healthDays);
const item = columnsOf(inboxItems);
const progress = columnsOf(accountProgress);

const DAY = typedKeys(getTableColumns(healthDays)).filter((column) => column !== "account");
const HEALTH = [accountHealth.state, accountHealth.score, accountHealth.health];
const IDENTITY = ["kind", "subject", "occurrence"] as const;
const ITEM = typedKeys(getTableColumns(inboxItems)).filter(
  (column) => column !== "number" && column !== "id" && column !== "workspace" && column !== "account",
);
const CONTENT = ITEM.filter((column) => !IDENTITY.some((key) => key === column));

/** Selects the members of each row `value` of a JSON array. */
const members = (count: number): string => Array.from({ length: count }, (_, index) => `value ->> ${index}`).join(", ");

const UPSERT_DAYS = prepare(`
INSERT INTO ${healthDay.table} (${healthDay.account}, ${DAY.map((column) => healthDay[column]).join(", ")})
SELECT ${members(1 + DAY.length)} FROM json_each(:rows)
WHERE ${MAY_WRITE}
ON CONFLICT (${healthDay.account}, ${healthDay.day})
${replaceChanged(DAY.filter((column) => column !== "day").map((column) => healthDay[column]))}`);

const UPSERT_HEALTH = prepare(`
INSERT INTO ${accountHealth.table} (${accountHealth.workspace}, ${accountHealth.account}, ${HEALTH.join(", ")})
SELECT :workspace, ${members(1 + HEALTH.length)} FROM json_each(:rows)
WHERE ${MAY_WRITE}
ON CONFLICT (${accountHealth.workspace}, ${accountHealth.account}) ${replaceChanged(HEALTH)}`);

const ITEM_COLUMNS = [item.number, item.id, item.workspace, item.account, ...ITEM.map((column) => item[column])];
const UPSERT_ITEMS = prepare(`
INSERT INTO ${item.table} (${ITEM_COLUMNS.join(", ")})
SELECT ${lastNumber(item, ":workspace")} + key + 1, 'itm_' || lower(hex(randomblob(12))), :workspace, ${members(1 + ITEM.length)}
FROM json_each(:rows)
WHERE ${MAY_WRITE}
ON CONFLICT (${item.workspace}, ${item.account}, ${IDENTITY.map((column) => item[column]).join(", ")})
${replaceChanged(CONTENT.map((column) => item[column]))}`);

const IS_SUPERSEDED = "IN (SELECT value FROM json_each(:superseded))";

const DELETE_HEALTH = prepare(`
DELETE FROM ${accountHealth.table}
WHERE ${accountHealth.workspace} = :workspace AND ${accountHealth.account} ${IS_SUPERSEDED} AND ${MAY_WRITE}`);

const DELETE_DAYS = prepare(`
DELETE FROM ${healthDay.table} WHERE ${healthDay.account} ${IS_SUPERSEDED} AND ${MAY_WRITE}`);

/** A superseded account is never due again once its days are summarized, because other accounts are compared with them. */
const SET_SCORED = prepare(`
UPDATE ${progress.table} SET ${progress.scoreFrom} = :scoreFrom,
  ${progress.dueAt} = iif(${progress.summarizeFrom} IS NULL AND ${progress.account} ${IS_SUPERSEDED}, NULL, :dueAt)
WHERE ${progress.workspace} = :workspace AND ${progress.account} IN (SELECT value FROM json_each(:scored))
  AND ${MAY_WRITE}`);
