/** One attempt at a write operation during a fault: the response, the stored rows and the charge. */
import { env } from "cloudflare:workers";

import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { type KnownUser, knownUserCache } from "../../../src/db/ingest/known-users.ts";
import { storedState } from "../db/stored-state.ts";
import { jsonBearer, newIdentifiedWorkspace, storedTraits } from "../identity/identified-workspace.ts";
import { databaseWith, envWith, limiterWith, sendWith, type Trip } from "../support/faulty-env.ts";
import type { TestWorkspace } from "../support/workspace.ts";
import { initOf, type WriteOperation } from "./write-operations.ts";

export const LIMIT = 100;
/** Charged while the workspace was created. */
const USED_BEFORE = 1;

export const unharmed: Trip = (run) => run();

/** Creates a workspace with the agreement, the account acme, its user u1 and a cached key. */
export async function newFaultyWorkspace(): Promise<TestWorkspace> {
  const workspace = await newIdentifiedWorkspace({ writeLimit: LIMIT });
  await sendWith(envWith({}), "GET", "/api/v1/users/u1", undefined, jsonBearer(workspace.key));
  // Cached as if this isolate had stored a track of u1, so that the short path is tested too.
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

/** Sends the operation once, and counts round trips to D1 and calls of the object. */
export async function attempt(
  { key }: TestWorkspace,
  operation: WriteOperation,
  { database = unharmed, object = unharmed }: Faults = {},
) {
  const { DB, trips } = databaseWith(database);
  const { WRITE_LIMITER, calls } = limiterWith(object);
  const changed = envWith({ DB, WRITE_LIMITER });
  const answer = await sendWith(changed, "POST", operation.path, operation.body, initOf(operation, key));
  return { ...answer, trips: trips(), calls: calls() };
}

/** Reads the charge of the workspace's requests. The request that asks is refused, so it costs nothing. */
export async function charged({ id }: TestWorkspace): Promise<number> {
  const asked = await env.WRITE_LIMITER.getByName(id).consume({ keyId: "of nobody", cost: LIMIT });
  if (asked.outcome !== "rate_limited") throw new Error("the request was admitted");
  return LIMIT - asked.left - USED_BEFORE;
}

const MADE_ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Reads every row of the workspace, with generated ids replaced, so that workspaces can be compared. */
export async function stateOf(workspace: TestWorkspace): Promise<unknown> {
  const state = { ...(await storedState(await workspace.ref())), identity: await storedTraits(workspace) };
  return JSON.parse(JSON.stringify(state).replaceAll(MADE_ID, "made"));
}

export interface States {
  before: unknown;
  once: unknown;
  twice: unknown;
}

/** Reads a workspace without faults: before the operation, after it, and after a repeat. */
export async function statesOf(operation: WriteOperation): Promise<States> {
  const workspace = await newFaultyWorkspace();
  const before = await stateOf(workspace);
  await attempt(workspace, operation);
  const once = await stateOf(workspace);
  await attempt(workspace, operation);
  return { before, once, twice: await stateOf(workspace) };
}
