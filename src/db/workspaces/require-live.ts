/**
 * A statement that violates a constraint unless the workspace lives in the database, which undoes the whole transaction.
 * The caller gets `DatabaseUnavailable`. A repeated request finds the database that the workspace has moved to.
 */
import { sql } from "drizzle-orm";

import type { Database, WorkspaceRef } from "../client/database.ts";
import { isLive } from "../client/sql-fragments.ts";
import { type Statement, statement } from "../client/statements.ts";
import { workspaceStates } from "../schema/schema.ts";

const notLive = (number: string): string => `SELECT ${number}, '', NULL, 0 WHERE NOT ${isLive(number)}`;

export const requireLiveQuery = (db: Database, { number }: Pick<WorkspaceRef, "number">) =>
  db.insert(workspaceStates).select(sql.raw(notLive(String(number))));

const REQUIRE_LIVE = `INSERT INTO workspace_states (number, id, state, agreement) ${notLive("?1")}`;

export const requireLive = (number: number): Statement => statement(REQUIRE_LIVE, number);
