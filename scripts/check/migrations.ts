/**
 * Checks that the migrations match the schema: drizzle-kit generates into a copy, which must stay unchanged.
 *
 * drizzle-kit exits with 0 whether or not there is a change, and even when it fails, so this reads its output. It accepts the
 * output folder only relative to the working directory.
 */
import { cp, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

import { command, type Outcome, ROOT } from "./command.ts";

const UNCHANGED = "No schema changes";
const CONSISTENT = "Everything's fine";

export async function migrationsInStep(): Promise<Outcome> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "migrations-"));
  const config = join(folder.path, "drizzle.config.ts");
  const copy = join(folder.path, "migrations");
  await cp(join(ROOT, "migrations"), copy, { recursive: true });
  const base = JSON.stringify(join(ROOT, "drizzle.config.ts"));
  const out = JSON.stringify(relative(ROOT, copy));
  await writeFile(config, `import base from ${base};\nexport default { ...base, out: ${out} };\n`);

  const generated = await command("drizzle-kit", ["generate", "--config", config]);
  const checked = await command("drizzle-kit", ["check", "--config", config]);
  return {
    ok: generated.output.includes(UNCHANGED) && checked.output.includes(CONSISTENT),
    output: `${generated.output}${checked.output}\nRun npm run db:generate to create the missing migration.`,
  };
}
