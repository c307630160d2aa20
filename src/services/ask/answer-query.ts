/** Answers a query in two round trips: what it names and by which dimensions, then what it asks for. */
import { checkQuery, type Issue } from "../../core/ask/query/check.ts";
import type { Dimension } from "../../core/ask/query/dimensions.ts";
import type { Freshness } from "../../core/ask/model.ts";
import type { Query } from "../../core/ask/query/model.ts";
import { restate } from "../../core/ask/query/restate.ts";
import type { Entity } from "../../core/ask/query/result.ts";
import { summaryQueries, tellSummary } from "../../core/ask/query/summary.ts";
import { tell } from "../../core/ask/query/tell.ts";
import { refuse, type Told } from "../../core/ask/query/telling.ts";
import { DAY_MS } from "../../core/durations.ts";
import type { Window } from "../../core/health/model.ts";
import { selectFreshness } from "../../db/ask/freshness.ts";
import { addQuery } from "../../db/ask/query/compile.ts";
import { namedIn, type NamedSubject, selectNamed, spellingsOf } from "../../db/ask/query/lookups.ts";
import { selectDimensions } from "../../db/ask/query/read-dimensions.ts";
import { newBatch } from "../../db/client/batch.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";

export interface AnsweredQuery {
  told: Told;
  /** The query in plain English. */
  restated: string;
  /** The account, user or feature that the query is about, if it is about one. */
  subject: Entity | null;
  /** The days that were counted; `null` for none. */
  window: Window | null;
  freshness: Freshness;
}

/** @returns the issues of a query that the workspace's dimensions don't allow */
export async function answerQuery(
  env: Env,
  workspace: WorkspaceRef,
  query: Query,
  now: number,
): Promise<AnsweredQuery | { issues: Issue[] }> {
  const named = namedIn(query);
  const first = newBatch(env, workspace);
  const [readDimensions, readNamed] = [selectDimensions(first), selectNamed(first, named)];
  const readFirstFreshness = selectFreshness(first);
  await first.run();
  const dimensions = readDimensions();
  const issues = checkQuery(query, dimensions);
  if (issues.length > 0) return { issues };

  const find = readNamed();
  const telling = {
    dimensions,
    nameOf: (type: NamedSubject["type"], name: string) => find({ type, name })?.entity.name ?? null,
    today: Math.floor(now / DAY_MS),
    now,
  };
  const subjects = query.where.flatMap(({ dimension, is }) =>
    named.filter(({ type, name }) => name === is && (type === dimension || dimension === "event")),
  );
  const common = {
    restated: restate(query, telling),
    subject: (subjects.length === 1 && subjects[0] !== undefined && find(subjects[0])?.entity) || null,
  };
  const unknown = named.find((subject) => find(subject) === undefined);
  if (unknown !== undefined) return { ...common, told: noSuch(unknown), window: null, freshness: readFirstFreshness() };

  const second = newBatch(env, workspace);
  const lookups = {
    today: telling.today,
    now,
    numberOf: (type: "account" | "user", name: string) => find({ type, name })?.number ?? 0,
    spellingsOf,
  };
  const parts = query.show === "summary" ? summaryQueries(query) : [query];
  const readParts = parts.map((part) => addQuery(second, part, dimensions, lookups));
  const readFreshness = selectFreshness(second);
  await second.run();
  const results = readParts.map((read) => read());
  const [result] = results;
  if (result === undefined) throw new Error("A query has no part.");
  const freshness = readFreshness();
  const { window } = result;
  if (freshness.isBehind && results.some((each) => each.window !== null))
    return { ...common, told: refuse("stale_data", BEHIND), window, freshness };
  const told = query.show === "summary" ? tellSummary(query, results, telling) : tell(query, result, telling);
  return { ...common, told, window, freshness };
}

const BEHIND = "More messages wait to be processed than an answer can count. Ask again in a few minutes.";

const noSuch = ({ type, name }: NamedSubject): Told =>
  type === "feature"
    ? refuse("no_such_event", `There is no event called "${name}".`)
    : refuse("no_such_subject", `There is no ${type} called "${name}".`);

/** Lists the dimensions of a workspace. */
export async function listDimensions(env: Env, workspace: WorkspaceRef): Promise<Dimension[]> {
  const batch = newBatch(env, workspace);
  const readDimensions = selectDimensions(batch);
  await batch.run();
  return readDimensions();
}
