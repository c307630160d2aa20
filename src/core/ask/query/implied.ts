/**
 * What a query means without saying so: whose money counts, the order of dates, and the columns of a list. The compiler
 * and the writer add it; `canonical` and `restate` leave it out, except for the order.
 */
import type { Day } from "../../health/model.ts";
import { canonical } from "./canonical.ts";
import { isMoney } from "./check.ts";
import type { Filter, Query } from "./model.ts";
import { isoDate } from "./windows.ts";

/** What accounts pay, and what they pay for without using it. Churned accounts may still have an old amount. */
const isPaid = (name: string | undefined): boolean => isMoney(name) || name === "unused_seats";

const isAmount = ({ dimension, changed, isUnknown }: Filter): boolean =>
  isPaid(dimension) && changed === undefined && isUnknown === undefined;

/** Whether a filter names accounts, or churned ones, so that the default doesn't hold. */
const namesAccounts = ({ dimension, is, in: several = [] }: Filter): boolean =>
  dimension === "stage" ||
  ((dimension === "account" || dimension === "user") && (is !== undefined || several.length > 0)) ||
  (dimension === "health" && [is, ...several].includes("churned"));

/**
 * Leaves churned accounts out of a query that shows, sorts or bounds what accounts pay, unless it names a stage or accounts.
 * @param asOf the day whose final values are shown; `null` for current values
 */
export function withoutChurned(query: Query, asOf: Day | null = null): Query {
  const { where, of = [], show } = query;
  const { measure, order, per, ...told } = canonical(query);
  const filters = [...told.where, ...(told.of ?? [])];
  const isShown = isPaid(measure) || isPaid(order?.by);
  const amount = filters.find(isAmount);
  if ((!isShown && amount === undefined) || per === "stage" || filters.some(namesAccounts)) return query;
  const day = isShown ? (asOf === null ? undefined : isoDate(asOf)) : amount?.asOf;
  const current: Filter = { dimension: "stage", isNot: "churned", ...(day !== undefined && { asOf: day }) };
  return show === "share" ? { ...query, of: [...of, current] } : { ...query, where: [...where, current] };
}
