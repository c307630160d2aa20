import { directory } from "./database.ts";
import { DatabaseUnavailable, once } from "./faults.ts";
import { workspaces } from "../schema/schema.ts";

/**
 * Checks that the database answers.
 * @throws DatabaseUnavailable on any error: a database that fails this query is not ready
 */
export async function pingDatabase(env: Env): Promise<void> {
  try {
    await once(() => directory(env).select({ number: workspaces.number }).from(workspaces).limit(1));
  } catch (error) {
    throw error instanceof DatabaseUnavailable ? error : new DatabaseUnavailable(error, true);
  }
}
