/**
 * Are the migrations in step with the schema? Lets drizzle-kit generate into a copy, which must come out unchanged.
 *
 * drizzle-kit exits with 0 whether or not there was a change, and even when it failed, so its words are what counts. It
 * takes the output folder relative to the working directory only.
 */
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

import { command, type Outcome, ROOT } from "./command.ts";

const IN_STEP = "No schema changes";
const CONSISTENT = "Everything's fine";

export async function migrationsInStep(): Promise<Outcome> {
  const temporary = await mkdtemp(join(tmpdir(), "migrations-"));
  try {
    const config = join(temporary, "drizzle.config.ts");
    const copy = join(temporary, "migrations");
    await cp(join(ROOT, "migrations"), copy, { recursive: true });
    const base = JSON.stringify(join(ROOT, "drizzle.config.ts"));
    const out = JSON.stringify(relative(ROOT, copy));
    await writeFile(config, `import base from ${base};\nexport default { ...base, out: ${out} };\n`);

    const generated = await command("drizzle-kit", ["generate", "--config", config]);
    const checked = await command("drizzle-kit", ["check", "--config", config]);
    return {
      ok: generated.output.includes(IN_STEP) && checked.output.includes(CONSISTENT),
      output: `${generated.output}${checked.output}\nnpm run db:generate makes the missing migration.`,
    };
  } finally {
    await rm(temporary, { recursive: true });
  }
}
