/**
 * Finds comparisons of a column with a column of the same row where a column of an outer query was meant. In a subquery, a
 * column without a table's name belongs to the innermost table that has it: `EXISTS (SELECT 1 FROM traits t WHERE t.value =
 * value)` is true whenever there is a trait, whatever `value` is outside.
 */
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";

import * as schema from "../../../src/db/schema/schema.ts";

const COLUMNS = new Map<string, ReadonlySet<string>>([
  ["json_each", new Set(["key", "value", "type", "atom", "id", "parent", "fullkey", "path"])],
  ...Object.values<unknown>(schema).flatMap((table): [string, ReadonlySet<string>][] => {
    if (!is(table, SQLiteTable)) return [];
    const { name, columns } = getTableConfig(table);
    return [[name, new Set(columns.map((column) => column.name))]];
  }),
]);

interface Source {
  /** By which columns of the table are named. */
  name: string;
  columns: ReadonlySet<string>;
}

/** A query, up to a UNION, with the tables that it reads. */
interface Query {
  outer: Query | null;
  sources: Source[];
  comparisons: [left: string, operator: string, right: string][];
}

const TOKEN = /'(?:[^']|'')*'|(?:"?[a-z_]\w*"?\.)?"?[a-z_]\w*"?|<=|>=|<>|\S/gi;
const NAME = /^(?:[a-z_]\w*\.)?[a-z_]\w*$/i;
const COMPARISON = /^(?:=|<>|<|>|<=|>=|is)$/i;
/** What may follow a table instead of an alias. */
const KEYWORD =
  /^(?:on|where|set|cross|inner|left|join|order|group|limit|union|except|intersect|values|select|using|returning|indexed|not|having|window|default|do|natural|full|right|outer)$/i;
const BEFORE_TABLE = /^(?:from|join|update|into)$/i;

/** @returns each such comparison */
export function selfComparisons(sql: string): string[] {
  const tokens = (sql.match(TOKEN) ?? []).map((token) => (token.startsWith("'") ? token : token.replaceAll('"', "")));
  return queriesIn(tokens).flatMap((query) =>
    query.comparisons.flatMap(([left, operator, right]) =>
      isSuspect(query, left, right) ? `${left} ${operator} ${right}` : [],
    ),
  );
}

function queriesIn(tokens: readonly string[]): Query[] {
  const all: Query[] = [];
  const open = (outer: Query | null): Query => {
    const query: Query = { outer, sources: [], comparisons: [] };
    all.push(query);
    return query;
  };
  let current = open(null);
  /** The query that each open parenthesis stands in. */
  const stack: Query[] = [];
  for (const [place, token] of tokens.entries()) {
    const [before = "", next = "", afterNext = ""] = [tokens[place - 1], tokens[place + 1], tokens[place + 2]];
    if (token === "(") {
      stack.push(current);
      if (/^(?:select|with)$/i.test(next)) current = open(current);
    } else if (token === ")") {
      current = stack.pop() ?? current;
    } else if (/^(?:union|except|intersect)$/i.test(token)) {
      current = open(current.outer);
    } else if (COLUMNS.has(token) && BEFORE_TABLE.test(before)) {
      const alias = token === "json_each" ? aliasAfterCall(tokens, place) : /^as$/i.test(next) ? afterNext : next;
      const name = NAME.test(alias) && !KEYWORD.test(alias) ? alias : token;
      current.sources.push({ name, columns: COLUMNS.get(token) ?? new Set() });
    } else if (COMPARISON.test(token) && NAME.test(before) && NAME.test(next) && !KEYWORD.test(next)) {
      current.comparisons.push([before, token, next]);
    }
  }
  return all;
}

/** The word after the closing parenthesis of a function's arguments. */
function aliasAfterCall(tokens: readonly string[], place: number): string {
  let depth = 0;
  for (let at = place + 1; at < tokens.length; at += 1) {
    if (tokens[at] === "(") depth += 1;
    if (tokens[at] === ")") depth -= 1;
    if (depth === 0) return tokens[at + 1] ?? "";
  }
  return "";
}

function isSuspect(query: Query, left: string, right: string): boolean {
  const source = sourceOf(query, left);
  const isAmbiguous = [left, right].some((column) => !column.includes(".") && isOuterColumn(query.outer, column));
  return source !== undefined && source === sourceOf(query, right) && isAmbiguous;
}

/** The table of this query that a column belongs to; `undefined` for a column of an outer query. */
function sourceOf({ sources }: Query, column: string): Source | undefined {
  const [table, name] = column.includes(".") ? column.split(".") : [undefined, column];
  return sources.find(
    (source) => (table === undefined || source.name === table) && name !== undefined && source.columns.has(name),
  );
}

function isOuterColumn(query: Query | null, column: string): boolean {
  return (
    query !== null && (query.sources.some(({ columns }) => columns.has(column)) || isOuterColumn(query.outer, column))
  );
}
