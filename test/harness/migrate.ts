/** Applies all migrations to an empty database. */
import { readdirSync, readFileSync } from "node:fs";

const FOLDER = new URL("../../migrations/", import.meta.url);
const BREAKPOINT = "--> statement-breakpoint";

/** Returns the statements of all migrations. */
export const migrationStatements = (): string[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith(".sql"))
    .toSorted()
    .flatMap((name) => readFileSync(new URL(name, FOLDER), "utf8").split(BREAKPOINT));

export const migrate = (database: D1Database): Promise<unknown> =>
  database.batch(migrationStatements().map((sql) => database.prepare(sql)));
