/** Checks that the databases are ready for the code. */
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";

import { databaseNames, databaseOf } from "../client/database.ts";
import { DatabaseUnavailable, once } from "../client/faults.ts";
import { prepare } from "../client/prepare.ts";
import { sendStatement } from "../client/run-statements.ts";
import * as schema from "../schema/schema.ts";

/** Names all tables and columns, and reads no row. SQL text, because the query builder can't select a list of EXISTS. */
function selectSchema(): string {
  const tables = Object.values(schema).flatMap((each) => (is(each, SQLiteTable) ? [each] : []));
  const exists = tables.map((each) => {
    const table = getTableName(each);
    const columns = Object.values(getTableColumns(each)).map(({ name }) => `${table}.${name}`);
    return `EXISTS (SELECT ${columns.join()} FROM ${table} LIMIT 0)`;
  });
  return `SELECT ${exists.join()}`;
}

/**
 * Checks that all databases answer, and have all tables and columns.
 * @returns what a database lacks, such as `DB: no such column: workspaces.rates`; null if nothing
 * @throws DatabaseUnavailable on any other error: a database that fails this query is not ready
 */
export async function checkDatabases(env: Env): Promise<string | null> {
  const query = prepare(selectSchema()).bind({});
  const found = databaseNames(env).map(async (name) => {
    try {
      await once(() => sendStatement(databaseOf(env, { database: name }), query));
      return null;
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw new DatabaseUnavailable(error, true);
      const [missing] = /no such \w+: [\w.]+/.exec(String(error.cause)) ?? [];
      if (missing === undefined) throw error;
      return `${name}: ${missing}`;
    }
  });
  return (await Promise.all(found)).find((missing) => missing !== null) ?? null;
}
