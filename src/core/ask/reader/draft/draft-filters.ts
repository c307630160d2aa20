/** What the filters of a query being filled in are about. */
import type { Filter } from "../../query/model.ts";
import type { Draft } from "../fragments/fragments.ts";
import { isEntityDimension } from "./context.ts";

export const has = ({ where }: Draft, pattern: RegExp): boolean =>
  where.some(({ dimension }) => pattern.test(dimension));

/** Whether the filters name the one account or user that the query finds. */
export const findsOneEntity = ({ find, where }: Draft): boolean =>
  find !== "events" && where.some(({ dimension, is }) => is !== undefined && `${dimension}s` === find);

/** "Are Lumen and Kestrel at risk" asks about each. */
export const namesSeveralEntities = ({ dimension, in: several }: Filter): boolean =>
  several !== undefined && isEntityDimension(dimension);

export const OF_ITEMS = /^(?:status|opened|resolved|dismissed|snoozed_until)$/;

export const OF_ACCOUNTS =
  /^(?:stage|health|score|plan|seats|mrr|currency|trial_ends|seat_use|kind|account\..*|item_kind|severity|active_users)$/;
