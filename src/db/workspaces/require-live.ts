/**
 * Violates a constraint, and so undoes the whole transaction, unless the workspace lives in the database under its own
 * id. The caller gets `DatabaseUnavailable` of the kind `not_live`. A repeated request finds the database that the
 * workspace has moved to.
 *
 * It never inserts a row. It inserts into another table than it reads, because SQLite copies the rows that a statement
 * reads from its own target.
 */
import { sql } from "drizzle-orm";

import { columnsOf } from "../client/columns-of.ts";
import type { Database, WorkspaceRef } from "../client/database.ts";
import { prepare } from "../client/prepare.ts";
import { isLive } from "../client/sql-fragments.ts";
import type { Statement } from "../client/statement.ts";
import { leases, workspaceStates as states } from "../schema/schema.ts";

type Named = Pick<WorkspaceRef, "id" | "number">;

export const requireLiveQuery = (db: Database, { id, number }: Named) =>
  db.insert(leases)
    .select(sql`SELECT ${number}, NULL, NULL, NULL, NULL, NULL, NULL, NULL WHERE NOT EXISTS (SELECT 1 FROM ${states}
    WHERE ${states.number} = ${number} AND ${states.id} = ${id} AND ${states.state} = 'live')`);

const lease = columnsOf(leases);
const REQUIRE_LIVE = prepare(`
INSERT INTO ${lease.table} (${lease.workspace}, ${lease.expiresAt})
SELECT :workspace, NULL WHERE NOT ${isLive(":workspace", ":id")}`);

export const requireLive = ({ id, number }: Named): Statement => REQUIRE_LIVE.bind({ workspace: number, id });
