/** Adds databases to the text of `wrangler.toml`, and keeps everything else as people wrote it. */

export interface NewDatabase {
  binding: string;
  name: string;
  id: string;
  /** Where its workspaces' Durable Objects should be, too. */
  location?: string | undefined;
}

/**
 * @param env a wrangler environment; default: the top level
 * @throws Error when the text has no table for the location
 */
export function withDatabase(toml: string, { binding, name, id, location }: NewDatabase, env?: string): string {
  const prefix = env === undefined ? "" : `env.${env}.`;
  const table = [
    `[[${prefix}d1_databases]]`,
    `binding = "${binding}"`,
    `database_name = "${name}"`,
    `database_id = "${id}"`,
    `migrations_dir = "migrations"`,
  ].join("\n");
  const vars = `[${prefix}vars]\n`;
  if (location !== undefined && !toml.includes(vars)) throw new Error(`wrangler.toml has no table ${vars.trim()}.`);
  const located = location === undefined ? toml : toml.replace(vars, `${vars}${binding}_LOCATION = "${location}"\n`);
  return `${located.trimEnd()}\n\n${table}\n`;
}

/** The binding of the database with this number; the directory's is 0. */
export const bindingOf = (number: number): string => (number === 0 ? "DB" : `DB_${number}`);
