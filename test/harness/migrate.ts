/** Applies all migrations to an empty database. */
import { readdir, readFile } from "node:fs/promises";

const MIGRATIONS = new URL("../../migrations/", import.meta.url);
const BREAKPOINT = "--> statement-breakpoint";

export async function migrate(database: D1Database): Promise<void> {
  const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith(".sql"));
  for (const file of files.toSorted()) {
    const statements = (await readFile(new URL(file, MIGRATIONS), "utf8")).split(BREAKPOINT);
    await database.batch(statements.map((sql) => database.prepare(sql)));
  }
}
