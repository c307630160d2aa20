/**
 * Answers a question in two round trips: the first looks up what its words may name. The question is then turned into a
 * query, which the second round trip runs.
 */
import { historyFrom } from "../../config.ts";
import { checkQuery } from "../../core/ask/query/check.ts";
import type { Query } from "../../core/ask/query/model.ts";
import { restate } from "../../core/ask/query/restate.ts";
import type { Entity } from "../../core/ask/query/result.ts";
import { refuse, type WrittenAnswer } from "../../core/ask/query/answer-context.ts";
import { matchNames, type NameMatch, nameLookup } from "../../core/ask/reader/words/match-names.ts";
import {
  type Hints,
  MAX_QUESTION_WORDS,
  type Note,
  type ReadResult,
  readQuestion,
} from "../../core/ask/reader/read-question.ts";
import { splitWords } from "../../core/ask/reader/words/split-words.ts";
import { namedSubjects, type NamedSubject } from "../../core/ask/query/subjects.ts";
import type { Day } from "../../core/health/model.ts";
import { mapEventName } from "../../core/ingest/event-name.ts";
import { ratesOf } from "../../core/rates.ts";
import { selectEventNames, selectNames } from "../../db/ask/find-names.ts";
import { selectFreshness } from "../../db/ask/freshness.ts";
import { featureOf } from "../../db/ask/query/entity-columns.ts";
import { type Named, selectNamed } from "../../db/ask/query/lookups.ts";
import { selectDimensions } from "../../db/ask/query/dimension-values.ts";
import { newBatch } from "../../db/client/batch.ts";
import { type Issues, refuseUnknown } from "./answer-query.ts";
import {
  type Answer,
  type AskedWorkspace,
  type LookedUp,
  MATCHES,
  runQuery,
  settingsOf,
  understood,
} from "./run-query.ts";

interface AskedQuestion {
  text: string;
  /** What "this account" and "it" mean, and the query before. Ids may be external or internal. */
  hints: Hints;
  /** Milliseconds since the epoch, and today in the time zone of the question. */
  now: number;
  today: Day;
}

/** @returns the issues of the query before, if the workspace's dimensions don't allow it */
export async function answerQuestion(
  env: Env,
  workspace: AskedWorkspace,
  asked: AskedQuestion,
): Promise<Answer | Issues> {
  const { text, hints, now, today } = asked;
  const words = splitWords(text).slice(0, MAX_QUESTION_WORDS);
  const sought = nameLookup(text, words);
  const hinted = subjectsOf(hints);
  const { previous } = hints;
  const before = previous === undefined ? [] : namedSubjects(previous);
  const batch = newBatch(env, workspace);
  const readNames = selectNames(batch, sought);
  const readEvents = selectEventNames(batch, sought.texts);
  const readHinted = selectNamed(batch, [...hinted, ...before]);
  const readDimensions = selectDimensions(batch);
  const keptFrom = historyFrom(env, now);
  const readFreshness = selectFreshness(batch, keptFrom);
  await batch.run();
  const [dimensions, freshness, findHinted] = [readDimensions(), readFreshness(), readHinted()];
  const issues = previous === undefined ? [] : checkQuery(previous, dimensions);
  if (issues.length > 0) return { issues: issues.map(({ path, message }) => ({ path: `previous.${path}`, message })) };
  const matches = matchNames(words, sought, readNames());
  const [find, rates] = [finderOf(matches, findHinted), ratesOf(workspace)];
  const known: LookedUp = { dimensions, now, today, freshness, historyFrom: keptFrom, rates, find };
  const foundHints = hinted.filter((subject) => findHinted(subject) !== undefined);
  const unknown = hinted.find(({ type }) => foundHints.every((found) => found.type !== type));
  const feature = foundHints.find(({ type }) => type === "feature")?.name;
  const firstDay = freshness.firstDay === null ? {} : { firstDay: freshness.firstDay };
  const vocabulary = { names: matches, events: readEvents(), dimensions, today, ...firstDay };
  const result =
    unknown === undefined
      ? readQuestion(text, vocabulary, { ...hints, ...(feature !== undefined && { feature }) })
      : noSuchHint(unknown);
  const isUsed = result.kind === "query" && result.isFollowUp === true;
  const told = previous && { previous: { query: previous, restated: restate(previous, settingsOf(known)), isUsed } };
  if (result.kind !== "query" || checkQuery(result.query, dimensions).length > 0)
    return { ...unanswered(result, known, matches), ...told, asked: null, subject: null, window: null, freshness };
  const lost = namedSubjects(result.query).find((name) => isIn(before, name) && findHinted(name) === undefined);
  if (isUsed && lost !== undefined)
    return { ...understood(result.query, known), ...told, written: refuseUnknown(lost) };
  const answer = await runQuery(batch.next(), result.query, known);
  return { ...answer, ...told, written: withNotes(answer.written, result.notes) };
}

