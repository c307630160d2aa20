/** Applies migrations. */
import { readdirSync, readFileSync } from "node:fs";

const FOLDER = new URL("../../migrations/", import.meta.url);
const BREAKPOINT = "--> statement-breakpoint";

/** Lists the files of all migrations, the oldest first. */
export const migrationFiles = (): string[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith(".sql"))
    .toSorted();

/** Returns the statements of migrations. @param files default: all */
export const migrationStatements = (files = migrationFiles()): string[] =>
  files.flatMap((name) => readFileSync(new URL(name, FOLDER), "utf8").split(BREAKPOINT));

/** @param files default: all, for an empty database */
export const migrate = (database: D1Database, files?: string[]): Promise<unknown> =>
  database.batch(migrationStatements(files).map((sql) => database.prepare(sql)));
