/** Completes a query, unless there is a veto on it: assigns its time, and removes redundant parts. */
import { endsOrder, isWindowed } from "../../query/canonical.ts";
import { checkQuery, isPeriod } from "../../query/check.ts";
import { ACTIVITY, DAILY_MEASURES, STATES } from "../../query/dimensions.ts";
import type { Filter, Query } from "../../query/model.ts";
import { windowDays, DEFAULT_WINDOW, isoDate } from "../../query/windows.ts";
import type { Draft } from "../fragments/fragments.ts";
import { BEFORE_WINDOW } from "../fragments/pieces.ts";
import { unitAfter } from "../times/calendar.ts";
import type { VetoContext } from "../vetoes/veto.ts";
import { vetoOf } from "../vetoes/vetoes.ts";
import { findsOneEntity } from "./context.ts";
import { applyOutcomes } from "./outcomes.ts";

const isOfHistory = ({ dimension, asOf }: Filter): boolean => STATES.has(dimension) && asOf === undefined;

const isOfStage = ({ dimension, became, window }: Filter): boolean =>
  dimension === "stage" && became !== undefined && window === undefined;

const isEventFilter = ({ dimension, window, asOf }: Filter): boolean =>
  dimension === "event" && window === undefined && asOf === undefined;

/** "How many exports and shares": events of either. */
function oneOfEvents(where: readonly Filter[]): Filter[] {
  const events = where.filter(isEventFilter).flatMap(({ is }) => (is === undefined ? [] : [String(is)]));
  if (events.length < 2) return [...where];
  return [
    ...where.filter((filter) => !isEventFilter(filter) || filter.is === undefined),
    { dimension: "event", in: events },
  ];
}

export function finishQuery(draft: Draft, context: VetoContext): Query | null {
  const { dimensions, today, firstDay = -Infinity } = context;
  const isDated = [...draft.where, ...(draft.of ?? [])].some(({ asOf }) => asOf === BEFORE_WINDOW);
  const since = windowDays(draft.window ?? DEFAULT_WINDOW, today).from;
  const dated = (filter: Filter): Filter =>
    filter.asOf === BEFORE_WINDOW ? { ...filter, asOf: isoDate(since - 1) } : filter;
  draft.where = draft.where.map(dated);
  if (draft.of !== undefined) draft.of = draft.of.map(dated);
  const { find, show, where, order, measure = "", per } = draft;
  if (find === undefined || show === undefined || vetoOf({ ...draft, find, show }, context) !== undefined) return null;
  const isDefault = order?.by === draft.measure && order?.direction === "down" && !isPeriod(per);
  // "Renewals by MRR": without an order, they come by date.
  if (isDefault && endsOrder({ ...draft, find, show }) === undefined) delete draft.order;
  // 28 days rarely contain a whole month.
  if (per === "month" && draft.window === undefined && find === "events")
    draft.window = { from: unitAfter("month", -2, today)?.from ?? "", to: isoDate(today) };
  const isOne = findsOneEntity(draft);
  const churned = where.findIndex(({ dimension, is }) => dimension === "stage" && is === "churned");
  // "Did Lumen churn", "has it converted": at any time.
  if (show === "yes_no" && isOne && draft.window === undefined && where.some(isOfStage)) draft.window = { all: true };
  const isTimed =
    find === "events" ||
    ACTIVITY.has(measure) ||
    DAILY_MEASURES.has(measure) ||
    draft.compare !== undefined ||
    show === "summary" ||
    where.some(
      (filter) => isWindowed(filter) && JSON.stringify(filter.window ?? draft.window) === JSON.stringify(draft.window),
    );
  // "At risk today" is at risk now.
  // "MRR at risk on 1 October": the MRR of that day, too.
  const said = isDated ? undefined : where.find(({ asOf }) => asOf !== undefined)?.asOf;
  if (said !== undefined && draft.window === undefined && DAILY_MEASURES.has(measure))
    draft.window = { from: said, to: said };
  const isToday = draft.window !== undefined && "this" in draft.window && draft.window.this === "day";
  if ((isToday || isDated) && !isTimed) delete draft.window;
  const { window } = draft;
  if (window !== undefined && !isTimed) {
    // "At risk on 1 October": as of that day. "How many were at risk last week": as of its end.
    const { from, to } = windowDays(window, today);
    const isEnd =
      show === "count" &&
      per === undefined &&
      churned < 0 &&
      to >= firstDay &&
      to < today &&
      !where.some(({ dimension }) => DAILY_MEASURES.has(dimension));
    if (("from" in window || "previous" in window) && (from === to || isEnd) && where.some(isOfHistory)) {
      draft.where = where.map((filter) => (isOfHistory(filter) ? { ...filter, asOf: isoDate(to) } : filter));
      delete draft.window;
    } else if (churned < 0) return null;
  }
  // "Who churned in October": it happened then. "How much MRR churned this quarter": of those who churned in it.
  if (draft.window !== undefined && churned >= 0 && (!isTimed || /^(?:mrr|arr|seats)$/.test(measure)))
    where[churned] = { dimension: "stage", became: "churned" };
  applyOutcomes(draft);
  const isListed = show === "list" && isOne && draft.with === undefined;
  // "How healthy is Acme": one value. "Maria Lopez still active": whether she is.
  const isOneValue = isListed && measure !== "" && draft.order === undefined && per === undefined;
  const isAboutOne = isListed && draft.measure === undefined && where.length > 1;
  const query = {
    ...draft,
    find,
    show: isOneValue ? "value" : isAboutOne ? "yes_no" : show,
    where: find === "events" ? oneOfEvents(draft.where) : draft.where,
  } satisfies Query;
  return checkQuery(query, dimensions).length === 0 ? query : null;
}
