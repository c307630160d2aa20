/**
 * A statement that violates a constraint unless the workspace lives in the database, which undoes the whole transaction.
 * The caller gets `DatabaseUnavailable` of the kind `not_live`. A repeated request finds the database that the workspace has
 * moved to.
 *
 * It never inserts a row. Its table is another one than it reads, because SQLite copies what it reads from its own target.
 */
import { sql } from "drizzle-orm";

import type { Database, WorkspaceRef } from "../client/database.ts";
import { isLive } from "../client/sql-fragments.ts";
import { type Statement, statement } from "../client/statements.ts";
import { leases } from "../schema/schema.ts";

const notLive = (number: string): string => `SELECT ${number}, NULL, NULL WHERE NOT ${isLive(number)}`;

export const requireLiveQuery = (db: Database, { number }: Pick<WorkspaceRef, "number">) =>
  db.insert(leases).select(sql.raw(notLive(String(number))));

const REQUIRE_LIVE = `INSERT INTO leases (workspace, holder, expires_at) ${notLive("?1")}`;

export const requireLive = (number: number): Statement => statement(REQUIRE_LIVE, number);
