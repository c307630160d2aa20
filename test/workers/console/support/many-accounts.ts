/** A workspace with many accounts, whose pages must not scan tables. */
import { env } from "cloudflare:workers";

import { fullScans } from "../../costs/full-scans.ts";
import type { Cost } from "../../costs/meter.ts";

/** The numbers from 1 to ?2, as `value`. */
export const SERIES = `(WITH RECURSIVE series (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM series WHERE value < ?2)
  SELECT value FROM series)`;

/** The last number of a table in the workspace ?1. */
export const lastNumber = (table: string): string =>
  `(SELECT coalesce(max(number), ?1 << 32) FROM ${table} WHERE workspace = ?1)`;

/** Inserts accounts with an MRR. @param externalId the format of their external ids, with a place for a number */
export const insertAccounts = (workspace: number, count: number, externalId: string): D1PreparedStatement =>
  env.DB.prepare(
    `INSERT INTO accounts (number, id, workspace, kind, external_id, attributes, created_at)
    SELECT ${lastNumber("accounts")} + value, printf('acc_%024d', value), ?1, 'company', printf(?3, value),
      json_object('mrr', json_array(value, 0, 0), 'currency', json_array('EUR', 0, 0)), 0
    FROM ${SERIES}`,
  ).bind(workspace, count, externalId);

/** Lists the tables that a request's statements scan. */
export async function scansIn({ statements }: Cost): Promise<string[]> {
  const scans = await Promise.all(statements.map(({ sql, values }) => fullScans(sql, values)));
  return scans.flat();
}
