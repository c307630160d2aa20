/** Lays conditions and times over those of the query before. */
import { isWindowed, usesWindow } from "../../query/canonical.ts";
import { isAccountDimension, isUserDimension } from "../../query/dimensions.ts";
import type { Filter, Query } from "../../query/model.ts";
import { comparesWithEntity } from "../../query/subjects.ts";
import { DEFAULT_WINDOW, isoDate, unitIn, windowDays } from "../../query/windows.ts";
import { type DraftContext, isEntityDimension } from "../draft/context.ts";
import type { PieceOf } from "../fragments/fragments.ts";

/** What was used, or that something was, are conditions of one kind. */
const kindOf = ({ dimension }: Filter): string => (/^(?:active|event)$/.test(dimension) ? "activity" : dimension);

const isLower = ({ over, from }: Filter): boolean => (over ?? from) !== undefined;
const isUpper = ({ under, to }: Filter): boolean => (under ?? to) !== undefined;

/** Tests whether a filter names an account or user. */
export const namesEntity = ({ dimension, is, in: several }: Filter): boolean =>
  isEntityDimension(dimension) && (is ?? several) !== undefined;

const isOfNamed = (named: Filter, { dimension }: Filter): boolean =>
  named.dimension === "account" ? isAccountDimension(dimension) : isUserDimension(dimension);

/**
 * Replaces the filters of the same kind, and adds the others.
 * @returns `null` if it isn't clear what they replace: one of two, or the other bound of a number; or if a condition
 * would be added to a name
 */
export function withFilters(query: Query, filters: readonly Filter[]): Query | null {
  let { where, of } = query;
  for (const [kind, next] of Map.groupBy(filters, kindOf)) {
    const isOld = (filter: Filter): boolean => kindOf(filter) === kind;
    const old = [...where, ...(of ?? [])].filter(isOld);
    // "Not healthy", then "and not at risk": both.
    if (old.length > 0 && [...old, ...next].every(({ isNot }) => isNot !== undefined)) {
      where = where.concat(next);
      continue;
    }
    const isOtherBound = old.some(
      (each) => (isLower(each) && next.some(isUpper)) || (isUpper(each) && next.some(isLower)),
    );
    const isOfOther = [...where, ...(of ?? [])].some(
      (each) =>
        !isOld(each) &&
        ((namesEntity(each) && next.some((filter) => isOfNamed(each, filter))) ||
          next.some((filter) => namesEntity(filter) && isOfNamed(filter, each))),
    );
    // Churned accounts aren't at risk any more: these or those.
    const isOfState =
      next.some(({ is, became }) => (is ?? became) === "churned") &&
      where.some(({ dimension }) => dimension === "health");
    if (old.length > 1 || isOtherBound || isOfOther || isOfState) return null;
    const laid = (all: readonly Filter[]): Filter[] => all.flatMap((each) => (isOld(each) ? next : [each]));
    if (old.length === 0 && query.show === "share") of = (of ?? []).concat(next);
    else if (old.length === 0) where = where.concat(next);
    else [where, of] = [laid(where), of && laid(of)];
  }
  return { ...query, where, ...(of && { of }) };
}

/** Returns the times of a filter: its window, the dates that it bounds, the day of its value. */
const timesOf = ({ window, within, asOf, is, from, to }: Filter): unknown[] =>
  [window, within, asOf, [is, from, to].find((each) => /^\d{4}-\d{2}-\d{2}$/.test(String(each)))].filter(
    (each) => each !== undefined,
  );

/** Replaces the only time of a query, or adds one to what is counted in a time. @returns `null` if there are several */
export function withTime(query: Query, { window, ahead }: PieceOf<"window">, { today }: DraftContext): Query | null {
  const { where, of = [], compare } = query;
  const filters = [...where, ...of];
  const own = filters.filter((filter) => timesOf(filter).length > 0);
  const isCompared = compare !== undefined && compare.to !== "before" && !comparesWithEntity(compare.to);
  const [timed] = own;
  const [only, ...others] = [...own, ...(query.window ? [query.window] : [])];
  if (isCompared || others.length > 0 || own.some((filter) => timesOf(filter).length > 1)) return null;
  // A state is that of one day: the last one of a month, but not of "since May".
  const isEnd = "previous" in window || unitIn(window) !== undefined || ("from" in window && window.from === window.to);
  if (timed === undefined && !usesWindow(query) && query.show !== "summary" && !isEnd) return null;
  if (only === undefined || timed === undefined) return { ...query, window };
  // What is counted beside it has the default window.
  if (timed.asOf === undefined && usesWindow(query)) return null;
  const end = windowDays(window, today).to;
  const laid = (filter: Filter): Filter => {
    if (filter !== timed) return filter;
    if (filter.window !== undefined) return { ...filter, window };
    if (filter.within !== undefined)
      return {
        ...filter,
        within: /^(?:opened|resolved|dismissed|.*_seen)$/.test(filter.dimension) ? window : (ahead ?? window),
      };
    return { ...filter, asOf: isoDate(end) };
  };
  if (timed.window === undefined && timed.within === undefined && (timed.asOf === undefined || end >= today))
    return null;
  return { ...query, where: where.map(laid), ...(query.of && { of: of.map(laid) }) };
}

/** Gives the filters of a query their time, so that they mean the same beside another time. */
export const inOwnTime = (filters: readonly Filter[], window = DEFAULT_WINDOW): Filter[] =>
  filters.map((filter) => (isWindowed(filter) ? { window, ...filter } : filter));
