/**
 * Writes what a query finds as a noun with clauses: `customers on the Business plan that had no events`. Also writes
 * what the query measures.
 */
import { defaultAggregate, isListed, isWindowed } from "./canonical.ts";
import { isMeasure } from "./check.ts";
import { type Clause, clauseOf } from "./clauses.ts";
import { byName, COUNTS, isOfAccounts, isOfUsers } from "./dimensions.ts";
import type { Aggregate, Filter, Find, Query } from "./model.ts";
import { labelOf, entityText, type DisplayNames } from "./display-names.ts";
import { ENTITY_TYPES, namesIn } from "./subjects.ts";
import * as words from "./words.ts";
import { fill } from "./words.ts";

interface NounPhrase {
  /** Without the clauses. */
  head: string;
  /** The head for a count: `accounts called Acme` instead of `Acme`. */
  plural: string;
  clauses: readonly Clause[];
  /** Whether the head names one subject or several; `null` for a plural noun. */
  named: "one" | "some" | null;
  /** The head with its clauses, and the same for a count. */
  text: string;
  many: string;
}

/** A query, and the noun for what it finds. */
export interface Worded extends DisplayNames {
  query: Query;
  noun: NounPhrase;
}

/** The noun for a query without one of its filters. */
export const nounWithout = ({ find, where }: Query, filter: Filter | undefined, display: DisplayNames): NounPhrase =>
  nounOf({ find, where: where.filter((each) => each !== filter) }, display);

export function nounOf({ find, where }: Pick<Query, "find" | "where">, display: DisplayNames): NounPhrase {
  const owners = where.filter((filter) => isOfOwners(find, filter));
  const own = where.filter((filter) => !owners.includes(filter));
  const { head, named } = headOf(find, own, display);
  const called = named === null ? head : fill(words.NAMED, { nouns: words.NOUNS[find], names: head });
  const isOfTheirUsers = find !== "users" && owners.some(({ dimension }) => isOfUsers(dimension));
  const owner = { find: isOfTheirUsers ? ("users" as const) : ("accounts" as const), where: owners };
  const scope = owners.length === 0 ? "" : ` ${words.SCOPES[find]} ${nounOf(owner, display).text}`;
  const clauses = own.toSorted((a, b) => rankOf(a) - rankOf(b)).map((filter) => clauseOf(filter, display, find));
  const [whole, plural] = [head + scope, called + scope];
  return { head: whole, plural, clauses, named, text: textOf(whole, clauses), many: textOf(plural, clauses) };
}

export const textOf = (head: string, clauses: readonly Clause[]): string =>
  [head, ...clauses.map(({ after }) => after)].join(" ");

/** The condition that a share is about: `had no events`, `are customers on the Business plan`. */
export function shareOf({ head, clauses, text }: NounPhrase, find: Find): string {
  const [only] = clauses;
  const isPlain = clauses.length === 1 && head === words.NOUNS[find];
  return (isPlain ? only?.main : null) ?? `are ${text}`;
}

/** Clauses without a window come first, then those with their own; the query's window follows the last. */
const rankOf = (filter: Filter): number => (isWindowed(filter) ? (filter.window === undefined ? 2 : 1) : 0);

/** Whether a filter is about the accounts or users to which the found entities belong. */
function isOfOwners(find: Find, { dimension, window }: Filter): boolean {
  if (find === "accounts") return false;
  if (isOfAccounts(dimension)) return true;
  if (find === "events") return isOfUsers(dimension) || window !== undefined;
  return find === "features" && isOfUsers(dimension);
}

/** The dimension whose values name what is found. */
export const NAMED_BY = { accounts: "account", users: "user", features: "event", events: "event", items: "" } as const;

