/** Writes the answer to a query: a sentence, or a list with a line per row, and the evidence for every figure in it. */
import { describeMissing, describeReasons } from "../../health/texts.ts";
import { isChange } from "./check.ts";
import { activitySentence } from "./activity-sentences.ts";
import { canonical, isListed, showsPast } from "./canonical.ts";
import { CLAUSES } from "./clause-words.ts";
import { clauseOf } from "./clauses.ts";
import { COUNTS } from "./dimensions.ts";
import { withImpliedOrder, supposedState, withoutChurned } from "./implied.ts";
import type { Query, Show } from "./model.ts";
import {
  aggregateOf,
  countPhrase,
  directionOf,
  measureOf,
  nounOf,
  nounWithout,
  shareOf,
  singular,
  thereAre,
} from "./noun-phrases.ts";
import type { QueryResult, ResultRow } from "./result.ts";
import { writeGroups, linesOf, writeList, nameText, noneText, rowLines, rowsOf } from "./write-lists.ts";
import { beforeText, valueText } from "./value-texts.ts";
import {
  type AnswerContext,
  answerContext,
  asOpening,
  refuse,
  type AnswerSettings,
  timeText,
  type WrittenAnswer,
  answerWith,
  refuseUnknown,
} from "./answer-context.ts";
import { isoDate } from "./windows.ts";
import { codeWords, joinWithAnd, NOUNS, capitalize } from "./words.ts";

/** @param given checked; not a summary */
export function writeAnswer(given: Query, result: QueryResult, settings: AnswerSettings): WrittenAnswer {
  const told = withImpliedOrder(canonical(given));
  // "MRR at risk": churned accounts have another health.
  const isOfHealth = told.where.some(({ dimension, isNot }) => dimension === "health" && isNot === undefined);
  const query = isOfHealth ? told : withoutChurned(told);
  const context = answerContext(query, result, settings);
  return WRITERS[query.show](context);
}

const WRITERS: Readonly<Record<Show, (context: AnswerContext) => WrittenAnswer>> = {
  list: writeList,
  count: (context) => (context.query.per === undefined ? writeCount(context) : writeGroups(context)),
  share: writeShare,
  value: (context) => (context.query.per === undefined ? writeValue(context) : writeGroups(context)),
  yes_no: (context) => (context.query.compare === undefined ? writeYesNo(context) : writeMoreOrLess(context)),
  when: (context) => (context.query.measure === undefined ? writeWhenChanged(context) : writeValue(context)),
  why: writeWhy,
  summary: writeList,
};

function writeCount(context: AnswerContext): WrittenAnswer {
  const { query, result, noun, evidence } = context;
  const { find, where } = query;
  const { rows, population } = result;
  const found = Number(rows[0]?.value ?? 0);
  const isPart = population !== null && where.length > 0 && population > found && found > 0;
  const figures = evidence.number(find, found);
  const all = isPart ? countPhrase(evidence.number("population", population), { plural: NOUNS[find] }) : null;
  const time = timeText(context);
  const outOf = all === null ? "" : `, out of ${all}`;
  const last = noun.named === null ? noun.clauses.at(-1)?.main : undefined;
  if (last == null) return answerWith(context, `${capitalize(thereAre(figures, context))}${time}${outOf}.`, found);
  const condition = figures === "1" ? singular(last) : last;
  // "12 of 60 accounts had no events".
  if (all !== null && noun.clauses.length === 1 && noun.head === NOUNS[find])
    return answerWith(context, `${figures} of ${all} ${condition}${time}.`, found);
  const some = countPhrase(figures, { ...noun, clauses: noun.clauses.slice(0, -1) });
  return answerWith(context, `${capitalize(some)} ${condition}${time}${outOf}.`, found);
}

function writeShare(context: AnswerContext): WrittenAnswer {
  const { query, result, noun, evidence } = context;
  const { find, of = [] } = query;
  const { rows, population } = result;
  const { value: percent, count: matched } = rows[0] ?? {};
  const whole = nounOf({ find, where: of }, context);
  if (typeof percent !== "number" || matched === undefined || population === null)
    return refuse("no_data_in_window", `There are no ${whole.text}, so there is no share of them.`);
  const all = evidence.number("population", population);
  const lead = `${evidence.number("share", percent)}% of the ${countPhrase(all, whole)}`;
  const part = evidence.number(find, matched);
  const condition = all === "1" ? singular(shareOf(noun, find)) : shareOf(noun, find);
  return answerWith(context, `${lead} ${condition}${timeText(context)}: ${part} of ${all}.`, percent);
}

