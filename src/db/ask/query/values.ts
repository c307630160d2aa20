/** Collects the values of a query. They travel as one JSON parameter, because D1 binds at most 100. */
import type { FilterValue } from "../../../core/ask/query/model.ts";
import { type Statement, statement } from "../../client/statements.ts";

type Collected = FilterValue | readonly FilterValue[];

export interface Values {
  /** @returns the SQL of the value */
  add(value: FilterValue): string;
  /** @returns the SQL of a list, for `IN` */
  addList(values: readonly FilterValue[]): string;
  /** The SQL of now, in milliseconds since the epoch. */
  now: string;
  /** @returns the statement that binds the values as ?2. D1 rejects values that no parameter takes */
  bind<Row>(sql: string): Statement<Row>;
}

/** @param now milliseconds since the epoch */
export function newValues(now: number): Values {
  const places = new Map<string, Collected>();
  const pathOf = (value: Collected) => {
    const text = JSON.stringify(value);
    if (!places.has(text)) places.set(text, value);
    return `'$[${[...places.keys()].indexOf(text)}]'`;
  };
  const add = (value: FilterValue) => `(?2 ->> ${pathOf(value)})`;
  return {
    add,
    addList: (values) => `(SELECT value FROM json_each(?2, ${pathOf(values)}))`,
    now: add(now),
    bind: (sql) => statement(sql, ...(sql.includes("?2") ? [JSON.stringify([...places.values()])] : [])),
  };
}
