/**
 * Unknown names: a question that would be answered if some of its unknown words were the name of an account, a user or
 * a feature is one about something that is not known.
 */
import type { Entity, Found, Hints, Refusal, SubjectType } from "../model.ts";
import { foldName } from "../names.ts";
import { type Run, textOf } from "../question/spans.ts";
import type { Question } from "../question/tokens.ts";
import { matchesOf } from "../reading/match.ts";
import { type Reading, says } from "../reading/units.ts";
import type { Clock } from "../time/time-context.ts";
import { hasAuxiliaryBetween, isUsed, isWrittenAsEvent, mayBeSubject, POINTERS } from "./name-places.ts";
import { shortened } from "./shortened.ts";
import { doneTo, longerName, unknownRuns, usedRuns } from "./unknown-runs.ts";
import { isAnsweredWith, type MadeUp, nobody } from "./would-answer.ts";

const MOST_RUNS = 3;
const MOST_ALIKE = 10;

export function unknownName(
  question: Question,
  reading: Reading,
  found: Found,
  hints: Hints,
  clock: Clock,
): Refusal | null {
  const refusal = unknownIn(question, reading, hints, clock);
  const candidates = refusal === null ? [] : namesLike(refusal.name, found);
  return refusal === null ? null : { ...refusal.refusal, ...(candidates.length > 0 && { candidates }) };
}

interface Unknown {
  name: string;
  refusal: Refusal;
}

/** Accounts and users whose name begins with it: "Oakley" of "Oakley & Partners". They may be meant, and may not. */
function namesLike(name: string, { names }: Found): Entity[] {
  const said = foldName(name);
  const alike = names.filter(
    ({ entity, text }) => said !== "" && entity.type !== "feature" && foldName(text).startsWith(`${said} `),
  );
  const entities = new Map(alike.map(({ entity }) => [entity.id, entity]));
  return [...entities.values()].slice(0, MOST_ALIKE);
}

function unknownIn(question: Question, reading: Reading, hints: Hints, clock: Clock): Unknown | null {
  const { units, mentions } = reading;
  const runs = unknownRuns(question, units).slice(0, MOST_RUNS);
  const would = (...names: readonly MadeUp[]) => isAnsweredWith(question, reading, names, hints, clock);
  for (const run of runs) {
    const longer = longerName(question, mentions, run);
    if (longer !== null) return noSuch("no_such_subject", question, [longer]);
    const span = { parts: [run] };
    const isSubject = mayBeSubject(question, run) && (would(["account", span]) || would(["user", span]));
    const isFeature = isUsed(question, units, run) && would(["feature", span]);
    if (isFeature && (!isSubject || isWrittenAsEvent(question, run))) return noSuch("no_such_event", question, [run]);
    if (isSubject) return noSuch("no_such_subject", question, [run]);
  }
  for (const run of usedRuns(question, units)) {
    if (would(["feature", { parts: [run] }])) return noSuch("no_such_event", question, [run]);
  }
  for (const run of runs) {
    const done = doneTo(question, units, run);
    if (done !== null && would(["feature", { parts: [run, done] }]))
      return noSuch("no_such_event", question, [run, done]);
  }
  return pairOf(question, runs, would) ?? namesNobody(units, hints, clock);
}

/** Two unknown names: who did it, and what; or what was done, in two parts. */
function pairOf(
  question: Question,
  [first, second]: readonly Run[],
  would: (...names: readonly MadeUp[]) => boolean,
): Unknown | null {
  if (first === undefined || second === undefined) return null;
  const [a, b] = [{ parts: [first] }, { parts: [second] }];
  if (hasAuxiliaryBetween(question.tokens, first, second) && would(["feature", { parts: [first, second] }])) {
    return noSuch("no_such_event", question, [first, second]);
  }
  const pairs: readonly [SubjectType, SubjectType][] = [
    ["account", "feature"],
    ["user", "feature"],
    ["feature", "account"],
    ["feature", "user"],
    ["account", "account"],
  ];
  const subject = pairs.find(([one, other]) => would([one, a], [other, b]));
  return subject === undefined
    ? null
    : noSuch("no_such_subject", question, [subject[0] === "feature" ? second : first]);
}

/** A question for an account, a user or a feature that does not say which. */
function namesNobody(units: Reading["units"], hints: Hints, clock: Clock): Unknown | null {
  const isPointed = says(units, POINTERS);
  const types: readonly SubjectType[] = isPointed ? ["account", "user", "feature"] : ["account", "user"];
  const type = types.find(
    (each) => hints[each] === undefined && matchesOf(units, { ...hints, [each]: nobody(each) }, clock).length > 0,
  );
  if (type === undefined) return null;
  const detail = `The question does not say which ${type} is meant.`;
  return { name: "", refusal: { reason: "no_such_subject", detail } };
}

function noSuch(reason: "no_such_subject" | "no_such_event", question: Question, runs: readonly Run[]): Unknown {
  const name = textOf(question, { parts: runs }, " … ");
  const what =
    reason === "no_such_event" ? "No event or feature is known by the name" : "No account or user is known by the name";
  return { name, refusal: { reason, detail: `${what} "${shortened(name)}".` } };
}
