/**
 * Writes what a query finds as a noun with clauses: `customers on the Business plan that had no events`. Also writes
 * what the query measures.
 */
import { defaultAggregate, isListed, isWindowed } from "./canonical.ts";
import { isMeasure } from "./check.ts";
import { type Clause, clauseOf } from "./clauses.ts";
import { byName, COUNTS, isAccountDimension, isUserDimension } from "./dimensions.ts";
import type { Aggregate, Filter, Find, Query } from "./model.ts";
import { labelOf, entityText, type DisplayNames } from "./display-names.ts";
import { ENTITY_TYPES, valuesNamedBy } from "./subjects.ts";
import * as words from "./words.ts";
import { fillTemplate } from "./words.ts";

export interface NounPhrase {
  find: Find;
  /** Without the clauses. */
  head: string;
  /** The head for a count: `accounts called Acme` instead of `Acme`. */
  plural: string;
  clauses: readonly Clause[];
  /** Whether the head names one subject or several; `null` for a plural noun. */
  named: "one" | "some" | null;
  /** The accounts or users that it belongs to: `Acme` in `events from Acme`. */
  owner: NounPhrase | null;
  /** The head with its clauses, and the same for a count. */
  text: string;
  many: string;
}

/** A query, and the noun for what it finds. */
export interface QueryWording extends DisplayNames {
  query: Query;
  noun: NounPhrase;
}

/** Returns the noun for a query without one of its filters. */
export const nounWithout = ({ find, where }: Query, filter: Filter | undefined, display: DisplayNames): NounPhrase =>
  nounOf({ find, where: where.filter((each) => each !== filter) }, display);

/** @param part the filters of the part, if the noun is the whole of a share */
export function nounOf(
  { find, where, measure }: Pick<Query, "find" | "where" | "measure">,
  display: DisplayNames,
  part: readonly Filter[] = [],
): NounPhrase {
  const owners = where.filter((filter) => isOfOwners(find, filter));
  const own = where.filter((filter) => !owners.includes(filter));
  // "Active users of exports at Acme": what events are measured by stands before this noun.
  const isMeasured = find === "events" && measure !== undefined;
  // People who ask which customers churned mean those that were customers before.
  const isBare = [...where, ...part].some((each) => each.dimension === "stage" && each.became !== undefined);
  const { head, named } = headOf(find, own, display, { isMeasured, isBare });
  // "Users called the user a-17" are only restated.
  const names = display.isUnquoted === true ? head.replaceAll(/\bthe (?:account|user|feature) /g, "") : head;
  const called = named === null ? head : fillTemplate(words.NAMED, { nouns: words.NOUNS[find], names });
  const isOfTheirUsers = find !== "users" && owners.some(({ dimension }) => isUserDimension(dimension));
  const owner = { find: isOfTheirUsers ? ("users" as const) : ("accounts" as const), where: owners };
  const link = isMeasured ? words.MEASURED_PREPOSITIONS[owner.find] : words.PREPOSITIONS[find];
  const ownerNoun = owners.length === 0 ? null : nounOf(owner, display);
  const scope = ownerNoun === null ? "" : ` ${link} ${ownerNoun.text}`;
  const clauses = own
    .map((filter) => ({ ...clauseOf(filter, display, find), rank: rankOf(filter) }))
    .toSorted((a, b) => a.rank - b.rank || leadOf(a) - leadOf(b));
  const [whole, plural] = [head + scope, called + scope];
  const texts = { text: textOf(whole, clauses), many: textOf(plural, clauses) };
  return { find, head: whole, plural, clauses, named, owner: ownerNoun, ...texts };
}

/** `accounts on the Business plan with 5 seats and MRR over 100 that are at risk and had no events` */
export const textOf = (head: string, clauses: readonly Pick<Clause, "after">[]): string =>
  [
    head,
    ...clauses.map(({ after }, index) => {
      const lead = LEADS.find((each) => after.startsWith(each));
      return lead !== undefined && clauses[index - 1]?.after.startsWith(lead) ? joinedClause(after) : after;
    }),
  ].join(" ");

const LEADS = ["with ", "without ", "whose ", "that "];
const leadOf = ({ after }: Clause): number => LEADS.findIndex((lead) => after.startsWith(lead));

/** Returns a clause after one that begins with the same word. */
export const joinedClause = (after: string): string => `and ${after.replace(/^(?:with|that) /, "")}`;

/** Returns the condition that a share is about: `had no events`, `are customers on the Business plan`. */
export function shareOf({ head, clauses, text }: NounPhrase, find: Find): string {
  const [only] = clauses;
  const isPlain = clauses.length === 1 && head === words.NOUNS[find];
  return (isPlain ? only?.main : null) ?? `are ${text}`;
}

/** Clauses without a window come first, then those with their own; the query's window follows the last. */
const rankOf = (filter: Filter): number => (isWindowed(filter) ? (filter.window === undefined ? 2 : 1) : 0);

/** Tests whether a filter is about the accounts or users to which the found entities belong. */
function isOfOwners(find: Find, { dimension, window }: Filter): boolean {
  if (find === "accounts") return false;
  if (isAccountDimension(dimension)) return true;
  if (find === "events") return isUserDimension(dimension) || window !== undefined;
  return find === "features" && isUserDimension(dimension);
}

/** The dimension whose values name what is found. */
export const NAMED_BY = { accounts: "account", users: "user", features: "event", events: "event", items: "" } as const;

