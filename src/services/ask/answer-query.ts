/** Answers a query in two round trips: the first looks up its names and dimensions, the second runs it. */
import { historyFrom } from "../../config.ts";
import { checkQuery, type QueryIssue } from "../../core/ask/query/check.ts";
import { unlikeWindows } from "../../core/ask/query/compared-windows.ts";
import type { Dimension } from "../../core/ask/query/dimensions.ts";
import type { Query } from "../../core/ask/query/model.ts";
import { refuse, type WrittenAnswer } from "../../core/ask/query/answer-context.ts";
import { type NamedSubject, namedSubjects } from "../../core/ask/query/subjects.ts";
import { DAY_MS } from "../../core/durations.ts";
import { ratesOf } from "../../core/rates.ts";
import { selectFreshness } from "../../db/ask/freshness.ts";
import { selectNamed } from "../../db/ask/query/lookups.ts";
import { selectDimensions } from "../../db/ask/query/dimension-values.ts";
import { newBatch } from "../../db/client/batch.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import { type Answer, type AskedWorkspace, type LookedUp, runQuery, understood } from "./run-query.ts";

export interface Issues {
  issues: QueryIssue[];
}

/** @returns the issues of a query that the workspace's dimensions don't allow */
export async function answerQuery(
  env: Env,
  workspace: AskedWorkspace,
  query: Query,
  now: number,
): Promise<Answer | Issues> {
  const batch = newBatch(env, workspace);
  const readDimensions = selectDimensions(batch);
  const readNamed = selectNamed(batch, namedSubjects(query));
  const keptFrom = historyFrom(env, now);
  const readFreshness = selectFreshness(batch, keptFrom);
  await batch.run();
  const findNamed = readNamed();
  const known: LookedUp = {
    dimensions: readDimensions(),
    find(subject) {
      const named = findNamed(subject);
      const isInternal = subject.type !== "feature" && named?.entity.id === subject.name;
      return named && { ...named, matchedBy: isInternal ? "internal_id" : "external_id" };
    },
    now,
    today: Math.floor(now / DAY_MS),
    freshness: readFreshness(),
    rates: ratesOf(workspace),
    historyFrom: keptFrom,
  };
  const unlike = unlikeWindows(query, known.today);
  const issues = checkQuery(query, known.dimensions);
  if (unlike !== null) issues.push({ path: "compare.to", message: unlike });
  if (issues.length > 0) return { issues };
  const unknown = namedSubjects(query).find((subject) => known.find(subject) === undefined);
  if (unknown === undefined) return runQuery(batch.next(), query, known);
  return { ...understood(query, known), written: refuseUnknown(unknown) };
}

/** Refuses a query that names what the workspace doesn't have. */
export const refuseUnknown = ({ type, name }: NamedSubject): WrittenAnswer =>
  type === "feature"
    ? refuse("no_such_event", `There is no event called "${name}".`)
    : refuse("no_such_subject", `There is no ${type} called "${name}".`);

export async function listDimensions(env: Env, workspace: WorkspaceRef): Promise<Dimension[]> {
  const batch = newBatch(env, workspace);
  const readDimensions = selectDimensions(batch);
  await batch.run();
  return readDimensions();
}
