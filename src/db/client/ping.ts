import { workspaceStates } from "../schema/schema.ts";
import { columnsOf } from "./columns-of.ts";
import { allDatabases } from "./database.ts";
import { DatabaseUnavailable, once } from "./faults.ts";
import { sendStatement, statement } from "./statements.ts";

const w = columnsOf(workspaceStates);
const SELECT_ONE = statement(`SELECT ${w.number} FROM ${w.table} LIMIT 1`);

/**
 * Checks that all databases answer.
 * @throws DatabaseUnavailable on any error: a database that fails this query is not ready
 */
export async function pingDatabase(env: Env): Promise<void> {
  try {
    await Promise.all(allDatabases(env).map((db) => once(() => sendStatement(db, SELECT_ONE))));
  } catch (error) {
    throw error instanceof DatabaseUnavailable ? error : new DatabaseUnavailable(error, true);
  }
}
