/** Ranks the rows of a result, and lists accounts, users, features or items with their measures. */
import { isChange, isMoney } from "../../../core/ask/query/check.ts";
import type { Dimension } from "../../../core/ask/query/dimensions.ts";
import { listColumns } from "../../../core/ask/query/implied.ts";
import { MAX_ROWS } from "../../../core/ask/query/model.ts";
import type { Cell, ResultRow } from "../../../core/ask/query/result.ts";
import { isoDate } from "../../../core/ask/query/windows.ts";
import type { Window } from "../../../core/health/model.ts";
import { typedKeys } from "../../../core/typed-keys.ts";
import { shownId } from "../../users/erased-ids.ts";
import { selectList } from "../../client/prepare.ts";
import { account, eventName, health, item, user } from "./aliases.ts";
import type { Compiling, PartResult } from "./compiler-types.ts";
import { sortable } from "./dimension-sql.ts";
import type { Owner } from "./entities.ts";
import { accountIn, ENTITY, ENTITY_NAMES, featureOf, userIn } from "./entity-columns.ts";
import { firstScore } from "./history-sql.ts";
import { changeIn, currencyIn, filteredValue, measureIn, valueIn } from "./measures.ts";
import type { RankedRow } from "./ranked-row.ts";
import type { Selection } from "./selection.ts";
import type { Column } from "./shared-statement.ts";

interface Ranking {
  /** The columns to read from `source`. */
  columns: readonly Column[];
  /** Has `id`, `name`, `account`, `user` and `currency`; also `ranking`, if it ranks money. */
  source: string;
  /** The column to sort by, unknown values last. */
  by: "value" | "sort";
  /** Only rates make amounts in two currencies comparable, so each currency without a rate has its own ranking. */
  ranksMoney?: boolean;
  /** The SQL of further columns. */
  further?: Partial<Record<Column, string>>;
  limit?: number;
}

/** Adds a part that selects the first rows, with the accounts and users that they belong to. */
export function addRanked(
  { statement, query, rates }: Compiling,
  { source, by, ranksMoney = false, columns, further = {}, limit = query.limit ?? MAX_ROWS }: Ranking,
  read: (row: RankedRow) => ResultRow,
): () => PartResult {
  const order = (row = "") => `${row}${by} IS NULL, ${row}${by} ${query.order?.direction === "up" ? "ASC" : "DESC"},
    ${row}name IS NULL, ${row}name, ${row}id, ${row}currency IS NULL, ${row}currency`;
  const all = `SELECT *, count(*) OVER () AS total`;
  // The part has the first rows of each ranking. Currencies with a rate share one ranking, which comes first.
  const first = rates === undefined ? `position, ${RANKING} LIMIT ${MAX_ROWS}` : `${RANKING}, position LIMIT ${limit}`;
  const listed = ranksMoney
    ? `SELECT * FROM (
    ${all}, row_number() OVER (PARTITION BY ranking ORDER BY ${order()}) AS position FROM ${source}
  ) WHERE position <= ${limit} ORDER BY ${first}`
    : `${all} FROM ${source} ORDER BY ${order()} LIMIT ${limit}`;
  const selected = [...columns, "total"].map((name) => `listed.${name}`);
  const sql = `
SELECT ${[...selected, selectList({ ...ENTITY, ...further })].join(", ")}
FROM (${listed}) listed
LEFT JOIN ${account.table} ON ${account.number} = listed.account
LEFT JOIN ${user.table} ON ${user.number} = listed.user
ORDER BY ${ranksMoney ? `${RANKING}, ` : ""}${order("listed.")} LIMIT ${Math.max(limit, MAX_ROWS)}`;
  const readRows = statement.addPart([...columns, "total", ...ENTITY_NAMES, ...typedKeys(further)], sql);
  return () => {
    const rows = readRows();
    return { rows: rows.map(read), total: rows[0]?.total ?? 0 };
  };
}

const RANKING = "ranking IS NULL, ranking";

/** The SQL of the rate of an account's currency; NULL without one. */
function rateOf({ rates, values }: Compiling, currency: string): string {
  const cases = Object.entries(rates ?? {}).map(([code, rate]) => `WHEN '${code}' THEN ${values.add(rate)}`);
  return cases.length === 0 ? "NULL" : `(CASE ${currency} ${cases.join(" ")} END)`;
}

const further = (index: number) => `w${index}` as const;

const ITEM_COLUMNS = ["itemId", "kind", "severity", "status", "opened"] as const;
const itemColumns = (selection: Selection) => ({
  itemId: selection.column(item.id),
  kind: valueIn(selection, "item_kind"),
  severity: valueIn(selection, "severity"),
  status: valueIn(selection, "status"),
  opened: valueIn(selection, "opened"),
  event: selection.column(`iif(${item.kind} = 'feature_dropped', CAST(${item.subject} AS INTEGER), NULL)`),
});

