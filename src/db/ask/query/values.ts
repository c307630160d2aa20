/** Collects the values of a query. They travel as one JSON parameter, because D1 binds at most 100. */
import type { FilterValue } from "../../../core/ask/query/model.ts";

type Collected = FilterValue | readonly FilterValue[];

export interface Values {
  /** @returns the SQL of the value */
  add(value: FilterValue): string;
  /** @returns the SQL of a list, for `IN` */
  addList(values: readonly FilterValue[]): string;
  json(): string;
}

/** @param parameter the JSON array, as in `?2` */
export function newValues(parameter: string): Values {
  const places = new Map<string, Collected>();
  const pathOf = (value: Collected) => {
    const text = JSON.stringify(value);
    if (!places.has(text)) places.set(text, value);
    return `'$[${[...places.keys()].indexOf(text)}]'`;
  };
  return {
    add: (value) => `(${parameter} ->> ${pathOf(value)})`,
    addList: (values) => `(SELECT value FROM json_each(${parameter}, ${pathOf(values)}))`,
    json: () => JSON.stringify([...places.values()]),
  };
}
