/** Answers a query in two round trips: what it names and by which dimensions, then what it asks for. */
import { checkQuery, type Issue } from "../../core/ask/query/check.ts";
import type { Dimension } from "../../core/ask/query/dimensions.ts";
import type { Query } from "../../core/ask/query/model.ts";
import { refuse } from "../../core/ask/query/telling.ts";
import { DAY_MS } from "../../core/durations.ts";
import { selectFreshness } from "../../db/ask/freshness.ts";
import { namedIn, selectNamed } from "../../db/ask/query/lookups.ts";
import { selectDimensions } from "../../db/ask/query/read-dimensions.ts";
import { newBatch } from "../../db/client/batch.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import { type Answered, type Known, runQuery, understood } from "./run-query.ts";

/** @returns the issues of a query that the workspace's dimensions don't allow */
export async function answerQuery(
  env: Env,
  workspace: WorkspaceRef,
  query: Query,
  now: number,
): Promise<Answered | { issues: Issue[] }> {
  const named = namedIn(query);
  const batch = newBatch(env, workspace);
  const [readDimensions, readNamed] = [selectDimensions(batch), selectNamed(batch, named)];
  const readFreshness = selectFreshness(batch);
  await batch.run();
  const dimensions = readDimensions();
  const issues = checkQuery(query, dimensions);
  if (issues.length > 0) return { issues };

  const find = readNamed();
  const known: Known = {
    dimensions,
    find,
    matchOf: (subject) =>
      subject.type !== "feature" && find(subject)?.entity.id === subject.name ? "internal_id" : "external_id",
    now,
    today: Math.floor(now / DAY_MS),
  };
  const unknown = named.find((subject) => find(subject) === undefined);
  if (unknown === undefined) return runQuery(env, workspace, query, known);
  const { type, name } = unknown;
  const told =
    type === "feature"
      ? refuse("no_such_event", `There is no event called "${name}".`)
      : refuse("no_such_subject", `There is no ${type} called "${name}".`);
  return { ...understood(query, known), told, window: null, freshness: readFreshness() };
}

/** Lists the dimensions of a workspace. */
export async function listDimensions(env: Env, workspace: WorkspaceRef): Promise<Dimension[]> {
  const batch = newBatch(env, workspace);
  const readDimensions = selectDimensions(batch);
  await batch.run();
  return readDimensions();
}
