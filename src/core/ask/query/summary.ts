/** Splits a summary into several queries about the same subject, and joins their answers. */
import type { Day } from "../../health/model.ts";
import { canonical } from "./canonical.ts";
import { isChange } from "./check.ts";
import { COUNTS, isAccountDimension, isItemDimension, SEEN } from "./dimensions.ts";
import { type Filter, MAX_FILTERS, type Query } from "./model.ts";
import type { QueryResult } from "./result.ts";
import { nounOf } from "./noun-phrases.ts";
import { refuseWithoutHistory } from "./compared-windows.ts";
import { ENTITY_TYPES } from "./subjects.ts";
import { writeAnswer } from "./write-answer.ts";
import { windowDays } from "./windows.ts";
import { capitalize } from "./words.ts";
import { refuse, type AnswerSettings, type WrittenAnswer } from "./answer-context.ts";

type SummaryPart = Omit<Query, "find" | "where">;

/** The parts of a summary: values by their measures, and other queries. */
const PARTS: Readonly<Record<string, readonly (string | SummaryPart)[]>> = {
  account: ["stage", "plan", "seats", "mrr", { show: "why" }, "events", "active_users", "last_seen"],
  accounts: [{ show: "count", per: "stage" }, { show: "count", per: "health" }, "mrr", "active_users", "events"],
  user: ["account", "events", "active_days", "features_used", "first_seen", "last_seen"],
  users: [{ show: "count" }, "events"],
  feature: ["events", "active_accounts", "active_users", "adoption", "first_seen", "last_seen"],
  features: [{ show: "count" }, "events"],
};

/** The parts for a time that is over. Reasons and open items are those of now, and so are counts per state. */
const PAST_PARTS: typeof PARTS = {
  account: ["stage", "plan", "seats", "mrr", "health", "score", "events", "active_users", "last_seen"],
  accounts: ["mrr", "active_users", "events"],
};

function partOf(part: string | SummaryPart): SummaryPart {
  if (typeof part !== "string") return part;
  return { show: "value", measure: part, ...(COUNTS.has(part) && { compare: { to: "before" } }) };
}

/** Tests whether filters on accounts can be used for open items too. */
const fitsItems = (filter: Filter): boolean =>
  (isItemDimension(filter.dimension) || isAccountDimension(filter.dimension)) &&
  !isChange(filter) &&
  filter.asOf === undefined;

/** Splits a summary into queries that can be compiled. `writeSummary` takes their results in this order. */
export function summaryQueries(given: Query, today: Day): Query[] {
  const { find, where, window } = canonical(given);
  const one = where.map(({ dimension, is }) => (is === undefined ? "" : dimension.replace("event", "feature")));
  const isPast = window !== undefined && windowDays(window, today).to < today;
  const about = one.find((name) => `${name}s` === find) ?? find;
  const all = (isPast ? PAST_PARTS[about] : undefined) ?? PARTS[about] ?? [];
  // The days of an event are stored for all accounts together. Others would be sought in all days of theirs.
  const hasDays =
    find !== "features" || where.every(({ dimension, is }) => ENTITY_TYPES.has(dimension) && is !== undefined);
  const parts = all.filter((part) => hasDays || typeof part !== "string" || !SEEN.has(part));
  const queries = parts.map((part) => ({ find, ...partOf(part), where, ...(window && { window }) }));
  if (find !== "accounts" || isPast || where.length >= MAX_FILTERS || !where.every(fitsItems)) return queries;
  const open = { dimension: "status", is: "open" };
  return [...queries, { find: "items", show: "list", where: [...where, open], limit: 10 }];
}

/** Drops a comparison with days before the first record. */
function comparable(query: Query, { today, firstDay }: AnswerSettings): Query {
  const { compare: _, ...plain } = query;
  return refuseWithoutHistory(query, today, firstDay) === null ? query : plain;
}

/** @param results of `summaryQueries`, in their order */
export function writeSummary(given: Query, results: readonly QueryResult[], settings: AnswerSettings): WrittenAnswer {
  const parts = summaryQueries(given, settings.today).flatMap((query, index) => {
    const result = results[index];
    const part = result === undefined ? null : writeAnswer(comparable(query, settings), result, settings);
    return part !== null && "answer" in part ? [part] : [];
  });
  const { text: subject, named } = nounOf(canonical(given), settings);
  const isFound = results.some(({ rows }) => rows.length > 0);
  if (parts.length === 0 || !isFound) return refuse("no_data_in_window", `There is no data about ${subject}.`);
  const evidence = parts.flatMap((part) => part.evidence).map((each, index) => ({ ...each, id: `e${index + 1}` }));
  return {
    answer: [
      `${named === null || subject.startsWith("the ") ? capitalize(subject) : subject}:`,
      ...parts.map(({ answer }) => answer),
    ].join("\n"),
    value: parts.map(({ answer, value: partValue }) => ({ answer, value: partValue })),
    evidence,
    confidence: "high",
  };
}
