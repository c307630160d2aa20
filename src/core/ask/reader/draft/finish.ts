/** Completes a query: removes redundant parts, and rejects combinations that can't be answered. */
import type { Day } from "../../../health/model.ts";
import { endsOrder, isWindowed } from "../../query/canonical.ts";
import { checkQuery, isMoney, isPeriod } from "../../query/check.ts";
import { ACTIVITY } from "../../query/dimensions.ts";
import type { Filter, Query } from "../../query/model.ts";
import { comparesWithEntity } from "../../query/subjects.ts";
import { windowDays, DEFAULT_WINDOW, isoDate } from "../../query/windows.ts";
import type { Draft } from "../fragments/fragments.ts";
import { BEFORE_WINDOW } from "../fragments/pieces.ts";
import { unitAfter } from "../times/calendar.ts";
import { type DraftContext, findsOneEntity, filtersOn, namesSeveralEntities } from "./context.ts";
import { applyOutcomes } from "./outcomes.ts";

const WINDOWED =
  /^(?:active|events|active_users|active_days|active_accounts|features_used|seat_use|unused_seats|adoption|score|mrr|mrr_lost|arr|seats)$/;

const isOfHistory = ({ dimension, asOf }: Filter): boolean =>
  /^(?:stage|plan|health)$/.test(dimension) && asOf === undefined;

const isOfStage = ({ dimension, became, window }: Filter): boolean =>
  dimension === "stage" && became !== undefined && window === undefined;

/** Tests whether no account can meet all filters: "those that were healthy and are at risk" means different times. */
function isContradictory({ find, where, of = [], per, measure }: Draft): boolean {
  const now = where.filter((filter) => filter.window === undefined && filter.asOf === undefined);
  const valuesOf = (name: string) =>
    new Set(now.flatMap(({ dimension, is }) => (dimension === name && is !== undefined ? [is] : [])));
  const isTwice = now.some(
    ({ dimension, in: several }) =>
      dimension !== "event" &&
      (valuesOf(dimension).size > 1 ||
        (several &&
          now.some(
            (each) => each.dimension === dimension && !several.includes(each.is ?? each.became ?? several[0] ?? ""),
          ))),
  );
  // "How many did we win and lose" are two numbers.
  const changes = now.flatMap(({ dimension, became }) => (became === undefined ? [] : [dimension]));
  // "More than 50 calls and more than 10 exports": a filter counts all events together, and so does each row.
  const isEach = (measure ?? "events") === "events" && (per !== undefined || where.some(namesSeveralEntities));
  const isMixed = valuesOf("event").size > 1 && (isEach || now.some(({ dimension }) => dimension === "events"));
  // "More than 50 exports and fewer than 5 active users": both would count exports only.
  const isOfOneEvent =
    valuesOf("event").size > 0 &&
    now.some(({ dimension }) => dimension === "events") &&
    now.some(({ dimension }) => /^(?:active_users|active_days|features_used|seat_use|unused_seats)$/.test(dimension));
  const isIdle = valuesOf("active").has(false) && valuesOf("event").size > 0;
  // "Features used in emea but not in amer": of one workspace's features, both regions may use them.
  const isOfOthers = now.some(
    ({ dimension, isNot }) =>
      isNot !== undefined &&
      (dimension === "account" || find === "features" ? valuesOf(dimension).size > 0 : valuesOf(dimension).has(isNot)),
  );
  // "What share of customers churned": the customers of today haven't.
  const isOfAnotherStage = of.some(
    ({ dimension, is, asOf }) =>
      dimension === "stage" && asOf === undefined && now.some((each) => each.dimension === "stage" && each.is !== is),
  );
  return (
    isOfAnotherStage ||
    isOfOneEvent ||
    isTwice ||
    isMixed ||
    isIdle ||
    isOfOthers ||
    new Set(changes).size < changes.length
  );
}

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

export function finishQuery(draft: Draft, context: DraftContext): Query | null {
  const { dimensions, today, firstDay = -Infinity } = context;
  const isDated = [...draft.where, ...(draft.of ?? [])].some(({ asOf }) => asOf === BEFORE_WINDOW);
  // "Ever" has no time before it.
  if (isDated && isOfAll(draft)) return null;
  const since = windowDays(draft.window ?? DEFAULT_WINDOW, today).from;
  const dated = (filter: Filter): Filter =>
    filter.asOf === BEFORE_WINDOW ? { ...filter, asOf: isoDate(since - 1) } : filter;
  draft.where = draft.where.map(dated);
  if (draft.of !== undefined) draft.of = draft.of.map(dated);
  if (!isAnswerable(draft, today)) return null;
  const { find, show, where, order, measure = "", per } = draft;
  if (find === undefined || show === undefined) return null;
  // "The most events in a day": a total has no order.
  if (find === "events" && order !== undefined && per === undefined && draft.compare === undefined) return null;
  const isDefault = order?.by === measure && order.direction === "down" && !isPeriod(per);
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
    WINDOWED.test(measure) ||
    draft.compare !== undefined ||
    show === "summary" ||
    where.some(isWindowed);
  // "At risk today" is at risk now.
  // "MRR at risk on 1 October": the MRR of that day, too.
  const said = isDated ? undefined : where.find(({ asOf }) => asOf !== undefined)?.asOf;
  if (said !== undefined && draft.window === undefined && /^(?:mrr|arr|seats|score)$/.test(measure))
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
      !filtersOn(draft, /^(?:seats|mrr|score)$/);
    if (("from" in window || "previous" in window) && (from === to || isEnd) && where.some(isOfHistory)) {
      draft.where = where.map((filter) => (isOfHistory(filter) ? { ...filter, asOf: isoDate(to) } : filter));
      delete draft.window;
      return finishQuery(draft, context);
    }
    if (churned < 0) return null;
  }
  // "Who churned in October": it happened then. "How much MRR churned this quarter": of those who churned in it.
  if (window !== undefined && churned >= 0 && (!isTimed || /^(?:mrr|arr|seats)$/.test(measure)))
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