/** A feature may be given as the sender spells it or as it is stored. */
function subjectsOf({ account, user, feature }: Hints): NamedSubject[] {
  const stored = feature === undefined ? null : mapEventName(feature);
  const given = [
    ["account", account],
    ["user", user],
    ["feature", feature],
    ["feature", stored],
  ] as const;
  return given.flatMap(([type, name]) => (name == null ? [] : [{ type, name }]));
}

const HINT_FIELDS = { account: "accountId", user: "userId", feature: "feature" } as const;

const noSuchHint = ({ type }: NamedSubject): ReadResult => ({
  kind: "refusal",
  reason: "no_such_subject",
  detail: `There is no ${type} with this ${HINT_FIELDS[type]}.`,
});

/** Finds the subjects that the names and hints of a question refer to. */
function finderOf(
  matches: readonly NameMatch[],
  findHinted: (subject: NamedSubject) => Named | undefined,
): LookedUp["find"] {
  const surestLast = matches.toSorted((a, b) => surenessOf(a) - surenessOf(b));
  const matched = new Map(surestLast.map((match) => [`${match.type} ${match.externalId}`, match]));
  return (subject) => {
    const hinted = findHinted(subject);
    if (subject.type === "feature")
      return { number: 0, entity: featureOf(subject.name), matchedBy: hinted === undefined ? "external_id" : "hint" };
    const match = matched.get(`${subject.type} ${subject.name}`);
    if (match === undefined) return hinted && { ...hinted, matchedBy: "hint" };
    const { number, matchedBy } = match;
    return { number, entity: entityOf(match), matchedBy: matchedBy === "suggestion" ? "hint" : matchedBy };
  };
}

const surenessOf = ({ matchedBy }: NameMatch): number =>
  matchedBy === "suggestion" ? -MATCHES.length : -MATCHES.indexOf(matchedBy);

const entityOf = ({ type, id, externalId, name }: NameMatch): Entity => ({ type, id, externalId, name });

/** Begins an answer with the misspelled names and words, and their replacements. */
function withNotes(written: WrittenAnswer, notes: readonly Note[]): WrittenAnswer {
  if ("refusal" in written || notes.length === 0) return written;
  const taken = notes.map((note) => {
    const meant = note.kind === "word" ? `"${note.meant}"` : (note.candidate.name ?? note.candidate.externalId);
    return `I read "${note.asked}" as ${meant}.`;
  });
  return { ...written, answer: [...taken, written.answer].join(" "), confidence: "medium" };
}

/** Says why a question has no answer, and what can be asked instead. */
function unanswered(
  result: ReadResult,
  known: LookedUp,
  matches: readonly NameMatch[],
): Pick<Answer, "written" | "options" | "candidates" | "nearestAnswerable" | "unknownWords"> {
  const restated = (query: Query) => ({ query, restated: restate(query, settingsOf(known)) });
  switch (result.kind) {
    case "query":
      return {
        written: refuse("unresolved_words", "This question asks for several things; ask for one at a time."),
      };
    case "options": {
      const meant = differentNames(result.options).flatMap((name) => known.find(name)?.entity ?? []);
      return {
        written:
          meant.length > 1
            ? refuse("ambiguous_subject", "More than one record has this name; choose one.")
            : refuse("unresolved_words", "This can be read in more than one way; choose one."),
        options: result.options.map(restated),
        ...(meant.length > 1 && { candidates: meant }),
      };
    }
    case "refusal": {
      const { reason, detail, candidates = [], events = [], nearest, unknown = [] } = result;
      const similar = (result.proposals ?? []).map(({ query, leftOut }) => ({
        ...restated(query),
        ...(leftOut.length > 0 && { leftOut }),
      }));
      const options = [...(result.options ?? []).map(restated), ...similar];
      const named = candidates.flatMap(
        ({ type, externalId }) => matches.find((each) => each.type === type && each.externalId === externalId) ?? [],
      );
      const proposed = [...named.map(entityOf), ...events.map(featureOf)].slice(0, MAX_CANDIDATES);
      return {
        written: refuse(reason, detail),
        ...(proposed.length > 0 && { candidates: proposed }),
        ...(options.length > 0 && { options }),
        ...(nearest && { nearestAnswerable: restated(nearest) }),
        ...(unknown.length > 0 && { unknownWords: unknown }),
      };
    }
  }
}

const isIn = (names: readonly NamedSubject[], { type, name }: NamedSubject): boolean =>
  names.some((each) => each.type === type && each.name === name);

/** The accounts and users that appear in some of the queries, but not in all. */
function differentNames(queries: readonly Query[]): NamedSubject[] {
  const named = queries.map((query) => namedSubjects(query).filter(({ type }) => type !== "feature"));
  return named
    .flat()
    .filter((name, index, all) => !isIn(all.slice(0, index), name) && !named.every((names) => isIn(names, name)));
}

const MAX_CANDIDATES = 10;
