/** The migrations, applied to a database by what a Worker has of it. */
import { readdir, readFile } from "node:fs/promises";

const MIGRATIONS = new URL("../../migrations/", import.meta.url);
const BREAKPOINT = "--> statement-breakpoint";

/** As wrangler makes it, which goes on from what stands there. */
const BOOK = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

/** Applies those that the database lacks, in their order, each of them whole or not at all. */
export async function migrate(database: D1Database): Promise<void> {
  await database.prepare(BOOK).run();
  const { results } = await database.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith(".sql") && !applied.has(name));
  for (const file of files.toSorted()) {
    const statements = (await readFile(new URL(file, MIGRATIONS), "utf8")).split(BREAKPOINT);
    await database.batch([
      ...statements.map((sql) => database.prepare(sql)),
      database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(file),
    ]);
  }
}
