/** Writes the answer to a query: a sentence, or a list with a line per row, and the evidence for every figure in it. */
import type { Health } from "../../health/model.ts";
import { describeMissing, describeReasons } from "../../health/texts.ts";
import { canonical, isChange, isListed } from "./canonical.ts";
import { CLAUSES } from "./clause-words.ts";
import { clauseOf } from "./clauses.ts";
import { COUNTS } from "./dimensions.ts";
import type { Query, Show } from "./model.ts";
import { aggregateOf, counted, directionOf, measureOf, nounOf, nounWithout, shareOf, thereAre } from "./nouns.ts";
import type { QueryResult, ResultRow } from "./result.ts";
import { beforeText, groups, linesOf, list, nameText, rowLines, rowsOf, valueText } from "./rows.ts";
import {
  type Answered,
  beginAnswer,
  opening,
  refuse,
  type Telling,
  timeText,
  type Told,
  told,
  unknown,
} from "./telling.ts";
import { isoDate } from "./windows.ts";
import { codeWords, joined, NOUNS, upper } from "./words.ts";

/** @param given checked; not a summary */
export function tell(given: Query, result: QueryResult, telling: Telling): Told {
  const query = canonical(given);
  const answered = beginAnswer(query, result, telling);
  const isOverflowed = result.rows.some((row) => isInfinite(row.value) || isInfinite(row.before));
  // A list has the other rows.
  if (isOverflowed && query.show !== "list")
    return refuse("unmeasured_attribute", `The ${measureOf(answered)} is too large to be told.`);
  return TOLD[query.show](answered);
}

const TOLD: Readonly<Record<Show, (answered: Answered) => Told>> = {
  list,
  count: (answered) => (answered.query.per === undefined ? count(answered) : groups(answered)),
  share,
  value: (answered) => (answered.query.per === undefined ? value(answered) : groups(answered)),
  yes_no: (answered) => (answered.query.compare === undefined ? yesNo(answered) : moreOrLess(answered)),
  when: (answered) => (answered.query.measure === undefined ? whenChanged(answered) : value(answered)),
  why,
  summary: list,
};

const isInfinite = (cell: unknown): boolean => typeof cell === "number" && !Number.isFinite(cell);

function count(answered: Answered): Told {
  const { query, result, noun, evidence } = answered;
  const { find, where } = query;
  const { rows, population } = result;
  const found = Number(rows[0]?.value ?? 0);
  const isPart = population !== null && where.length > 0 && population > found;
  const all = { plural: NOUNS[find], clauses: [] };
  const outOf = isPart ? `, out of ${counted(evidence.number("population", population), all)}` : "";
  const there = upper(thereAre(evidence.number(find, found), noun));
  return told(answered, `${there}${timeText(answered)}${outOf}.`, found);
}

function share(answered: Answered): Told {
  const { query, result, noun, voice, evidence } = answered;
  const { find, of = [] } = query;
  const { rows, matched, population } = result;
  const percent = rows[0]?.value;
  const whole = nounOf({ find, where: of }, voice);
  if (typeof percent !== "number" || matched === null || population === null || population === 0)
    return refuse("no_data_in_window", `There are no ${whole.text}, so there is no share of them.`);
  const all = evidence.number("population", population);
  const lead = `${evidence.number("share", percent)}% of the ${counted(all, whole)}`;
  const part = evidence.number(find, matched);
  return told(answered, `${lead} ${shareOf(noun, find)}${timeText(answered)}: ${part} of ${all}.`, percent);
}

function value(answered: Answered): Told {
  const { query, result, noun } = answered;
  if (isListed(query) && (result.rows.length > 1 || noun.names !== "one")) return list(answered);
  const sentence = valueSentence(answered);
  if (sentence === null) return unknown(answered);
  const [row, ...others] = rowsOrNone(answered);
  const single = others.length === 0 ? row?.value : null;
  return told(answered, `${opening(answered, sentence)}.`, single ?? rowsOf(answered));
}

/** A count without rows is zero. */
function rowsOrNone({ query, result }: Answered): readonly ResultRow[] {
  const { find, measure = "events", aggregate } = query;
  const isCount = COUNTS.has(measure) && aggregate === undefined && find !== "features";
  return isCount && result.rows.every((row) => row.value === null) ? [{ value: 0 }] : result.rows;
}

