import { sql } from "drizzle-orm";

import { directory } from "./database.ts";
import { DatabaseUnavailable, once } from "./faults.ts";

/**
 * @throws DatabaseUnavailable on any error at all: a database that can't answer this is not ready
 */
export async function pingDatabase(env: Env): Promise<void> {
  try {
    await once(() => directory(env).get(sql`SELECT number FROM workspaces LIMIT 1`));
  } catch (error) {
    throw error instanceof DatabaseUnavailable ? error : new DatabaseUnavailable(error, true);
  }
}
