/**
 * The audit log, in the directory. A change of the directory writes its row in the same transaction. Every other change
 * writes it first: an interruption may then leave a row without its change, but never a change without its row. Part of it
 * is SQL text, because it joins transactions of SQL text.
 */
import { and, desc, eq, getTableColumns, lt, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";

import type { AuditEntry } from "../../core/audit.ts";
import { DAY_MS } from "../../core/durations.ts";
import { columnsOf } from "../client/columns-of.ts";
import { type Database, directory } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { prepare } from "../client/prepare.ts";
import type { Statement } from "../client/statement.ts";
import { auditLog, people } from "../schema/schema.ts";

export const AUDIT_RETENTION_DAYS = 400;

export type AuditRow = typeof auditLog.$inferSelect;
/** With the address of the person who made the change, while the person is registered. */
export type ListedAuditRow = AuditRow & { email: string | null };

/** Records what is about to happen outside of the directory. @returns the row's number */
export async function recordAudit(env: Env, { details = {}, ...entry }: AuditEntry): Promise<number> {
  const insertion = directory(env)
    .insert(auditLog)
    .values({ ...entry, details, at: Date.now() });
  const [row] = await withRetry(() => insertion.returning({ number: auditLog.number }));
  if (row === undefined) throw new Error("the audit log returned no row");
  return row.number;
}

/** Replaces the details of a row, once the outcome is known. */
export async function completeAudit(env: Env, number: number, details: AuditRow["details"]): Promise<void> {
  await withRetry(() => directory(env).update(auditLog).set({ details }).where(eq(auditLog.number, number)));
}

const valuesOf = (entry: AuditEntry | null) => ({
  workspace: entry?.workspace ?? null,
  at: Date.now(),
  actor: entry?.actor ?? null,
  action: entry?.action ?? null,
  details: JSON.stringify(entry?.details ?? {}),
});

/** Inserts a row if the statement before it in the transaction changed one. Without an entry, it inserts nothing. */
const insertIfChanged = (db: Database, entry: AuditEntry | null) => {
  const { workspace, at, actor, action, details } = valuesOf(entry);
  return db.insert(auditLog).select(sql`SELECT NULL, ${workspace}, ${at}, ${actor}, ${action}, ${details}
    WHERE ${action} IS NOT NULL AND changes() > 0`);
};

const row = columnsOf(auditLog);
/** SQL text, for transactions that are. */
const INSERT_IF_CHANGED = prepare(`
INSERT INTO ${row.table} (${row.workspace}, ${row.at}, ${row.actor}, ${row.action}, ${row.details})
SELECT :workspace, :at, :actor, :action, :details WHERE :action IS NOT NULL AND changes() > 0`);

export const auditStatement = (entry: AuditEntry | null): Statement => INSERT_IF_CHANGED.bind(valuesOf(entry));

/** Changes the directory and records it, in one transaction. A retry may record it twice. @returns the change's result */
export async function changeAudited<Change extends BatchItem<"sqlite">>(
  env: Env,
  change: Change,
  entry: AuditEntry | null,
): Promise<Change["_"]["result"]> {
  const db = directory(env);
  const [result] = await withRetry(() => db.batch([change, insertIfChanged(db, entry)]));
  return result;
}

/** Lists rows, newest first. @param workspace an id; undefined for the rows of all workspaces and of the deployment */
export function listAudit(
  env: Env,
  { workspace, limit, before }: { workspace?: string | undefined; limit: number; before: number | null },
): Promise<ListedAuditRow[]> {
  const named = workspace === undefined ? undefined : eq(auditLog.workspace, workspace);
  const older = before === null ? undefined : lt(auditLog.number, before);
  const byPerson = eq(people.id, sql`substr(${auditLog.actor}, length('console:') + 1)`);
  const query = directory(env)
    .select({ ...getTableColumns(auditLog), email: people.email })
    .from(auditLog)
    .leftJoin(people, byPerson)
    .where(and(named, older));
  return withRetry(() => query.orderBy(desc(auditLog.number)).limit(limit));
}

/** Deletes rows past their retention. */
export async function purgeAudit(env: Env, now: number): Promise<void> {
  const expired = lt(auditLog.at, now - AUDIT_RETENTION_DAYS * DAY_MS);
  await withRetry(() => directory(env).delete(auditLog).where(expired));
}
