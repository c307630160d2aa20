/**
 * What a query means without saying so: whose money counts, the order of dates, and the columns of a list. The compiler
 * and the writer add it; `canonical` and `restate` leave it out, except for the order.
 */
import type { Day } from "../../health/model.ts";
import { canonical, endsOrder } from "./canonical.ts";
import { ACTIVITY, SEEN } from "./dimensions.ts";
import type { Filter, Query } from "./model.ts";
import { isoDate } from "./windows.ts";

/** Adds the order of a list of ends. */
export function withImpliedOrder(query: Query): Query {
  const order = query.order ?? endsOrder(query);
  return order === undefined ? query : { ...query, order };
}

/** A column of a list. With a filter, it has the value that the filter bounds. */
interface Column {
  name: string;
  filter?: Filter;
}

/** What the rows of items show anyway, and names. */
const SHOWN_ANYWAY: ReadonlySet<string> = new Set(["opened", "item_kind", "severity", "status", "account", "change"]);

/** Lists the columns beside the measure: those that the query names, what it is sorted by, and what its filters bound. */
export function listColumns(query: Query): Column[] {
  const { find, show, where, measure, order, with: names = [] } = query;
  const isOwn = ({ dimension }: Filter) => find !== "features" || ACTIVITY.has(dimension) || SEEN.has(dimension);
  const sorted = order === undefined ? [] : [{ name: order.by }];
  const filtered = where.flatMap((filter): Column[] => {
    const { dimension: name, isNot, over, under, from, to, within, changed } = filter;
    const isBounded = (over ?? under ?? from ?? to ?? within) !== undefined || typeof isNot === "number";
    if (!isOwn(filter) || !(isBounded || changed !== undefined)) return [];
    return [isBounded ? { name, filter } : { name }];
  });
  const implied =
    show === "why" ? [] : [...sorted, ...filtered, ...whatMatters(query)].filter(({ name }) => !SHOWN_ANYWAY.has(name));
  const all: Column[] = [...names.map((name) => ({ name })), ...implied];
  return all.filter(({ name }, index) => name !== measure && all.findIndex((each) => each.name === name) === index);
}

/** Returns the state that "why is Acme at risk" supposes. Another state is explained too. */
export const supposedState = ({ show, where }: Query): Filter | undefined =>
  show === "why" && where.some(({ dimension, is }) => dimension === "account" && is !== undefined)
    ? where.find(({ dimension, is, asOf }) => dimension === "health" && is !== undefined && asOf === undefined)
    : undefined;

/** Returns the score of accounts in a state of health, the MRR and the health of renewals, and the end of a snooze. */
function whatMatters({ find, show, where, measure }: Query): Column[] {
  const isOf = (name: string, ...conditions: readonly (keyof Filter)[]) =>
    where.some((each) => each.dimension === name && conditions.some((condition) => each[condition] !== undefined));
  if (show !== "list") return [];
  if (find === "items") return where.some(({ is }) => is === "snoozed") ? [{ name: "snoozed_until" }] : [];
  if (find !== "accounts") return [];
  const isRenewal = isOf("contract_ends", "within", "from", "to");
  return [
    ...(isOf("health", "is", "in", "newly") && !where.some(({ asOf }) => asOf) ? [{ name: "score" }] : []),
    ...(isRenewal && measure !== "mrr_lost" && measure !== "arr" ? [{ name: "mrr" }] : []),
    ...(isRenewal ? [{ name: "health" }] : []),
  ];
}

/** What accounts pay, and how much of what they pay for they use. Churned accounts may still have an old amount. */
const PAID: ReadonlySet<string | undefined> = new Set(["mrr", "arr", "seat_use", "unused_seats"]);
const isPaid = (name: string | undefined): boolean => PAID.has(name);

const isAmount = ({ dimension, changed, isUnknown }: Filter): boolean =>
  isPaid(dimension) && changed === undefined && isUnknown === undefined;

/** Tests whether a filter names accounts, or churned ones, so that the default doesn't hold. */
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
  return show === "share" ? { ...query, of: [current, ...of] } : { ...query, where: [current, ...where] };
}
