/** Judges how the reader reads the written questions. */
import { endsOrder, withOpenItems } from "../../../src/core/ask/query/canonical.ts";
import type { Filter, Query, WindowName } from "../../../src/core/ask/query/model.ts";
import { calendarWindowDays, dayOf, windowDays, isoDate } from "../../../src/core/ask/query/windows.ts";
import { type ReadResult, readQuestion } from "../../../src/core/ask/reader/read-question.ts";
import { type LabeledQuestion, readQuestions } from "./questions.ts";
import { vocabularyOf } from "./vocabulary.ts";
import { writtenWorld } from "./world.ts";

const world = writtenWorld();
const today = dayOf(world.today);
const vocabulary = vocabularyOf(world);
const PAST = /^(?:opened|resolved|dismissed|first_seen|last_seen)$/;
const WINDOWED = /^(?:active|event|events|active_users|active_days|active_accounts|features_used|seat_use|adoption)$/;

function windowOf(window: WindowName, isPast: boolean, days = windowDays): string {
  const { from, to } = days(window, today);
  return `${from}..${isPast && from <= today ? Math.min(to, today) : to}`;
}

const byText = (a: string, b: string): number => a.localeCompare(b);

/** A window of one day is that day. */
function dayIn(within: WindowName, isPast: boolean): Record<string, string> {
  const { from, to } = calendarWindowDays(within, today);
  return from === to ? { is: isoDate(from) } : { within: windowOf(within, isPast, calendarWindowDays) };
}

const OF_ONE_VALUE = /^(?:stage|plan|health|status)$/;

/** Drops filters that add nothing: "customers that haven't churned", the state in "why is it at risk". */
function tellingFilters({ show, where }: Query): Filter[] {
  const isNamed = where.some(({ dimension }) => dimension === "account");
  return where.filter(({ dimension, isNot }) => {
    if (show === "why" && dimension === "health" && isNamed) return false;
    const isSaid = where.some((each) => each.dimension === dimension && each.is !== undefined && each.is !== isNot);
    return isNot === undefined || !OF_ONE_VALUE.test(dimension) || !isSaid;
  });
}

/** Returns a form that is equal for queries with the same meaning. */
export function meaningOf(given: Query): string {
  const query = withOpenItems(given);
  const window = query.window ?? { last: 28, unit: "day" as const };
  const filters = tellingFilters(query).map(({ within, window: own, dimension, in: several, ...rest }) =>
    JSON.stringify({
      dimension,
      ...Object.fromEntries(Object.entries(rest).toSorted(([a], [b]) => a.localeCompare(b))),
      ...(several && { in: several.map(String).toSorted(byText) }),
      ...(within && dayIn(within, PAST.test(dimension))),
      ...((WINDOWED.test(dimension) || (rest.became ?? rest.changed) !== undefined) && {
        window: windowOf(own ?? window, true),
      }),
    }),
  );
  const { find, show, per, limit, aggregate, with: columns = [], compare, of = [] } = query;
  const measure = query.measure ?? (find === "events" ? "events" : undefined);
  const isOne = query.where.some(
    ({ dimension, is }) => (dimension === "account" || dimension === "user") && is !== undefined,
  );
  const isValue =
    show === "value" ||
    (show === "count" && find === "events") ||
    (show === "list" && measure !== undefined && isOne && find !== "features") ||
    (show === "when" && isOne && measure !== undefined);
  const isTimed =
    find === "events" ||
    show === "summary" ||
    compare !== undefined ||
    /^(?:events|active_users|active_days|active_accounts|features_used|adoption|seat_use|score|health|mrr|mrr_lost|seats|arr)$/.test(
      measure ?? "",
    );
  // Values at the end of a window: "today" and "the last 28 days" end on the same day.
  const isAtEnd = /^(?:score|health|mrr|arr|seats)$/.test(measure ?? "") && per === undefined;
  const order = query.order ?? endsOrder(query);
  const isDefault =
    order === undefined ||
    (order.by === measure && order.direction === "down") ||
    (per !== undefined && order.direction === "down" && !["day", "week", "month"].includes(per));
  return JSON.stringify({
    find,
    show: isValue ? "value" : show,
    where: [...new Set(filters)].toSorted(byText),
    of: of.map((each) => JSON.stringify(each)).toSorted(byText),
    shown: [measure ?? "", ...columns].filter((name) => name !== "").toSorted(byText),
    ...(aggregate && aggregate !== "sum" && !(measure === "score" && aggregate === "average") && { aggregate }),
    per,
    window: isTimed ? (isAtEnd ? windowOf(window, true).split("..")[1] : windowOf(window, true)) : null,
    to:
      compare &&
      (typeof compare.to === "object" &&
      !("account" in compare.to) &&
      !("user" in compare.to) &&
      !("feature" in compare.to)
        ? windowOf(compare.to, true)
        : compare.to),
    order: isDefault ? null : order,
    limit: limit === 100 ? undefined : limit,
  });
}

export type Verdict =
  | "right"
  | "options"
  | "proposed"
  | "unlabeled"
  | "silent"
  | "wrong"
  | "right reason"
  | "wrong reason"
  | "asks back";

function verdictOn({ expect }: LabeledQuestion, result: ReadResult): Verdict {
  if ("queries" in expect) {
    const wanted = new Set(expect.queries.map(meaningOf));
    if (wanted.size === 0 && result.kind !== "refusal") return "unlabeled";
    if (result.kind === "refusal")
      return result.proposals?.some(({ query }) => wanted.has(meaningOf(query))) === true ? "proposed" : "silent";
    if (result.kind === "options")
      return result.options.some((each) => wanted.has(meaningOf(each))) ? "options" : "silent";
    return wanted.has(meaningOf(result.query)) ? "right" : "wrong";
  }
  if (result.kind === "query") return "wrong";
  if (result.kind === "options") return "asks back";
  return [expect.reason, ...(expect.or ?? [])].includes(result.reason) ? "right reason" : "wrong reason";
}

export interface Judged extends LabeledQuestion {
  result: ReadResult;
  verdict: Verdict;
}

/** Reads all questions of a file. */
export const judgeFile = (file: string): Judged[] =>
  readQuestions(file).map((row) => {
    const result = readQuestion(row.question, vocabulary(row.question));
    return { ...row, result, verdict: verdictOn(row, result) };
  });