function writeValue(context: AnswerContext): WrittenAnswer {
  const { query, result, noun } = context;
  if (isListed(query) && (result.rows.length > 1 || noun.named !== "one")) return writeList(context);
  const isNoneLost = query.measure === "mrr_lost" && result.rows.every((row) => row.value === null);
  if (isNoneLost) return answerWith(context, noneText(context), 0);
  const sentence = valueSentence(context);
  if (sentence === null) return refuseUnknown(context);
  const [row, ...others] = rowsOrNone(context);
  const single = others.length === 0 ? row?.value : null;
  return answerWith(context, `${asOpening(context, sentence)}.`, single ?? rowsOf(context));
}

/** A count without rows is zero. */
function rowsOrNone({ query, result }: AnswerContext): readonly ResultRow[] {
  const { find, measure = "events", aggregate } = query;
  // Without known seats, no number of them is unused.
  const isCount = COUNTS.has(measure) && measure !== "unused_seats" && aggregate === undefined && find !== "features";
  return isCount && result.rows.every((row) => row.value === null) ? [{ value: 0 }] : result.rows;
}

/** `the MRR of Acme is $900`, `Acme had 34 active users in the last 28 days`. `null` if no value is known. */
function valueSentence(context: AnswerContext): string | null {
  const { query, result, noun, evidence } = context;
  const { measure } = query;
  const values = rowsOrNone(context).flatMap((row) => {
    const text = valueText(row, context);
    return text === null ? [] : [{ row, text, change: beforeText(row, context) }];
  });
  const [first] = values;
  if (first === undefined) return null;
  const time = timeText(context);
  const isCount = aggregateOf(context) === undefined && COUNTS.has(measure ?? "events");
  const plain = isCount && typeof first.row.value === "number" ? activitySentence(context, first.row.value) : null;
  if (plain !== null) return `${plain}${time}${first.change}`;
  if (measure === undefined) {
    const figures = evidence.number("events", Number(first.row.value), result.window ?? undefined);
    return `${thereAre(figures, context)}${time}${first.change}`;
  }
  if (isCount && query.find === "events") return `there were ${first.text}${noun.text}${time}${first.change}`;
  if (isCount) {
    const used = measure === "features_used" ? `used ${first.text.replace(" used", "")}` : `had ${first.text}`;
    return `${noun.text} ${used}${time}${first.change}`;
  }
  const all = values.map(({ text, change }) => `${text}${change}`);
  const parts = values.some(({ change }) => change !== "") ? all.join("; ") : joinWithAnd(all);
  const isPast = time !== "" && showsPast(query);
  if (measure === "seats" && aggregateOf(context) === undefined)
    return `${noun.text} ${isPast ? "had" : "has"} ${first.text}${time}${first.change}`;
  if (measure === "account") return `${noun.text} belongs to ${parts}`;
  if (measure === "last_seen") return `${noun.text} was last active on ${parts}`;
  if (measure === "first_seen") return `${noun.text} was first seen on ${parts}`;
  if (measure === "trial_ends") return `the trial of ${noun.text} ends on ${parts}`;
  if (measure === "contract_ends") return `the contract of ${noun.text} ends on ${parts}`;
  const { value: single } = first.row;
  if (single === "insufficient_data" && !isPast) return `${noun.text} ${NOT_SCORED}`;
  if (CLAUSES[measure]?.is !== undefined && typeof single === "string") {
    const is = clauseOf({ dimension: measure, is: single }, context).say(noun.text, true);
    return isPast ? `${is.replace(`${noun.text} is `, `${noun.text} was `)}${time}` : is;
  }
  return `the ${measureOf(context)}${time} ${isPast ? "was" : "is"} ${parts}`;
}

function writeYesNo(context: AnswerContext): WrittenAnswer {
  const { query, result, noun, evidence } = context;
  const { rows, total } = result;
  const holds = query.find === "events" ? Number(rows[0]?.value ?? 0) > 0 : total > 0;
  const verdict = holds ? "Yes" : "No";
  if (query.find === "events") return answerWith(context, `${verdict}, ${valueSentence(context)}.`, holds);
  const time = timeText(context);
  const [only] = noun.clauses;
  if (noun.named === "one" && only !== undefined && noun.clauses.length === 1) {
    const { opposite } = only;
    if (opposite === undefined) return answerWith(context, `${verdict}, ${only.say(noun.head, holds)}${time}.`, holds);
    // "Yes" and "no" are unclear before and after a negation.
    return answerWith(context, `${asOpening(context, (holds ? only : opposite).say(noun.head, true))}${time}.`, holds);
  }
  const there = `${verdict}, ${thereAre(evidence.number(query.find, total), context)}${time}`;
  if (!holds) return answerWith(context, `${there}.`, false);
  return answerWith(context, `${there}:${rowLines(context)}`, true);
}