const isOfAll = ({ window }: Draft): boolean => window !== undefined && "all" in window;

/** Tests whether the parts of a query make sense together, although each of them could be asked for. */
function isAnswerable(draft: Draft, today: Day): boolean {
  const { find, show, where, order, measure = "", per, limit, compare, window } = draft;
  const isOne = findsOneEntity(draft);
  // One account can't be ranked: "Lumen's lowest score" would be another question.
  if (order?.by === "" || (order !== undefined && compare === undefined && per === undefined && isOne)) return false;
  if (limit !== undefined && show !== "list" && per === undefined) return false;
  // Groups have an amount for each currency.
  if (limit !== undefined && per !== undefined && isMoney(measure)) return false;
  if (show === "count" && isOne) return false;
  // "How many days was it at risk" isn't known. "Is it healthy, and when does its contract end" are two questions.
  const states = measure === "active_days" ? /^(?:health|stage|plan)$/ : /^(?:health|stage)$/;
  if (isOne && measure !== "" && filtersOn(draft, states)) return false;
  // "How many days has it been silent" doesn't ask for active days. "Unused seats" aren't the seats of an inactive
  // account.
  const isInactive = where.some(
    (filter) => filter.dimension === "active" && filter.is === false && filter.window === undefined,
  );
  if (isInactive && (isOne ? measure !== "" : /^(?:events|active_days|active_users)$/.test(measure))) return false;
  // "Nobody exported" isn't a question about all events other than exports.
  if (find === "events" && where.some(({ dimension, isNot }) => dimension === "event" && isNot !== undefined))
    return false;
  // "The average score of the last 3 months": values are those of one day.
  const isLong =
    window !== undefined &&
    "last" in window &&
    !where.some(isWindowed) &&
    !(draft.with ?? []).some((name) => ACTIVITY.has(name));
  if (isLong && compare === undefined && per === undefined && /^(?:score|mrr|arr|seats)$/.test(measure)) return false;
  const isOfAccount = where.some(({ dimension, is }) => dimension === "account" && is !== undefined);
  // Filters on health would count the events of all days, not those of the days in that state.
  if (find === "events" && isOfAccount && filtersOn(draft, /^health$/)) return false;
  // "Items about accounts that churned this month": the time isn't that of the items.
  if (find === "items" && where.some(({ is }) => is === "churned") && where.some(({ within }) => within !== undefined))
    return false;
  // "The highest score ever" isn't one of today's. A series of several accounts would add them up.
  if (order !== undefined && isOfAll(draft) && /^(?:score|mrr|arr|seats)$/.test(measure)) return false;
  if (isPeriod(per) && where.some(namesSeveralEntities)) return false;
  // "New users this month vs last month": who is new now had no events then.
  if (compare !== undefined && filtersOn(draft, /^first_seen$/)) return false;
  const isChange = where.some(({ became, changed }) => (became ?? changed) !== undefined);
  // Health has reasons. Why an account churned isn't known.
  const isUnexplained = isChange || (filtersOn(draft, /^stage$/) && !filtersOn(draft, /^health$/));
  if (show === "why" && (isUnexplained || filtersOn(draft, /^(?:active|event|item_kind)$/))) return false;
  // "What share of renewals this quarter is healthy": the date would choose the part, not the whole.
  const isOfDates = where.some(
    ({ within, from, became }) => (within ?? became) !== undefined || typeof from === "string",
  );
  if (show === "share" && (where.length === 0 || (where.length > 1 && isOfDates))) return false;
  // "Did we lose users at Lumen": accounts have stages, users don't.
  if (find === "users" && isOfAccount && filtersOn(draft, /^stage$/)) return false;
  if (isContradictory(draft) || (show === "yes_no" && where.some(namesSeveralEntities))) return false;
  // An account's last event isn't its last export.
  const isOfEvent = (find === "accounts" || find === "users") && filtersOn(draft, /^event$/);
  if (isOfEvent && (measure.endsWith("_seen") || filtersOn(draft, /_seen$/))) return false;
  if (compare === undefined) return true;
  // There is no data before the first record, or after today.
  const { to } = compare;
  return (
    !isChange && (to === "before" ? !isOfAll(draft) : comparesWithEntity(to) || windowDays(to, today).from <= today)
  );
}
