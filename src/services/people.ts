/**
 * Registers the people who sign in by single sign-on, and creates the named tokens of administrators. The audit log names
 * both by their ids.
 */
import { ADMIN_TOKEN_PREFIX, isWellFormedApiKey, newApiKey } from "../core/api-key.ts";
import type { Actor, AuditAction, AuditEntry } from "../core/audit.ts";
import { hex } from "../core/hex.ts";
import { typedKeys } from "../core/typed-keys.ts";
import * as stored from "../db/people/people.ts";
import type { AdminToken, Person, PersonChange } from "../db/people/people.ts";
import { listAmong } from "../db/workspaces/list-workspaces.ts";
import { countFailedLookup } from "../limiter/check-client-limit.ts";
import type { Call } from "./call.ts";
import { randomId } from "./random-id.ts";

const entryOf = (actor: Actor, action: AuditAction, details: Record<string, unknown>): AuditEntry => ({
  workspace: null,
  actor,
  action,
  details,
});

/** @returns the place of the first of these ids that is no open workspace's; -1 without one */
export async function findUnknownWorkspace(env: Env, ids: readonly string[] | null | undefined): Promise<number> {
  if (ids == null || ids.length === 0) return -1;
  const open = new Set((await listAmong(env, ids, ids.length, null)).map(({ id }) => id));
  return ids.findIndex((id) => !open.has(id));
}

/** @param fields `email` in lower case. @returns `null` when a person has this address */
export async function addPerson(
  env: Env,
  fields: Pick<Person, "email" | "role" | "workspaces">,
  now: number,
  actor: Actor,
): Promise<Person | null> {
  const person = { ...fields, id: randomId("person"), createdAt: now };
  const { id: personId, role, workspaces } = person;
  const entry = entryOf(actor, "person_added", { personId, role, workspaces: workspaces ?? "all" });
  return (await stored.insertInto(env, "people", person, entry)) ? person : null;
}

/** Changes the fields that are given. @returns `null` for an unknown person */
export async function changePerson(env: Env, personId: string, change: PersonChange, actor: Actor) {
  const person = await stored.findPerson(env, personId);
  if (person === null) return null;
  const changed = typedKeys(change).filter(
    (key) => change[key] !== undefined && JSON.stringify(change[key]) !== JSON.stringify(person[key]),
  );
  if (changed.length === 0) return person;
  const values = Object.fromEntries(changed.map((key) => [key, change[key] ?? "all"]));
  return stored.updatePerson(env, personId, change, entryOf(actor, "person_changed", { personId, ...values }));
}

/** The person's next request is refused. @returns false for an unknown person */
export const removePerson = (env: Env, personId: string, actor: Actor): Promise<boolean> =>
  stored.deleteFrom(env, "people", personId, entryOf(actor, "person_removed", { personId }));

const hashOf = async (token: string): Promise<string> =>
  hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token))));

/**
 * Creates a token. Its text can't be recovered from the record.
 * @param fields an `id` creates the token at most once
 * @returns `null` when a token has this id
 */
export async function createAdminToken(
  env: Env,
  { id = randomId("token"), name, readOnly }: { id?: string; name: string; readOnly: boolean },
  now: number,
  actor: Actor,
): Promise<{ token: string; record: AdminToken } | null> {
  const token = newApiKey((count) => crypto.getRandomValues(new Uint8Array(count)), ADMIN_TOKEN_PREFIX);
  const secret = { hash: await hashOf(token), lastFour: token.slice(-4) };
  const record = { ...secret, id, name, readOnly, createdAt: now, lastUsedDay: null };
  const entry = entryOf(actor, "admin_token_created", { tokenId: id, readOnly });
  return (await stored.insertInto(env, "tokens", record, entry)) ? { token, record } : null;
}

/**
 * Finds a token by its text; `null` when it is malformed, unknown or deleted.
 * @throws TooManyRequests when the client's network has sent too many unknown ones
 */
export async function findAdminToken({ env, clientAddress }: Call, text: string): Promise<AdminToken | null> {
  if (!isWellFormedApiKey(text, ADMIN_TOKEN_PREFIX)) return null;
  return countFailedLookup(env, clientAddress, async () => stored.findAdminToken(env, await hashOf(text)));
}

/** @returns false for an unknown token */
export const deleteAdminToken = (env: Env, tokenId: string, actor: Actor): Promise<boolean> =>
  stored.deleteFrom(env, "tokens", tokenId, entryOf(actor, "admin_token_deleted", { tokenId }));
