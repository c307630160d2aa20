/** Records what the API changes while a workspace is copied. It is SQL text because its transactions are. */
import { columnsOf } from "../client/columns-of.ts";
import { lastNumber } from "../client/sql-fragments.ts";
import { isHeld } from "../recompute/lease-sql.ts";
import { changedSubjects } from "../schema/schema.ts";

const subject = columnsOf(changedSubjects);

/** Whether the workspace is being copied from this database. */
export const isCopied = (workspace: string): string => isHeld(workspace, "'move_*'");

/**
 * Builds the statement that records accounts and users whose rows the same transaction changes, so that a running copy
 * copies them again.
 * @param changed selects `kind` and `subject`
 */
export const recordChanged = (changed: string): string => `
INSERT INTO ${subject.table} (${subject.seq}, ${subject.kind}, ${subject.subject})
SELECT ${lastNumber({ table: subject.table, number: subject.seq }, ":workspace")} + row_number() OVER (), kind, subject
FROM (${changed}) WHERE ${isCopied(":workspace")}`;
