/**
 * The leases by which the parts of a move exclude each other and the recompute. A move holds the lease of its workspace in
 * both databases, as `move_<start>_<part>`. At the source this keeps the recompute away while the move copies; at the
 * target, only the newest part can write, because every write of the copy checks the lease in its own transaction.
 */
import { columnsOf } from "../client/columns-of.ts";
import { lastNumber } from "../client/sql-fragments.ts";
import { changedSubjects, leases, workspaceStates } from "../schema/schema.ts";

const c = columnsOf(changedSubjects);
const l = columnsOf(leases);
const w = columnsOf(workspaceStates);

/** Takes the lease, unless a run of the recompute or a later part of a move holds it. ?1 the workspace's number, ?2 the part, ?3 the time, ?4 when the lease expires. */
export const TAKE_LEASE = `
INSERT INTO ${l.table} (${l.workspace}, ${l.holder}, ${l.expiresAt})
SELECT ${w.number}, ?2, ?4 FROM ${w.table} WHERE ${w.number} = ?1 AND ${w.state} <> 'erased'
ON CONFLICT DO UPDATE SET ${l.holder} = excluded.${l.holder}, ${l.expiresAt} = excluded.${l.expiresAt}
WHERE ${l.holder} IS NULL OR ${l.expiresAt} <= ?3
  OR ${l.holder} GLOB 'move_*' AND ${l.expiresAt} <= excluded.${l.expiresAt}`;

/** Whether the lease's holder matches a pattern: one part, or `move_<start>_*` for all. */
export const isHeld = (workspace: string, pattern: string): string =>
  `EXISTS (SELECT 1 FROM ${l.table} WHERE ${l.workspace} = ${workspace} AND ${l.holder} GLOB ${pattern})`;

export const RELEASE_LEASE = `UPDATE ${l.table} SET ${l.holder} = NULL WHERE ${l.workspace} = ?1 AND ${l.holder} GLOB ?2`;

/** Whether the workspace is being copied from this database. */
export const isCopied = (workspace: string): string => isHeld(workspace, "'move_*'");

/**
 * Builds the statement that records accounts and users whose rows the same transaction changes, so that a running copy
 * copies them again. ?1 is the workspace's number.
 * @param changed selects `kind` and `subject`
 */
export const recordChanged = (changed: string): string => `
INSERT INTO ${c.table} (${c.seq}, ${c.kind}, ${c.subject})
SELECT ${lastNumber({ table: c.table, number: c.seq }, "?1")} + row_number() OVER (), kind, subject
FROM (${changed}) WHERE ${isCopied("?1")}`;
