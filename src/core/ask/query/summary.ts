/** Splits a summary into several queries about the same subject, and joins their answers. */
import { canonical, isChange } from "./canonical.ts";
import { BUILT_IN, COUNTS, type Dimension, isOfAccounts } from "./dimensions.ts";
import { type Filter, MAX_FILTERS, type Query } from "./model.ts";
import type { QueryResult } from "./result.ts";
import { nounOf } from "./nouns.ts";
import { refuseWithoutHistory } from "./history.ts";
import { tell } from "./tell.ts";
import { upper } from "./words.ts";
import { refuse, type Telling, type Told } from "./telling.ts";

type Part = Omit<Query, "find" | "where">;

/** The parts of a summary: values by their measures, and other queries. */
const PARTS: Readonly<Record<string, readonly (string | Part)[]>> = {
  account: ["stage", "plan", "seats", "mrr", { show: "why" }, "events", "active_users", "last_seen"],
  accounts: [{ show: "count", per: "stage" }, { show: "count", per: "health" }, "mrr", "active_users", "events"],
  user: ["account", "events", "active_days", "features_used", "first_seen", "last_seen"],
  users: [{ show: "count" }, "events"],
  feature: ["events", "active_accounts", "active_users", "adoption", "first_seen", "last_seen"],
  features: [{ show: "count" }, "events"],
};

function partOf(part: string | Part): Part {
  if (typeof part !== "string") return part;
  return { show: "value", measure: part, ...(COUNTS.has(part) && { compare: { to: "before" } }) };
}

const OF_ITEMS: ReadonlySet<string> = new Set(
  BUILT_IN.flatMap(({ name, of }: Dimension) => (of.includes("items") ? [name] : [])),
);

/** Whether filters on accounts can be used for open items too. */
const isOfItems = (filter: Filter): boolean =>
  (OF_ITEMS.has(filter.dimension) || isOfAccounts(filter.dimension)) && !isChange(filter) && filter.asOf === undefined;

/** Splits a summary into queries that can be compiled. `tellSummary` takes their results in this order. */
export function summaryQueries(given: Query): Query[] {
  const { find, where, window } = canonical(given);
  const one = where.map(({ dimension, is }) => (is === undefined ? "" : dimension.replace("event", "feature")));
  const parts = PARTS[one.find((name) => `${name}s` === find) ?? find] ?? [];
  const queries = parts.map((part) => ({ find, ...partOf(part), where, ...(window && { window }) }));
  if (find !== "accounts" || where.length >= MAX_FILTERS || !where.every(isOfItems)) return queries;
  const open = { dimension: "status", is: "open" };
  return [...queries, { find: "items", show: "list", where: [...where, open], limit: 10 }];
}

/** Leaves out a comparison with days of which nothing was recorded. */
function comparable(query: Query, { today, firstDay }: Telling): Query {
  const { compare: _, ...plain } = query;
  return refuseWithoutHistory(query, today, firstDay) === null ? query : plain;
}

/** @param results of `summaryQueries`, in their order */
export function tellSummary(given: Query, results: readonly QueryResult[], telling: Telling): Told {
  const parts = summaryQueries(given).flatMap((query, place) => {
    const result = results[place];
    const part = result === undefined ? null : tell(comparable(query, telling), result, telling);
    return part !== null && "answer" in part ? [part] : [];
  });
  const { text: subject, names } = nounOf(canonical(given), telling);
  const isFound = results.some(({ rows }) => rows.length > 0);
  if (parts.length === 0 || !isFound) return refuse("no_data_in_window", `Nothing is known of ${subject}.`);
  const evidence = parts.flatMap((part) => part.evidence).map((each, place) => ({ ...each, id: `e${place + 1}` }));
  return {
    answer: [
      `${names === null || subject.startsWith("the ") ? upper(subject) : subject}:`,
      ...parts.map(({ answer }) => answer),
    ].join("\n"),
    value: parts.map(({ answer, value: partValue }) => ({ answer, value: partValue })),
    evidence,
    confidence: "high",
  };
}
