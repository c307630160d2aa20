/** Decides what a question ranks by, and what the times and kinds of inbox items mean. */
import { isPeriod } from "../../query/check.ts";
import type { Find, Show } from "../../query/model.ts";
import { isoDate } from "../../query/windows.ts";
import type { Draft } from "../fragments/fragments.ts";
import { type DraftContext, filtersOn, dimensionType } from "./context.ts";

/** Decides the measure by which a question ranks. @param columns those of `names` that are only shown */
export function chooseRanking(
  draft: Draft,
  names: readonly string[],
  find: Find,
  context: DraftContext,
  columns: readonly string[],
): void {
  if (draft.order === undefined || draft.order.by === "change") return;
  const { by, direction } = draft.order;
  const hasEvent = filtersOn(draft, /^event$/);
  // "The top users, and when they were last active": a date is a column, unless the order says that it ranks by time.
  const ranked = names.filter((name) => !columns.includes(name));
  const hasOther = by !== "" || hasEvent || find !== "accounts";
  // "Top users by exports with their role": the last is only shown.
  const isText = (name: string) => /^(?:text|code)$/.test(dimensionType(name, context) ?? "");
  const first = (hasOther || ranked.length > 0 ? ranked : names.filter((name) => !isText(name))).find(
    (name) => by !== "" || dimensionType(name, context) !== "date",
  );
  const dated = draft.where.find(({ dimension }) => dimensionType(dimension, context) === "date")?.dimension;
  const namesByOrder: Readonly<Record<string, string | undefined>> = {
    size:
      // "Our biggest customer's score" doesn't rank by the score.
      (first === "score" || /^(?:date|text|code)$/.test(dimensionType(first ?? "", context) ?? "") ? "" : first) ??
      (find === "users" || find === "features" ? "events" : undefined) ??
      (find === "accounts" && !filtersOn(draft, /^item_kind$/) ? "mrr" : undefined),
    score: "score",
    mrr: "mrr",
    date: first ?? dated,
    events: first ?? "events",
    name: find === "accounts" ? "account" : "user",
    time:
      find === "items"
        ? "opened"
        : first === undefined && find !== "features"
          ? (dated ?? "first_seen")
          : dimensionType(first ?? "", context) === "date"
            ? first
            : "",
    "": first ?? (hasEvent || find === "users" || find === "features" ? "events" : undefined),
  };
  const name = by in namesByOrder ? namesByOrder[by] : by;
  // "The next renewal": only dates from today on. Lists can't be ordered by when something changed.
  const isNext = by === "time" && direction === "up" && /^(?:account\.|trial_ends|contract_ends)/.test(name ?? "");
  if (isNext && !draft.where.some(({ dimension }) => dimension === name))
    draft.where.push({ dimension: name ?? "", from: isoDate(context.today) });
  if (by === "time" && draft.where.some(({ became }) => became !== undefined)) return;
  if (draft.per === undefined && find !== "events") {
    draft.order = { by: name ?? "", direction };
    if (find !== "items" && by !== "name") draft.measure = name;
    return;
  }
  if (draft.per === undefined || by === "time" || by === "name") return;
  if (by === "score" || by === "mrr") draft.measure ??= by;
  // "Forecast users by account, highest first": their number.
  const isCounted = find === "users" && by === "";
  if (find !== "items" && (by === "events" || (first === undefined && hasEvent && !isCounted)))
    draft.measure ??= first ?? "events";
  if (find === "items" || (direction === "down" && !isPeriod(draft.per))) delete draft.order;
  else draft.order = { by: draft.measure ?? first ?? (find === "events" ? "events" : draft.per), direction };
}

/** "How many notices, and of which kind": groups by kind. */
export function groupItems(draft: Draft, names: readonly string[], find: Find, asked: ReadonlySet<Show>): void {
  const kind = names.find((name) => name === "item_kind" || name === "severity");
  if (find !== "items" || kind === undefined || draft.per !== undefined) return;
  if (!asked.has("count") && draft.order === undefined) return;
  draft.per = kind;
  delete draft.order;
}

/** Turns the window into a filter on when items were opened, dismissed or resolved. */
export function takeItemDates(draft: Draft): void {
  if (draft.window === undefined) return;
  const { is: status, in: several } = draft.where.find(({ dimension }) => dimension === "status") ?? {};
  // The day of a snooze isn't recorded, so the window is left. The same holds for notices that aren't dismissed.
  const isNot = draft.where.some((filter) => filter.dimension === "status" && filter.isNot !== undefined);
  if (status === "snoozed" || several !== undefined || isNot) return;
  const dimension = status === "dismissed" || status === "resolved" ? status : "opened";
  draft.where.push({ dimension, within: draft.window });
  if (dimension !== "opened") draft.where = draft.where.filter((filter) => filter.dimension !== "status");
  delete draft.window;
}