/** Writes the head, and removes the filters that it already expresses. */
function headOf(find: Find, filters: Filter[], display: DisplayNames): Pick<NounPhrase, "head" | "named"> {
  const take = (wanted: string, ...conditions: readonly ("is" | "isNot" | "in")[]) => {
    const place = filters.findIndex(
      (each) =>
        each.dimension === wanted && each.asOf === undefined && conditions.some((name) => each[name] !== undefined),
    );
    return place < 0 ? [] : filters.splice(place, 1).flatMap(namesIn).map(String);
  };
  const dimension = NAMED_BY[find];
  const nameOf = (id: string) => entityText(ENTITY_TYPES.get(dimension) ?? "feature", id, display);
  const names = take(dimension, "is", "in").map(nameOf);
  const called = names.join(" or ");
  if (find === "events") {
    const others = take("event", "isNot").map((id) => ` other than ${nameOf(id)}`);
    return { head: `${words.NOUNS.events}${called === "" ? "" : ` of ${called}`}${others.join("")}`, named: null };
  }
  if (names.length > 0) return { head: called, named: names.length === 1 ? "one" : "some" };
  const adjectives = [...take("kind", "is").map((kind) => words.KIND_ADJECTIVES[kind]), ...take("status", "is")];
  const [noun = words.NOUNS[find]] = take("stage", "is").map((stage) => words.STAGE_NOUNS[stage]);
  return { head: [...adjectives, noun].join(" "), named: null };
}

const PLURAL = /^((?:"(?:[^"]|"")*"|[^"])*?\b(?:account|customer|user|feature|inbox item|event|day|seat))s\b/;

/** `no accounts`, `1 account that is on trial`, `12 accounts`. Other nouns in the text stay in the plural. */
export function counted(
  figures: string,
  { plural, clauses = [] }: Pick<NounPhrase, "plural"> & Partial<NounPhrase>,
): string {
  if (figures !== "1") return `${figures === "0" ? "no" : figures} ${textOf(plural, clauses)}`;
  const ofOne = clauses.map(({ after }) => after.replace(/^that are\b/, "that is").replace(/^that were\b/, "that was"));
  return ["1", plural.replace(PLURAL, "$1"), ...ofOne].join(" ");
}

/** `there is 1 account`, `there are no accounts`, `there were 12 events` */
export function thereAre(figures: string, { query, noun }: Worded): string {
  const [one, many] = query.find === "events" ? ["was", "were"] : ["is", "are"];
  return `there ${figures === "1" ? one : many} ${counted(figures, noun)}`;
}

/** How values are combined into one; `undefined` if each is shown. */
export function aggregateOf({ query, noun }: Worded): Aggregate | undefined {
  const isTotal = query.find === "accounts" && noun.named !== "one" && query.per === undefined && !isListed(query);
  return query.aggregate ?? (isTotal ? defaultAggregate(query.measure) : undefined);
}

/** What a query counts or sums up: `total MRR of customers`, `average health score`, `seat use of Acme` */
export function measureOf(worded: Worded): string {
  const { query, noun } = worded;
  const { find, where, show, measure } = query;
  if (show === "count" || measure === undefined) return noun.text;
  const aggregate = aggregateOf(worded);
  const label = labelOf(measure, worded);
  const m = COUNTS.has(measure) || measure === "seats" ? fill(words.NUMBER_OF, { m: label }) : label;
  const aggregated = aggregate === undefined ? label : fill(words.AGGREGATE_WORDS[aggregate], { m });
  const isOfAll =
    where.length === 0 && (find === "events" || (find === "accounts" && isMeasure(measure) && !COUNTS.has(measure)));
  return isOfAll ? aggregated : `${aggregated} of ${noun.text}`;
}

/** The kind of words that express an order by a measure or a dimension. */
export function orderKind(by: string, { dimensions }: DisplayNames): words.OrderKind {
  if (by === "change") return "change";
  if (COUNTS.has(by)) return "count";
  const type = byName(dimensions).get(by)?.type;
  if (isMeasure(by) || type === "number" || type === "percent") return "amount";
  return type === "date" ? "date" : "text";
}

/** The index in `ORDERS` of a query's direction: 0 for the highest first, 1 for the lowest first. */
export const directionOf = ({ order }: Query): 0 | 1 => (order?.direction === "up" ? 1 : 0);

/** Writes which rows come first: `most events`, `earliest trial end`. */
export function orderOf(query: Query, by: string, display: DisplayNames): string {
  const label = labelOf(by === "change" ? (query.measure ?? "") : by, display);
  return fill(words.ORDERS[orderKind(by, display)][directionOf(query)], { m: label });
}