/** `the MRR of Acme is $900`, `Acme had 34 active users in the last 28 days`. `null` if no value is known. */
function valueSentence(answered: Answered): string | null {
  const { query, result, noun, voice, evidence } = answered;
  const { measure, aggregate } = query;
  const values = rowsOrNone(answered).flatMap((row) => {
    const text = valueText(row, answered);
    return text === null ? [] : [{ row, text, change: beforeText(row, answered) }];
  });
  const [first] = values;
  if (first === undefined) return null;
  const time = timeText(answered);
  if (measure === undefined) {
    const figures = evidence.number("events", Number(first.row.value), result.window ?? undefined);
    return `${thereAre(figures, noun, ["was", "were"])}${time}${first.change}`;
  }
  if (COUNTS.has(measure) && aggregate === undefined) {
    const used = measure === "features_used" ? `used ${first.text.replace(" used", "")}` : `had ${first.text}`;
    return `${noun.text} ${used}${time}${first.change}`;
  }
  const all = values.map(({ text, change }) => `${text}${change}`);
  const parts = values.some(({ change }) => change !== "") ? all.join("; ") : joined(all);
  if (measure === "seats" && aggregateOf(answered) === undefined) return `${noun.text} has ${parts}${time}`;
  if (measure === "account") return `${noun.text} belongs to ${parts}`;
  if (measure === "last_seen") return `${noun.text} was last active on ${parts}`;
  if (measure === "first_seen") return `${noun.text} was first seen on ${parts}`;
  if (measure === "trial_ends") return `the trial of ${noun.text} ends on ${parts}`;
  const { value: single } = first.row;
  if (CLAUSES[measure]?.is !== undefined && typeof single === "string" && time === "")
    return clauseOf({ dimension: measure, is: single }, voice).say(noun.text, true);
  return `the ${measureOf(answered)}${time} is ${parts}`;
}

function yesNo(answered: Answered): Told {
  const { query, result, noun, evidence } = answered;
  const { rows, total } = result;
  const holds = query.find === "events" ? Number(rows[0]?.value ?? 0) > 0 : total > 0;
  const verdict = holds ? "Yes" : "No";
  if (query.find === "events") return told(answered, `${verdict}, ${valueSentence(answered)}.`, holds);
  const time = timeText(answered);
  const [only, ...others] = noun.clauses;
  if (noun.names === "one" && only !== undefined && others.length === 0)
    return told(answered, `${verdict}, ${only.say(noun.head, holds)}${time}.`, holds);
  const there = `${verdict}, ${thereAre(evidence.number(query.find, total), noun)}${time}`;
  if (!holds) return told(answered, `${there}.`, false);
  return told(answered, `${there}:${rowLines(answered)}`, true);
}

function moreOrLess(answered: Answered): Told {
  const { query, result } = answered;
  const verdicts = new Set(
    result.rows.map(({ value: now, before }) => {
      if (typeof now !== "number" || typeof before !== "number") return null;
      return directionOf(query) === 0 ? now > before : now < before;
    }),
  );
  const sentence = valueSentence(answered);
  const [holds = null] = verdicts;
  if (holds === null || sentence === null) return unknown(answered);
  // Sums in several currencies can differ.
  if (verdicts.size > 1) return told(answered, `${opening(answered, sentence)}.`, rowsOf(answered));
  return told(answered, `${holds ? "Yes" : "No"}, ${sentence}.`, holds);
}

function whenChanged(answered: Answered): Told {
  const { query, result, voice, evidence } = answered;
  const change = query.where.find(isChange);
  const noun = nounWithout(query, change, voice);
  const [row] = result.rows;
  if (change === undefined) return unknown(answered);
  const { say } = clauseOf(change, voice);
  if (row === undefined) return told(answered, `${opening(answered, say(noun.text, false))}${timeText(answered)}.`, []);
  if (noun.names !== "one" || result.total > 1) return list(answered);
  if (typeof row.value !== "string") return unknown(answered);
  const date = evidence.date(change.dimension, row.value);
  return told(answered, `${opening(answered, say(noun.text, true))} on ${date}.`, row.value);
}

/** Answers "why" from the explanations that are stored with scores. */
function why(answered: Answered): Told {
  const { result, noun, evidence } = answered;
  const { rows, total } = result;
  const [first] = rows;
  if (first === undefined) return refuse("insufficient_history", `There is no health of ${noun.text} to explain.`);
  const isOne = rows.length === 1 && total <= 1;
  if (isOne && !first.health) {
    const name = first.entity ? nameText(first.entity, answered) : upper(noun.text);
    return refuse("insufficient_history", `${name} has no health score yet.`);
  }
  const explained = rows.map(({ entity, health }) => {
    const name = entity ? nameText(entity, answered) : "It";
    return health ? explain(name, health, answered) : [`${name}: no health score yet`];
  });
  if (isOne) return told(answered, explained.flat().join("\n- "), rowsOf(answered));
  const lines = explained.map(([text, reason]) => [text, reason].filter((each) => each !== undefined).join(" "));
  const head = `The health of ${evidence.number("accounts", total)} ${noun.text}:`;
  return told(answered, `${head}${linesOf(lines, total, answered)}`, rowsOf(answered));
}

/** @returns the state of the account's health, then its reasons */
function explain(name: string, { state, score, reasons, missing, day }: Health, { evidence }: Answered): string[] {
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
  return [`${name} is ${codeWords("health", state)}${scored}.`, ...all];
}
