/** Lists accounts, users, features or items, with their measures, in the query's order. */
import { isMoney } from "../../../core/ask/query/check.ts";
import { MAX_ROWS } from "../../../core/ask/query/model.ts";
import type { Cell, ResultRow } from "../../../core/ask/query/result.ts";
import type { Compiling, Part } from "./compiling.ts";
import { sortable } from "./dimension-sql.ts";
import { decoded, type Found, finite } from "./groups.ts";

/** What a query finds, and how to list it. */
export interface Selection<Row> extends Found {
  /** The SQL of a measure or a dimension. Without a name: of the day of the change that the query asks for. */
  valueIn: (name: string | undefined, at: Compiling) => string;
  /** The order if the query has neither an order nor a measure. Default: by name. */
  rank?: string;
  /** The columns to select, from `listed` and the joined tables. */
  columns: string;
  joins: string;
  read: (row: Row) => ResultRow;
}

interface ListRow {
  value: Cell;
  before: number | null;
  currency: string | null;
  total: number;
  /** The further columns. */
  [further: `w${number}`]: Cell;
}

/** @param before compiles the other value of a comparison */
export function addList<Row>(compiling: Compiling, before: Compiling | null, found: Selection<Row>): () => Part {
  const { batch, query, values, dimensions } = compiling;
  const { measure, order, show, with: names = [] } = query;
  const value = found.valueIn(measure, compiling);
  const previous = before === null ? "NULL" : found.valueIn(measure, before);
  const by = order?.by ?? measure;
  const key =
    by === "change"
      ? `${value} - ${previous}`
      : by === undefined
        ? (found.rank ?? "NULL")
        : found.valueIn(by, compiling);
  const sort = (t: string) =>
    `${t}.sort IS NULL, ${t}.sort ${order?.direction === "up" ? "ASC" : "DESC"}, ${t}.name, ${t}.id`;
  // Amounts in different currencies can't be compared, so each currency is ranked separately.
  const ranksMoney = isMoney(by === "change" ? measure : by);
  const hasMoney = ranksMoney || [measure, ...names].some(isMoney);
  const further = names.map((name, place) => [`w${place}`, found.valueIn(name, compiling)] as const);
  const definitions = found.definitions({
    value,
    before: previous,
    currency: hasMoney ? found.valueIn("currency", compiling) : "NULL",
    sort: sortable(key, dimensions.get(by ?? "")),
    ...Object.fromEntries(further),
  });
  const limit = query.limit ?? MAX_ROWS;
  // A list ordered by change has only rows that changed in that direction.
  const changed = by === "change" ? `WHERE ${found.table}.sort ${order?.direction === "up" ? "<" : ">"} 0` : "";
  const known = ranksMoney && changed === "" ? `WHERE ${found.table}.sort IS NOT NULL` : changed;
  const placeInCurrency = `row_number() OVER (PARTITION BY ${found.table}.currency ORDER BY ${sort(found.table)})`;
  const listed = `SELECT *, count(*) OVER () AS total${ranksMoney ? `, ${placeInCurrency} AS place` : ""} FROM ${found.table} ${known}`;
  const sql = `WITH ${definitions}
SELECT ${found.columns}, listed.value, listed.before, listed.currency, listed.total${further.map(([name]) => `, listed.${name}`).join("")}
FROM (${ranksMoney ? `SELECT * FROM (${listed}) WHERE place <= ${limit}` : `${listed} ORDER BY ${sort(found.table)} LIMIT ${limit}`}) listed
${found.joins}
ORDER BY ${ranksMoney ? `listed.currency IS NULL, listed.currency, ${sort("listed")} LIMIT ${MAX_ROWS}` : sort("listed")}`;
  const readRows = batch.addStatement(values.bind<Row & ListRow>(sql));
  const typeOf = (name: string) => dimensions.get(name)?.type;
  const hasValue = measure !== undefined || show === "when";
  return () => {
    const rows = readRows();
    return {
      rows: rows.map((row) => ({
        ...found.read(row),
        ...(hasValue && { value: decoded(row.value, measure === undefined ? "date" : typeOf(measure)) }),
        ...(before !== null && { before: finite(row.before) }),
        ...(hasMoney && { currency: row.currency }),
        ...(names.length > 0 && {
          with: Object.fromEntries(names.map((name, place) => [name, decoded(row[`w${place}`] ?? null, typeOf(name))])),
        }),
      })),
      total: rows[0]?.total ?? 0,
    };
  };
}
