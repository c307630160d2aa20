/** What a query finds, as a noun with its clauses: `customers on the Business plan that had no events`. */
import { isWindowed } from "./canonical.ts";
import { ITEM_STATUSES } from "./dimensions.ts";
import type { Filter, FilterValue, Find } from "./model.ts";
import { type Clause, clauseOf, type Voice } from "./say-clauses.ts";
import { sayEntity } from "./say-names.ts";
import { KIND_ADJECTIVES, NOUNS, SCOPES, STAGE_NOUNS } from "./words.ts";
import { STAGES } from "../../health/model.ts";

export interface Noun {
  /** Without the clauses. */
  head: string;
  clauses: readonly Clause[];
  /** Whether the head is one named subject, several, or a plural. */
  names: "one" | "some" | null;
  /** All of it. */
  text: string;
}

export function nounOf(find: Find, where: readonly Filter[], voice: Voice): Noun {
  const taken = new Set<Filter>();
  const take = (matches: (filter: Filter) => boolean): Filter | undefined => {
    const found = where.find((filter) => !taken.has(filter) && matches(filter));
    if (found !== undefined) taken.add(found);
    return found;
  };
  const scope = where.filter((filter) => isOfScope(find, filter));
  for (const filter of scope) taken.add(filter);
  const { head, names } = headOf(find, take, voice);
  const joined = scope.length === 0 ? "" : ` ${SCOPES[find]} ${scopeOf(find, scope, voice)}`;
  const rest = where.filter((filter) => !taken.has(filter));
  const ordered = voice.other ? rest.toReversed() : rest;
  const clauses = ordered.toSorted((a, b) => rankOf(a) - rankOf(b)).map((filter) => featureClause(find, filter, voice));
  const whole = `${head}${joined}`;
  return { head: whole, clauses, names, text: [whole, ...clauses.map(({ after }) => after)].join(" ") };
}

/** What a share is asked of: `had no events`, `are customers on the Business plan`. */
export function shareOf({ head, clauses, text }: Noun, find: Find): string {
  const [only] = clauses;
  const isPlain = clauses.length === 1 && NOUNS[find].includes(head);
  return (isPlain ? only?.main : null) ?? `are ${text}`;
}

/** Clauses without a window come first, then those with their own; the query's window follows the last. */
const rankOf = (filter: Filter): number => (isWindowed(filter) ? (filter.window === undefined ? 2 : 1) : 0);

function featureClause(find: Find, filter: Filter, voice: Voice): Clause {
  const clause = clauseOf(filter, voice, find);
  if (find === "features" && filter.dimension === "event" && filter.isNot !== undefined)
    return { ...clause, after: `other than ${sayEntity("feature", filter.isNot, voice)}`, main: null };
  return clause;
}

const OF_USERS = (dimension: string): boolean => dimension === "user" || dimension.startsWith("user.");
const OF_ACCOUNTS: ReadonlySet<string> = new Set([
  "account",
  "kind",
  "stage",
  "plan",
  "seats",
  "mrr",
  "currency",
  "trial_ends",
  "health",
  "score",
]);
const ofAccounts = (dimension: string): boolean => OF_ACCOUNTS.has(dimension) || dimension.startsWith("account.");

/** Whether a filter is about the accounts or users that what is found belongs to. */
function isOfScope(find: Find, { dimension, window }: Filter): boolean {
  if (find === "accounts") return false;
  if (ofAccounts(dimension)) return true;
  if (find === "events") return OF_USERS(dimension) || window !== undefined;
  return find === "features" && OF_USERS(dimension);
}

function scopeOf(find: Find, scope: readonly Filter[], voice: Voice): string {
  const isOfUsers = find !== "users" && scope.some(({ dimension }) => OF_USERS(dimension));
  return nounOf(isOfUsers ? "users" : "accounts", scope, voice).text;
}

type Take = (matches: (filter: Filter) => boolean) => Filter | undefined;
type Head = Pick<Noun, "head" | "names">;

function headOf(find: Find, take: Take, voice: Voice): Head {
  const noun = (voice.other ? NOUNS[find].at(-1) : undefined) ?? NOUNS[find][0];
  switch (find) {
    case "accounts":
      return named("account", take, voice) ?? { head: accountNoun(take, noun, voice), names: null };
    case "users":
      return named("user", take, voice) ?? { head: noun, names: null };
    case "features":
      return named("feature", take, voice) ?? { head: noun, names: null };
    case "items": {
      const status = take(({ dimension, is }) => dimension === "status" && is !== undefined)?.is;
      return { head: ITEM_STATUSES.some((each) => each === status) ? `${status} ${noun}` : noun, names: null };
    }
    case "events": {
      const which = named("feature", take, voice);
      const other = take(({ dimension, isNot }) => dimension === "event" && isNot !== undefined)?.isNot;
      const except = other === undefined ? "" : ` other than ${sayEntity("feature", other, voice)}`;
      if (which === null) return { head: `${noun}${except}`, names: null };
      const isNamed = which.ids.every((id) => voice.nameOf("feature", String(id)) !== null);
      return { head: `${isNamed ? `${which.head} ${noun}` : `${noun} of ${which.head}`}${except}`, names: null };
    }
  }
}

function named(
  type: "account" | "user" | "feature",
  take: Take,
  voice: Voice,
): (Head & { ids: readonly FilterValue[] }) | null {
  const wanted = type === "feature" ? "event" : type;
  const filter = take(({ dimension, is, in: several }) => dimension === wanted && (is ?? several) !== undefined);
  if (filter === undefined) return null;
  const ids = filter.in ?? [filter.is ?? ""];
  return {
    ids,
    head: ids.map((id) => sayEntity(type, id, voice)).join(" or "),
    names: ids.length === 1 ? "one" : "some",
  };
}

const isNow = ({ asOf, is }: Filter): boolean => asOf === undefined && is !== undefined;

function accountNoun(take: Take, noun: string, voice: Voice): string {
  const kind = take((filter) => filter.dimension === "kind" && isNow(filter))?.is;
  const stage = take((filter) => filter.dimension === "stage" && isNow(filter))?.is;
  const known = STAGES.find((each) => each === stage);
  const adjective = kind === undefined ? "" : `${KIND_ADJECTIVES[String(kind)]} `;
  const nouns = known === undefined ? undefined : STAGE_NOUNS[known];
  return `${adjective}${nouns === undefined ? noun : ((voice.other ? nouns.at(-1) : undefined) ?? nouns[0])}`;
}
