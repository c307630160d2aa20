/** Runs a query in one round trip, and writes the answer. Both queries and questions use it. */
import type { Freshness } from "../../core/ask/model.ts";
import { countsDays, withOpenItems } from "../../core/ask/query/canonical.ts";
import { isBeforeRecords, refuseWithoutHistory } from "../../core/ask/query/compared-windows.ts";
import type { Query } from "../../core/ask/query/model.ts";
import { restate } from "../../core/ask/query/restate.ts";
import type { Entity } from "../../core/ask/query/result.ts";
import { summaryQueries, writeSummary } from "../../core/ask/query/summary.ts";
import { writeAnswer } from "../../core/ask/query/write-answer.ts";
import { type AnswerSettings, refuse, type WrittenAnswer } from "../../core/ask/query/answer-context.ts";
import { noDataBefore } from "../../core/ask/reader/refusal/details.ts";
import { ENTITY_TYPES, type NamedSubject } from "../../core/ask/query/subjects.ts";
import type { Day, Window } from "../../core/health/model.ts";
import type { RateSettings } from "../../core/rates.ts";
import { selectFreshness } from "../../db/ask/freshness.ts";
import { addQueries } from "../../db/ask/query/compile.ts";
import type { Lookups } from "../../db/ask/query/compiler-types.ts";
import type { Named } from "../../db/ask/query/lookups.ts";
import type { Batch } from "../../db/client/batch.ts";
import { DatabaseUnavailable } from "../../db/client/faults.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";

/** How a question named its subject; `hint` if the request has its id in a field of its own. */
export const MATCHES = ["hint", "internal_id", "external_id", "name", "folded", "part", "fuzzy"] as const;
export type MatchedBy = (typeof MATCHES)[number];

/** An account, user or feature that a question or a query names. */
export interface FoundSubject extends Named {
  matchedBy: MatchedBy;
}

/** A query, also in plain English. */
export interface RestatedQuery {
  query: Query;
  restated: string;
}

/** A question that may be meant. */
export interface Option extends RestatedQuery {
  /** The words of the asked question that it leaves out, as typed. */
  leftOut?: readonly string[];
}

/** The answer to a question or a query, or the reason for not answering. */
export interface Answer {
  written: WrittenAnswer;
  /** The understood query; `null` if no query was understood. */
  asked: RestatedQuery | null;
  /** The account, user or feature that the query is about, if it is exactly one. */
  subject: FoundSubject | null;
  /** The days that were counted; `null` if no window applies. */
  window: Window | null;
  freshness: Freshness;
  /** The possible meanings of a question without an answer. */
  options?: readonly Option[];
  candidates?: readonly Entity[];
  /** A similar question that has an answer. */
  nearestAnswerable?: RestatedQuery;
  /** The query that was sent with a question, as it was before, and whether the question is a follow-up to it. */
  previous?: RestatedQuery & { isUsed: boolean };
  /** The words of a question without an answer that have no meaning, as typed. */
  unknownWords?: readonly string[];
}

/** A workspace, with its rates if it has some. */
export type AskedWorkspace = WorkspaceRef & Partial<RateSettings>;

/** The results of the first round trip. */
export interface LookedUp extends Lookups {
  find: (subject: NamedSubject) => FoundSubject | undefined;
  freshness: Freshness;
  historyFrom: Day;
}

const TOO_MANY_ROWS = "The query would read too much data. Ask about fewer days, or name the accounts or users.";
const BEHIND = "More messages wait to be processed than an answer can count. Ask again in a few minutes.";

/**
 * @param batch follows the one that found what is known
 * @param query checked; the workspace has everything that it names
 */
export async function runQuery(batch: Batch, query: Query, known: LookedUp): Promise<Answer> {
  const { today, historyFrom, freshness } = known;
  const isTooEarly = isBeforeRecords(query, today, freshness.firstDay ?? historyFrom);
  const refused = isTooEarly
    ? refuse("no_data_in_window", noDataBefore(freshness.firstDay ?? historyFrom))
    : refuseWithoutHistory(query, today, freshness.firstDay);
  if (refused !== null) return { ...understood(query, known), written: refused };
  const parts = query.show === "summary" ? summaryQueries(query, today) : [query];
  const isCounted = parts.some(countsDays);
  const behind = refuse("stale_data", BEHIND);
  if (isCounted && freshness.isBehind) return { ...understood(query, known), written: behind };
  const readResults = addQueries(batch, parts, known);
  const readFreshness = selectFreshness(batch, historyFrom);
  try {
    await batch.run();
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable) || error.kind !== "too_many_rows") throw error;
    return { ...understood(query, known), written: refuse("too_many_rows", TOO_MANY_ROWS) };
  }
  const results = readResults();
  const [result] = results;
  if (result === undefined) throw new Error("A query has no part.");
  const answer = { ...understood(query, known), window: result.window, freshness: readFreshness() };
  if (isCounted && answer.freshness.isBehind) return { ...answer, written: behind };
  const settings = settingsOf(known);
  return {
    ...answer,
    written: query.show === "summary" ? writeSummary(query, results, settings) : writeAnswer(query, result, settings),
  };
}

/** Returns the names and settings that answers are written with. */
export const settingsOf = ({
  dimensions,
  find,
  now,
  today,
  freshness,
  historyFrom,
  rates,
}: LookedUp): AnswerSettings => ({
  dimensions,
  nameOf: (type, name) => (type === "feature" ? name : (find({ type, name })?.entity.name ?? null)),
  today,
  now,
  firstDay: freshness.firstDay,
  rates,
  historyFrom,
});

/** Restates a query, and finds its subject. */
export function understood(given: Query, known: LookedUp): Omit<Answer, "written"> {
  const query = withOpenItems(given);
  const [only, ...others] = query.where.flatMap(({ dimension, is }): NamedSubject[] => {
    const type = ENTITY_TYPES.get(dimension);
    return type === undefined || is === undefined ? [] : [{ type, name: String(is) }];
  });
  return {
    asked: { query, restated: restate(query, settingsOf(known)) },
    subject: (only !== undefined && others.length === 0 && known.find(only)) || null,
    window: null,
    freshness: known.freshness,
  };
}
