/** The people who sign in to the console by single sign-on. They are in the directory. */
import { desc, eq, lt, sql } from "drizzle-orm";

import type { AuditEntry } from "../../core/audit.ts";
import { changeAudited } from "../audit/audit-log.ts";
import { directory } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { people } from "../schema/schema.ts";

export type Person = typeof people.$inferSelect;
export type PersonChange = { [Field in "role" | "workspaces"]?: Person[Field] | undefined };

/** Rows are listed by it, the newest first. */
const number = sql<number>`"people"."rowid"`.as("number");

export function listPeople(env: Env, limit: number, before: number | null) {
  const { id, email, role, workspaces, createdAt } = people;
  const query = directory(env).select({ id, email, role, workspaces, createdAt, number }).from(people);
  const older = before === null ? undefined : lt(sql`"people"."rowid"`, before);
  return withRetry(() =>
    query
      .where(older)
      .orderBy(desc(sql`"people"."rowid"`))
      .limit(limit),
  );
}

export async function findPerson(env: Env, id: string): Promise<Person | null> {
  const [row] = await withRetry(() => directory(env).select().from(people).where(eq(people.id, id)));
  return row ?? null;
}

/** @returns false when a person has this address or id */
export async function insertPerson(env: Env, person: Person, audit: AuditEntry): Promise<boolean> {
  const insertion = directory(env).insert(people).values(person).onConflictDoNothing();
  return (await changeAudited(env, insertion, audit)).meta.changes > 0;
}

/** @returns `null` when the person was removed */
export async function updatePerson(env: Env, id: string, change: PersonChange, audit: AuditEntry) {
  const update = directory(env).update(people).set(change).where(eq(people.id, id)).returning();
  const [row] = await changeAudited(env, update, audit);
  return row ?? null;
}

/** @returns false for an unknown person */
export async function deletePerson(env: Env, id: string, audit: AuditEntry): Promise<boolean> {
  const deletion = directory(env).delete(people).where(eq(people.id, id));
  return (await changeAudited(env, deletion, audit)).meta.changes > 0;
}
