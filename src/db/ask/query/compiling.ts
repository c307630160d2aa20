/** The types that all parts of the compiler share: the query, its dimensions, and the values in its SQL. */
import type { Dimension } from "../../../core/ask/query/dimensions.ts";
import type { Filter, FilterValue, Query } from "../../../core/ask/query/model.ts";
import type { ResultRow } from "../../../core/ask/query/result.ts";
import type { NamedSubject } from "../../../core/ask/query/subjects.ts";
import { daysOf } from "../../../core/ask/query/windows.ts";
import type { Day, Window } from "../../../core/health/model.ts";
import { type Statement, statement } from "../../client/statements.ts";
import type { SharedStatement } from "./shared-statement.ts";
import type { Subject } from "./selection.ts";

/** What was looked up before compilation. */
export interface Lookups {
  dimensions: readonly Dimension[];
  today: Day;
  /** Milliseconds since the epoch. */
  now: number;
  /** Finds an account or a user that the query names. */
  find(subject: NamedSubject): { number: number } | undefined;
}

export interface Compiling extends Omit<Lookups, "dimensions"> {
  query: Query;
  statement: SharedStatement;
  /** By owner and filters. */
  subjects: Map<string, Subject>;
  dimensions: ReadonlyMap<string, Dimension>;
  values: ReturnType<typeof newValues>;
  /** The days that are counted. */
  window: Window;
  /** The day whose final values are shown; `null` for current values. */
  asOf: Day | null;
}

/** The result of a part of a query. */
export interface Part {
  rows: ResultRow[];
  total: number;
  population?: number;
}

export function namedDimension({ dimensions }: Pick<Compiling, "dimensions">, name: string): Dimension {
  const found = dimensions.get(name);
  if (found === undefined) throw new Error(`There is no dimension called ${name}.`);
  return found;
}

/** The window of a filter, or else of the query. */
export const windowOf = (filter: Filter, { window, today }: Compiling): Window =>
  filter.window === undefined ? window : daysOf(filter.window, today);

/** The SQL of the current time, in milliseconds since the epoch. It is the first value of each query. */
export const NOW = "(?2 ->> '$[0]')";

/** Collects the values of a query. They travel as one JSON parameter, because D1 binds at most 100. */
export function newValues(now: number) {
  const collected = [String(now)];
  const pathOf = (value: FilterValue | readonly FilterValue[]): string => {
    const text = JSON.stringify(value);
    if (!collected.includes(text)) collected.push(text);
    return `'$[${collected.indexOf(text)}]'`;
  };
  return {
    /** @returns the SQL of the value */
    add: (value: FilterValue): string => `(?2 ->> ${pathOf(value)})`,
    /** @returns the SQL of a list, for `IN` */
    addList: (values: readonly FilterValue[]): string => `(SELECT value FROM json_each(?2, ${pathOf(values)}))`,
    /** @returns the statement that binds the values as ?2. D1 rejects values that no parameter takes */
    bind: <Row>(sql: string): Statement<Row> =>
      statement(sql, ...(sql.includes("?2") ? [`[${collected.join(",")}]`] : [])),
  };
}
