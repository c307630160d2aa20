import { allDatabases } from "./database.ts";
import { DatabaseUnavailable, once } from "./faults.ts";
import { workspaceStates } from "../schema/schema.ts";

/**
 * Checks that all databases answer.
 * @throws DatabaseUnavailable on any error: a database that fails this query is not ready
 */
export async function pingDatabase(env: Env): Promise<void> {
  try {
    await Promise.all(
      allDatabases(env).map((db) =>
        once(() => db.select({ number: workspaceStates.number }).from(workspaceStates).limit(1)),
      ),
    );
  } catch (error) {
    throw error instanceof DatabaseUnavailable ? error : new DatabaseUnavailable(error, true);
  }
}
