/** One attempt at a write operation while something fails, and all that can be seen of it. */
import { env } from "cloudflare:workers";

import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { type KnownUser, knownUserCache } from "../../../src/db/ingest/known-users.ts";
import { storedState } from "../db/stored-state.ts";
import {
  type IdentifiedWorkspace,
  jsonBearer,
  newIdentifiedWorkspace,
  storedTraits,
} from "../identity/identified-workspace.ts";
import { databaseWith, envWith, limiterWith, sendWith, type Trip } from "../support/faulty-env.ts";
import { initOf, type WriteOperation } from "./write-operations.ts";

export const LIMIT = 100;
/** Charged by what makes the workspace. */
const USED_BEFORE = 1;

export const unharmed: Trip = (run) => run();

/** With acme and its user u1, the agreement, and a key that the isolate knows: one place of the limit is used. */
export async function newFaultyWorkspace(): Promise<IdentifiedWorkspace> {
  const workspace = await newIdentifiedWorkspace({ writeLimit: LIMIT });
  await sendWith(envWith({}), "GET", "/api/v1/users/u1", undefined, jsonBearer(workspace.key));
  // As if this isolate had stored a track of theirs, so that the short path is tested too.
  const ref = await workspace.ref();
  knownUserCache.set(ref, { userId: "u1", accountId: "acme" }, await knownUserOf(ref));
  return workspace;
}

async function knownUserOf({ number }: WorkspaceRef): Promise<KnownUser> {
  const numbered = (table: "accounts" | "users", externalId: string) =>
    env.DB.prepare(`SELECT number, id FROM ${table} WHERE workspace = ? AND external_id = ?`)
      .bind(number, externalId)
      .first<{ number: number; id: string }>();
  const [account, user] = await Promise.all([numbered("accounts", "acme"), numbered("users", "u1")]);
  if (account === null || user === null) throw new Error("acme and its user are not stored");
  return {
    account: { id: account.id, externalId: "acme" },
    user: { id: user.id, externalId: "u1" },
    accountNumber: account.number,
    userNumber: user.number,
  };
}

export interface Faults {
  database?: Trip;
  object?: Trip;
}

/** Sends it once; `trips` to the database and `calls` of the object are counted. */
export async function attempt(
  { key }: IdentifiedWorkspace,
  operation: WriteOperation,
  { database = unharmed, object = unharmed }: Faults = {},
) {
  const { DB, trips } = databaseWith(database);
  const { WRITE_LIMITER, calls } = limiterWith(object);
  const changed = envWith({ DB, WRITE_LIMITER });
  const answer = await sendWith(changed, "POST", operation.path, operation.body, initOf(operation, key));
  return { ...answer, trips: trips(), calls: calls() };
}

/** Places that the workspace's requests have used. What asks is refused, so it is charged nothing. */
export async function charged({ id }: IdentifiedWorkspace): Promise<number> {
  const asked = await env.WRITE_LIMITER.getByName(id).consume({ keyId: "of nobody", cost: LIMIT });
  if (asked.outcome !== "refused") throw new Error("what is charged is more than nothing");
  return LIMIT - asked.left - USED_BEFORE;
}

const MADE_ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Every row of the workspace, with ids that the service made told as such: to be compared with another workspace's. */
export async function stateOf(workspace: IdentifiedWorkspace): Promise<unknown> {
  const state = { ...(await storedState(await workspace.ref())), identity: await storedTraits(workspace) };
  return JSON.parse(JSON.stringify(state).replaceAll(MADE_ID, "made"));
}

export interface States {
  before: unknown;
  once: unknown;
  twice: unknown;
}

/** What a workspace holds in which nothing failed: before the operation, after it, and after the same once more. */
export async function statesOf(operation: WriteOperation): Promise<States> {
  const workspace = await newFaultyWorkspace();
  const before = await stateOf(workspace);
  await attempt(workspace, operation);
  const once = await stateOf(workspace);
  await attempt(workspace, operation);
  return { before, once, twice: await stateOf(workspace) };
}
