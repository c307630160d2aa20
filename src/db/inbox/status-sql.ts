/** The status of an inbox item. SQL text, because the builder's queries and the compiled ones share it. */
import type { ItemStatus } from "../../core/inbox/model.ts";
import type { ColumnNames } from "../client/columns-of.ts";
import { type Expression, expression } from "../client/expression.ts";
import type { inboxItems, inboxMarks } from "../schema/schema.ts";

/**
 * Every item has exactly one status: a resolved item stays resolved, whatever its marks.
 * @param now the SQL of the time that decides which snoozes are over, in milliseconds since the epoch
 */
export const statusOf = (
  item: Pick<ColumnNames<typeof inboxItems>, "resolvedDay">,
  mark: Pick<ColumnNames<typeof inboxMarks>, "dismissedAt" | "snoozedUntil">,
  now: string,
): Expression<ItemStatus> =>
  expression(`CASE
  WHEN ${item.resolvedDay} IS NOT NULL THEN 'resolved'
  WHEN ${mark.dismissedAt} IS NOT NULL THEN 'dismissed'
  WHEN ${mark.snoozedUntil} > ${now} THEN 'snoozed'
  ELSE 'open' END`);