/** Writes the head, and removes the filters that it already expresses. */
function headOf(
  find: Find,
  filters: Filter[],
  display: DisplayNames,
  { isMeasured, isBare }: { isMeasured: boolean; isBare: boolean },
): Pick<NounPhrase, "head" | "named"> {
  const take = (wanted: string, ...conditions: readonly ("is" | "isNot" | "in")[]) => {
    const index = filters.findIndex(
      (each) =>
        each.dimension === wanted && each.asOf === undefined && conditions.some((name) => each[name] !== undefined),
    );
    return index < 0 ? [] : filters.splice(index, 1).flatMap(valuesNamedBy).map(String);
  };
  const dimension = NAMED_BY[find];
  const nameOf = (id: string) => entityText(ENTITY_TYPES.get(dimension) ?? "feature", id, display);
  const names = take(dimension, "is", "in").map(nameOf);
  const called = names.join(" or ");
  if (find === "events") {
    const others = take("event", "isNot").map((id) => ` other than ${nameOf(id)}`);
    const noun = isMeasured ? "" : words.NOUNS.events;
    return { head: `${noun}${called === "" ? "" : ` of ${called}`}${others.join("")}`, named: null };
  }
  if (names.length > 0) return { head: called, named: names.length === 1 ? "one" : "some" };
  const adjectives = [...take("kind", "is").map((kind) => words.KIND_ADJECTIVES[kind]), ...take("status", "is")];
  const [noun = words.NOUNS[find]] = isBare ? [] : take("stage", "is").map((stage) => words.STAGE_NOUNS[stage]);
  return { head: [...adjectives, noun].join(" "), named: null };
}

const PLURAL = /^((?:"(?:[^"]|"")*"|[^"])*?\b(?:account|customer|user|feature|inbox item|event|day|seat|point))s\b/;

/** `no accounts`, `1 account that is on trial`, `12 accounts`. Other nouns in the text stay in the plural. */
export function countPhrase(
  figures: string,
  { plural, clauses = [] }: Pick<NounPhrase, "plural"> & Partial<NounPhrase>,
): string {
  if (figures !== "1") return `${figures === "0" ? "no" : figures} ${textOf(plural, clauses)}`;
  const ofOne = clauses.map(({ after }) => ({ after: singular(after) }));
  return textOf(`1 ${plural.replace(PLURAL, "$1")}`, ofOne);
}

/** Returns a clause about one: `that is a customer`. */
export const singular = (clause: string): string =>
  clause
    .replace(/^(that )?are\b/, "$1is")
    .replace(/^(that )?were\b/, "$1was")
    .replace(/^have\b/, "has")
    .replace(
      /(?<=^(?:that )?(?:is (?:not )?|became |.* after being ))(?:customers|company accounts|personal accounts)\b/,
      (many) => words.ONE.get(many) ?? many,
    );

/** `there is 1 account`, `there are no accounts`, `there were 12 events` */
export function thereAre(figures: string, worded: QueryWording): string {
  const { query, noun } = worded;
  if (query.find === "events" && query.measure !== undefined)
    return `there were ${countPhrase(figures, { plural: labelOf(query.measure, worded) + noun.text })}`;
  const [one, many] = query.find === "events" ? ["was", "were"] : ["is", "are"];
  return `there ${figures === "1" ? one : many} ${countPhrase(figures, noun)}`;
}

/** Returns how values are combined into one; `undefined` if each is shown. */
export function aggregateOf({ query, noun }: QueryWording): Aggregate | undefined {
  const isTotal = query.find === "accounts" && noun.named !== "one" && query.per === undefined && !isListed(query);
  return query.aggregate ?? (isTotal ? defaultAggregate(query.measure) : undefined);
}

/** Returns what a query counts or sums up: `total MRR of customers`, `average health score`, `seat use of Acme` */
export function measureOf(worded: QueryWording): string {
  const { query, noun } = worded;
  const { find, where, show, measure } = query;
  if (show === "count" || measure === undefined) return noun.text;
  const aggregate = aggregateOf(worded);
  const label = labelOf(measure, worded);
  const m = COUNTS.has(measure) || measure === "seats" ? fillTemplate(words.NUMBER_OF, { m: label }) : label;
  const aggregated = aggregate === undefined ? label : fillTemplate(words.AGGREGATE_WORDS[aggregate], { m });
  const isOfAll = where.length === 0 && find === "accounts" && isMeasure(measure) && !COUNTS.has(measure);
  if (find === "events") return `${aggregated}${noun.text}`;
  return isOfAll ? aggregated : `${aggregated} of ${noun.text}`;
}

/** Returns the kind of words that express an order by a measure or a dimension. */
export function orderKind(by: string, { dimensions }: DisplayNames): words.OrderKind {
  if (by === "change") return "change";
  if (COUNTS.has(by)) return "count";
  if (by === "seats") return "things";
  const type = byName(dimensions).get(by)?.type;
  if (isMeasure(by) || type === "number" || type === "percent") return "amount";
  return type === "date" ? "date" : "text";
}

/** Returns the index in `ORDERS` of a query's direction: 0 for the highest first, 1 for the lowest first. */
export const directionOf = ({ order }: Query): 0 | 1 => (order?.direction === "up" ? 1 : 0);

/** Writes which rows come first: `most events`, `earliest trial end`. */
export function orderOf(query: Query, by: string, display: DisplayNames): string {
  const label = labelOf(by === "change" ? (query.measure ?? "") : by, display);
  return fillTemplate(words.ORDERS[orderKind(by, display)][directionOf(query)], { m: label });
}
