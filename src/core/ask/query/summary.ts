/** A summary is several queries about the same subject, told one after the other. */
import { canonical } from "./canonical.ts";
import { BUILT_IN, type Dimension } from "./dimensions.ts";
import type { Query } from "./model.ts";
import type { QueryResult } from "./result.ts";
import { upper } from "./say-measures.ts";
import { nounOf } from "./say-nouns.ts";
import { tell } from "./tell.ts";
import { refuse, type Telling, type Told } from "./telling.ts";

type Part = Omit<Query, "where">;

const value = (find: Query["find"], measure: string, rest: Partial<Part> = {}): Part => ({
  find,
  show: "value",
  measure,
  ...rest,
});
const BEFORE = { compare: { to: "before" } } as const;
const PARTS: Readonly<Record<"account" | "accounts" | "user" | "users" | "features", readonly Part[]>> = {
  account: [
    ...["stage", "plan", "seats", "mrr"].map((measure) => value("accounts", measure)),
    { find: "accounts", show: "why" },
    value("accounts", "events", BEFORE),
    value("accounts", "active_users", BEFORE),
    value("accounts", "last_seen"),
  ],
  accounts: [
    { find: "accounts", show: "count", per: "stage" },
    { find: "accounts", show: "count", per: "health" },
    value("accounts", "mrr"),
    value("accounts", "active_users", BEFORE),
    value("accounts", "events", BEFORE),
  ],
  user: [
    { find: "users", show: "list", measure: "account" },
    value("users", "events", BEFORE),
    value("users", "active_days", BEFORE),
    value("users", "features_used"),
    value("users", "first_seen"),
    value("users", "last_seen"),
  ],
  users: [{ find: "users", show: "count" }, value("users", "events", BEFORE)],
  features: [
    ...["events", "active_accounts", "active_users"].map((measure) => value("features", measure, BEFORE)),
    value("features", "adoption"),
    value("features", "first_seen"),
    value("features", "last_seen"),
  ],
};

const OF_ITEMS: ReadonlySet<string> = new Set(
  BUILT_IN.flatMap(({ name, of }: Dimension) => (of.includes("items") ? [name] : [])),
);

/** The queries that a summary comes to. Each can be compiled; their results go to `tellSummary` in this order. */
export function summaryQueries(given: Query): Query[] {
  const { find, where, window } = canonical(given);
  const isOne = where.some(({ dimension, is }) => is !== undefined && `${dimension}s` === find);
  const parts = partsOf(find, isOne);
  const queries = parts.map((part) => ({ ...part, where, ...(window && { window }) }));
  const isAboutItems =
    find === "accounts" &&
    where.length < MAX_FILTERS &&
    where.every(
      ({ dimension, became, changed, asOf }) =>
        (OF_ITEMS.has(dimension) || dimension.startsWith("account.")) && (became ?? changed ?? asOf) === undefined,
    );
  if (!isAboutItems) return queries;
  const items: Query = {
    find: "items",
    show: "list",
    where: [...where, { dimension: "status", is: "open" }],
    limit: 10,
  };
  return [...queries, items];
}

/** As many as the schema allows. */
const MAX_FILTERS = 10;

function partsOf(find: Query["find"], isOne: boolean): readonly Part[] {
  if (find === "accounts") return isOne ? PARTS.account : PARTS.accounts;
  if (find === "users") return isOne ? PARTS.user : PARTS.users;
  return PARTS.features;
}

/** @param results of `summaryQueries`, in their order */
export function tellSummary(given: Query, results: readonly QueryResult[], telling: Telling): Told {
  const queries = summaryQueries(given);
  const parts = queries.flatMap((query, place) => {
    const result = results[place];
    const part = result === undefined ? null : tell(query, result, telling);
    return part !== null && "answer" in part ? [part] : [];
  });
  const { find, where } = canonical(given);
  const subject = nounOf(find, where, { ...telling, other: false }).text;
  const isFound = results.some(({ rows }) => rows.length > 0);
  if (parts.length === 0 || !isFound) return refuse("no_data_in_window", `Nothing is known of ${subject}.`);
  const evidence = parts.flatMap((part) => part.evidence).map((each, place) => ({ ...each, id: `e${place + 1}` }));
  return {
    answer: [`${upper(subject)}:`, ...parts.map(({ answer }) => answer)].join("\n"),
    value: parts.map(({ answer, value: partValue }) => ({ answer, value: partValue })),
    evidence,
    confidence: "high",
  };
}
