/** The people who sign in to the console by single sign-on, and the named tokens of administrators. Both are in the directory. */
import { desc, eq, lt, sql } from "drizzle-orm";

import type { AuditEntry } from "../../core/audit.ts";
import { changeAudited } from "../audit/audit-log.ts";
import { directory } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { adminTokens, people } from "../schema/schema.ts";

export type Person = typeof people.$inferSelect;
export type AdminToken = typeof adminTokens.$inferSelect;
export type PersonChange = { [Field in "role" | "workspaces"]?: Person[Field] | undefined };

/** Lists people by their rows' numbers, the newest first. */
export function listPeople(env: Env, limit: number, before: number | null) {
  const number = sql<number>`"people"."rowid"`;
  const { id, email, role, workspaces, createdAt } = people;
  const columns = { id, email, role, workspaces, createdAt, number: number.as("number") };
  const query = directory(env)
    .select(columns)
    .from(people)
    .where(before === null ? undefined : lt(number, before));
  return withRetry(() => query.orderBy(desc(number)).limit(limit));
}

export async function findPerson(env: Env, id: string): Promise<Person | null> {
  const [row] = await withRetry(() => directory(env).select().from(people).where(eq(people.id, id)));
  return row ?? null;
}

/** @returns `null` when the person was removed */
export async function updatePerson(env: Env, id: string, change: PersonChange, audit: AuditEntry) {
  const update = directory(env).update(people).set(change).where(eq(people.id, id)).returning();
  const [row] = await changeAudited(env, update, audit);
  return row ?? null;
}

export const listAdminTokens = (env: Env): Promise<AdminToken[]> =>
  withRetry(() => directory(env).select().from(adminTokens).orderBy(desc(adminTokens.createdAt), adminTokens.id));

/** @param hash SHA-256 of the token, in hex */
export async function findAdminToken(env: Env, hash: string): Promise<AdminToken | null> {
  const [row] = await withRetry(() => directory(env).select().from(adminTokens).where(eq(adminTokens.hash, hash)));
  return row ?? null;
}

/** @param day since the epoch, UTC */
export async function markTokenUsed(env: Env, id: string, day: number): Promise<void> {
  await withRetry(() => directory(env).update(adminTokens).set({ lastUsedDay: day }).where(eq(adminTokens.id, id)));
}

const TABLES = { people, tokens: adminTokens };

/** @returns false when another row has this id or address */
export async function insertInto<Name extends keyof typeof TABLES>(
  env: Env,
  name: Name,
  row: (typeof TABLES)[Name]["$inferSelect"],
  audit: AuditEntry,
): Promise<boolean> {
  const insertion = directory(env).insert(TABLES[name]).values(row).onConflictDoNothing();
  return (await changeAudited(env, insertion, audit)).meta.changes > 0;
}

/** @returns false for an unknown id */
export async function deleteFrom(env: Env, name: keyof typeof TABLES, id: string, audit: AuditEntry): Promise<boolean> {
  const deletion = directory(env).delete(TABLES[name]).where(eq(TABLES[name].id, id));
  return (await changeAudited(env, deletion, audit)).meta.changes > 0;
}