function writeMoreOrLess(context: AnswerContext): WrittenAnswer {
  const { query, result } = context;
  const verdicts = result.rows.flatMap(({ value: now, before, currency }) => {
    if (typeof now !== "number" || typeof before !== "number") return [];
    return [{ holds: directionOf(query) === 0 ? now > before : now < before, currency }];
  });
  const sentence = valueSentence(context);
  const [first, ...others] = verdicts;
  if (first === undefined || sentence === null) return refuseUnknown(context);
  if (verdicts.length === result.rows.length && others.every(({ holds }) => holds === first.holds))
    return answerWith(context, `${first.holds ? "Yes" : "No"}, ${sentence}.`, first.holds);
  // Sums in several currencies can differ, or have no earlier value.
  const each = verdicts.map(({ holds, currency }) => `${holds ? "yes" : "no"} in ${currency ?? "no currency"}`);
  return answerWith(context, `${capitalize(each.join(", "))}: ${sentence}.`, rowsOf(context));
}

function writeWhenChanged(context: AnswerContext): WrittenAnswer {
  const { query, result, evidence } = context;
  const change = query.where.find(isChange);
  const noun = nounWithout(query, change, context);
  const [row] = result.rows;
  if (change === undefined) return refuseUnknown(context);
  const { say } = clauseOf(change, context);
  if (row === undefined)
    return answerWith(context, `${asOpening(context, say(noun.text, false))}${timeText(context)}.`, []);
  if (noun.named !== "one" || result.total > 1) return writeList(context);
  if (typeof row.value !== "string") return refuseUnknown(context);
  const date = evidence.date(change.dimension, row.value);
  return answerWith(context, `${asOpening(context, say(noun.text, true))} on ${date}.`, row.value);
}

/** Answers "why" from the explanations that are stored with scores. */
function writeWhy(context: AnswerContext): WrittenAnswer {
  const { result, noun, evidence } = context;
  const { rows, total } = result;
  const explained = rows.map((row) => explain(row, context));
  const [first] = explained;
  if (first === undefined) return refuse("insufficient_history", `There is no score of ${noun.text} to explain.`);
  if (rows.length > 1 || total > 1) {
    const lines = explained.map((sentences) => sentences.slice(0, 2).join(" "));
    const head = `The health of ${evidence.number("accounts", total)} ${noun.text}:`;
    return answerWith(context, `${head}${linesOf(lines, total, context)}`, rowsOf(context));
  }
  return rows[0]?.health
    ? answerWith(context, first.join("\n- "), rowsOf(context))
    : refuse("insufficient_history", first.join(" "));
}

const NOT_SCORED = "does not have enough data for a health score";

/** @returns the state of the account's health, then its reasons */
function explain({ entity, health }: ResultRow, context: AnswerContext): string[] {
  const { query, evidence } = context;
  const name = entity ? nameText(entity, context) : "It";
  if (!health) return [`${name} has no health score yet.`];
  const { state, score, reasons, missing, day } = health;
  evidence.add("health", state);
  const scored = score === null ? "" : ` with a health score of ${evidence.number("score", score)}`;
  for (const { code, points, observed, expected, window } of reasons) {
    evidence.add(`${code}.points`, points);
    evidence.add(`${code}.observed`, observed, window);
    evidence.add(`${code}.expected`, expected, window);
  }
  for (const { code, observed, required } of missing) {
    const scale = code === "coverage" ? 100 : 1;
    evidence.add(`${code}.observed`, observed * scale);
    evidence.add(`${code}.required`, required * scale);
  }
  evidence.add("health.day", isoDate(day));
  const all = [...describeReasons(reasons), ...missing.map(describeMissing)];
  const supposed = String(supposedState(query)?.is ?? state);
  const subject = supposed === state ? name : `${name} is not ${codeWords("health", supposed)}: it`;
  const is = state === "insufficient_data" ? NOT_SCORED : `is ${codeWords("health", state)}${scored}`;
  return [`${subject} ${is}.`, ...all];
}
