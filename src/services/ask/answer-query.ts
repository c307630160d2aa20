/** Answers a query in two round trips: the first looks up its names and dimensions, the second runs it. */
import { checkQuery, type Issue } from "../../core/ask/query/check.ts";
import type { Dimension } from "../../core/ask/query/dimensions.ts";
import type { Query } from "../../core/ask/query/model.ts";
import { refuse } from "../../core/ask/query/answer-context.ts";
import { namedIn } from "../../core/ask/query/subjects.ts";
import { DAY_MS } from "../../core/durations.ts";
import { selectFreshness } from "../../db/ask/freshness.ts";
import { selectNamed } from "../../db/ask/query/lookups.ts";
import { selectDimensions } from "../../db/ask/query/read-dimensions.ts";
import { type Batch, newBatch } from "../../db/client/batch.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import { type Opener, openingBatch } from "../../db/workspaces/open-workspace-sql.ts";
import { type Answer, type LookedUp, type Opened, runQuery, understood } from "./run-query.ts";

export interface Issues {
  issues: Issue[];
}

/** @returns the issues of a query that the workspace's dimensions don't allow */
export async function answerQuery(
  env: Env,
  workspace: WorkspaceRef,
  query: Query,
  now: number,
): Promise<Answer | Issues> {
  const batch = newBatch(env, workspace);
  const readKnown = addLookups(batch, query, now);
  await batch.run();
  return answerChecked(env, workspace, query, readKnown());
}

/**
 * Answers a query, and opens the workspace in the first round trip.
 * @returns `null` if the opener opens no workspace
 */
export async function openForQuery(
  env: Env,
  opener: Opener,
  query: Query,
  now: number,
): Promise<Opened<Answer | Issues> | null> {
  const { batch, readOpened } = openingBatch(env, opener);
  const readKnown = addLookups(batch, query, now);
  await batch.run();
  const workspace = readOpened();
  return workspace && { workspace, answer: () => answerChecked(env, workspace, query, readKnown()) };
}

/** Looks up the names in a query, and the workspace's dimensions. */
function addLookups(batch: Batch, query: Query, now: number): () => LookedUp {
  const readDimensions = selectDimensions(batch);
  const readNamed = selectNamed(batch, namedIn(query));
  const readFreshness = selectFreshness(batch);
  return () => {
    const find = readNamed();
    const known: LookedUp = {
      dimensions: readDimensions(),
      find,
      matchOf: (subject) =>
        subject.type !== "feature" && find(subject)?.entity.id === subject.name ? "internal_id" : "external_id",
      now,
      today: Math.floor(now / DAY_MS),
      freshness: readFreshness(),
    };
    return known;
  };
}

async function answerChecked(
  env: Env,
  workspace: WorkspaceRef,
  query: Query,
  known: LookedUp,
): Promise<Answer | Issues> {
  const issues = checkQuery(query, known.dimensions);
  if (issues.length > 0) return { issues };
  const unknown = namedIn(query).find((subject) => known.find(subject) === undefined);
  if (unknown === undefined) return runQuery(env, workspace, query, known);
  const { type, name } = unknown;
  const written =
    type === "feature"
      ? refuse("no_such_event", `There is no event called "${name}".`)
      : refuse("no_such_subject", `There is no ${type} called "${name}".`);
  return { ...understood(query, known), written, window: null, freshness: known.freshness };
}

export async function listDimensions(env: Env, workspace: WorkspaceRef): Promise<Dimension[]> {
  const batch = newBatch(env, workspace);
  const readDimensions = selectDimensions(batch);
  await batch.run();
  return readDimensions();
}