const EVENT_NAME = `(SELECT ${eventName.name} FROM ${eventName.table} WHERE ${eventName.number} = listed.event)`;
const HEALTH = `(SELECT ${health.health} FROM ${health.table}
  WHERE ${health.workspace} = :workspace AND ${health.account} = ${account.number})`;

/** @param other the other side of a comparison; `null` without one */
export function addList(selection: Selection, other: Compiling | null): () => PartResult {
  const { compiling, owner } = selection;
  const { query, dimensions } = compiling;
  const { measure, order, show, where } = query;
  const columns = listColumns(query);
  const change = show === "when" ? where.find(isChange) : undefined;
  const valueAt = (at: Compiling): string =>
    measure === undefined ? (change ? changeIn(selection, change) : "NULL") : measureIn(selection, measure, at);
  const value = valueAt(compiling);
  const previous = other === null ? "NULL" : valueAt(other);
  const by = order?.by ?? measure;
  const columnIn = ({ name, filter }: (typeof columns)[number]): string =>
    filter === undefined ? measureIn(selection, name) : filteredValue(selection, compiling, filter);
  const unordered = () => (owner === "items" ? selection.column(item.rank) : "NULL");
  const key =
    by === "change" ? `${value} - ${previous}` : by === undefined ? unordered() : measureIn(selection, by, compiling);
  const ranksMoney = isMoney(by === "change" ? measure : by);
  const hasMoney = ranksMoney || [measure, ...columns.map(({ name }) => name)].some(isMoney);
  const currency = hasMoney ? currencyIn(selection, measure) : "NULL";
  const rate = ranksMoney ? rateOf(compiling, currency) : "NULL";
  const table = selection.select({
    value,
    before: previous,
    currency,
    sort: ranksMoney ? `(${key}) * coalesce(${rate}, 1)` : sortable(key, dimensions.get(by ?? "")),
    ...(ranksMoney && { ranking: `iif(${rate} IS NULL, ${currency}, '')` }),
    ...Object.fromEntries(columns.map((column, index) => [further(index), columnIn(column)])),
    ...(owner === "items" && itemColumns(selection)),
  });
  // A list ordered by change has only rows that changed in that direction.
  const changed = by === "change" ? ` WHERE sort ${order?.direction === "up" ? "<" : ">"} 0` : "";
  const ranking = {
    columns: [
      ...(["id", "name", "value", "before", "currency"] as const),
      ...columns.map((_, index) => further(index)),
      ...(owner === "items" ? ITEM_COLUMNS : []),
    ],
    source: table + (ranksMoney && changed === "" ? " WHERE sort IS NOT NULL" : changed),
    by: "sort",
    ranksMoney,
    further: { ...(show === "why" && { health: HEALTH }), ...(owner === "items" && { eventName: EVENT_NAME }) },
  } as const;
  const read = (cell: Cell, name: string) => decoded(cell, dimensions.get(name)?.type);
  return addRanked(compiling, ranking, (row) => ({
    ...foundIn(row, owner),
    ...(show === "why" && { health: row.health === null ? null : JSON.parse(row.health) }),
    ...(measure !== undefined && { value: read(row.value, measure) }),
    ...(measure === undefined && show === "when" && { value: decoded(row.value, "date") }),
    ...(other !== null && { before: finite(row.before) }),
    ...(hasMoney && { currency: row.currency }),
    ...(columns.length > 0 && {
      with: Object.fromEntries(columns.map(({ name }, index) => [name, read(row[further(index)] ?? null, name)])),
    }),
  }));
}

/** The first score of the one account of a selection in a window, and its day; empty without a score. */
export function addFirst(selection: Selection, window: Window): () => Pick<ResultRow, "before" | "since"> {
  const first = firstScore(selection, window);
  const source = selection.select({ value: `${first}.value`, before: `${first}.day`, currency: "NULL" });
  const columns = ["value", "before"] as const;
  const read = addRanked(selection.compiling, { columns, source, by: "value" }, ({ value, before }) =>
    typeof value === "number" && before !== null ? { before: value, since: before } : {},
  );
  return () => read().rows[0] ?? {};
}

/** The subject of a list's row. */
function foundIn(row: RankedRow, owner: Owner): ResultRow {
  if (owner === "features") return { entity: featureOf(String(row.name)) };
  if (owner === "users") return { entity: userIn(row), account: accountIn(row) };
  if (owner === "accounts") return { entity: accountIn(row) };
  const { itemId: id, kind, severity, status, opened } = row;
  const subject = row.userExternalId ?? row.eventName;
  const about = subject === null ? null : shownId(subject);
  return { entity: accountIn(row), item: { id, kind, severity, status, opened, about } };
}

/** Turns numbers of days into dates, and 1 or 0 of a boolean into true or false. */
export function decoded(value: Cell, type: Dimension["type"] | undefined): Cell {
  if (type === "date" && value !== null) return isoDate(Number(value));
  if (type === "boolean" && value !== null) return value === 1;
  return typeof value === "number" ? finite(value) : value;
}

/** A sum that overflows is unknown. */
export const finite = (value: number | null): number | null => (Number.isFinite(value) ? value : null);
