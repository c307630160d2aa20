/** Adds, changes and removes the people who sign in by single sign-on, and records it. Rows of the log name a person by id. */
import type { Actor, AuditAction, AuditEntry } from "../core/audit.ts";
import { typedKeys } from "../core/typed-keys.ts";
import { deletePerson, insertPerson, type Person, type PersonChange, updatePerson } from "../db/people/people.ts";
import { randomId } from "./workspaces/api-keys.ts";

type NewPerson = Pick<Person, "email" | "role" | "workspaces">;

const entryOf = (actor: Actor, action: AuditAction, details: AuditEntry["details"]): AuditEntry => ({
  workspace: null,
  actor,
  action,
  details: details ?? {},
});

/** @param fields `email` in lower case. @returns `null` when a person has this address */
export async function addPerson(env: Env, fields: NewPerson, now: number, actor: Actor): Promise<Person | null> {
  const person = { ...fields, id: randomId("person"), createdAt: now };
  const { id: personId, role, workspaces } = person;
  const entry = entryOf(actor, "person_added", { personId, role, workspaces: workspaces ?? "all" });
  return (await insertPerson(env, person, entry)) ? person : null;
}

/** Changes the fields that are given. @returns `null` when the person was removed */
export async function changePerson(
  env: Env,
  person: Person,
  change: PersonChange,
  actor: Actor,
): Promise<Person | null> {
  const changed = typedKeys(change).filter((key) => JSON.stringify(change[key]) !== JSON.stringify(person[key]));
  if (changed.length === 0) return person;
  const values = Object.fromEntries(changed.map((key) => [key, change[key] ?? "all"]));
  return updatePerson(env, person.id, change, entryOf(actor, "person_changed", { personId: person.id, ...values }));
}

/** The person's next request is refused. @returns false for an unknown person */
export const removePerson = (env: Env, personId: string, actor: Actor): Promise<boolean> =>
  deletePerson(env, personId, entryOf(actor, "person_removed", { personId }));
