/**
 * Erases a person. The mark comes first, in one transaction: the external id gives way to an opaque one, so that nothing
 * that is sent or asked names the user any more, and what is found by an index goes at once. The properties of the
 * user's events lie in a log that has no index on users, on purpose: the log is walked in steps, each of which says how
 * far it came. So an erasure that was cut short goes on where it stopped, with the next one of the workspace or the cron.
 *
 * Whoever walks goes on with the erasure that has come farthest, and takes along those that have come as far. So callers
 * share the work instead of each doing all of it, and one that has begun is never held up by those that come after it.
 *
 * What is counted and concluded stays: rollups and outcomes know users by number alone.
 */
import { allDatabases, databaseOf } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import type { KeyGrant } from "../workspaces/api-keys.ts";
import { CLOSING, KEY_IS_GOOD, LIST_PENDING, MARKING, WALKING, WALKING_OF } from "./erase-user-statements.ts";

export type UserErasure =
  /** Whether or not there was such a user. */
  | "erased"
  /** The id names nobody any more, but the log is too long to be walked in one call: call again, or leave it to the cron. */
  | "under_way"
  /** The key was revoked, or the workspace erased, since the key was looked up. Nothing was erased. */
  | "key_gone";

type Row = Record<string, number>;

/** A request, and a run of the cron, walks over two million messages at most: some ten seconds. */
const MAX_STEPS = 100;

/**
 * Erases the user with this external or internal id, if there is one, and comes to the end of the workspace's earlier
 * erasures. May be repeated.
 * @param maxSteps of the walk
 * @throws DatabaseUnavailable when D1 did not answer: then the rest is done later
 */
export async function eraseUser(
  env: Env,
  { keyId, workspace }: KeyGrant,
  id: string,
  maxSteps = MAX_STEPS,
): Promise<UserErasure> {
  const { $client } = databaseOf(env, workspace);
  const results = await withRetry(() =>
    $client.batch<Row>([
      ...MARKING.asked.map((sql) => $client.prepare(sql).bind(workspace.number, id, keyId)),
      ...MARKING.own.map((sql) => $client.prepare(sql).bind(workspace.number)),
      $client.prepare(LIST_PENDING).bind(workspace.number),
      $client.prepare(KEY_IS_GOOD).bind(workspace.number, keyId),
    ]),
  );
  if (results.at(-1)?.results.length === 0) return "key_gone";
  const users = (results.at(-2)?.results ?? []).flatMap(({ user }) => user ?? []);
  const steps = await finish($client, workspace.number, users, maxSteps);
  return steps === null ? "under_way" : "erased";
}

/**
 * Goes on with the erasures that were cut short, of all workspaces. One that fails leaves the others alone.
 * @throws the first failure, once all others had their turn
 */
export async function finishUserErasures(env: Env, maxSteps = MAX_STEPS): Promise<void> {
  const failures: unknown[] = [];
  let left = maxSteps;
  for (const { $client } of allDatabases(env)) {
    const listing = $client.prepare("SELECT workspace, user FROM user_erasures");
    const { results } = await withRetry(() => listing.all<{ workspace: number; user: number }>());
    for (const [workspace, pending] of Map.groupBy(results, (row) => row.workspace)) {
      const users = pending.map(({ user }) => user);
      try {
        left -= (await finish($client, workspace, users, left)) ?? left;
      } catch (error) {
        failures.push(error);
      }
    }
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Walks the log until it was walked for these users, then takes away what a fold or a repeated ingest transaction has
 * put back meanwhile.
 * @returns the steps it took; `null` where there were more to take
 */
async function finish(
  client: D1Database,
  workspace: number,
  users: readonly number[],
  maxSteps: number,
): Promise<number | null> {
  if (users.length === 0) return 0;
  const walking = client.prepare(WALKING_OF).bind(workspace, JSON.stringify(users));
  const run = (sqls: readonly string[]) =>
    withRetry(() => client.batch<Row>([...sqls.map((sql) => client.prepare(sql).bind(workspace)), walking]));
  for (let steps = 0; steps < maxSteps; steps += 1) {
    const results = await run(WALKING);
    if (results.at(-1)?.results.length === 0) {
      await run(CLOSING);
      return steps + 1;
    }
  }
  return null;
}
