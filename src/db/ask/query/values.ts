/** The values in the SQL of a query. */
import type { FilterValue } from "../../../core/ask/query/model.ts";

/** The SQL of the current time, in milliseconds since the epoch. It is the first value of each query. */
export const NOW = "(:values ->> '$[0]')";

/** Collects the values of a query. They travel as one JSON parameter, `:values`, because D1 binds at most 100. */
export function newValues(now: number) {
  const collected = [String(now)];
  const pathOf = (value: FilterValue | readonly FilterValue[]): string => {
    const text = JSON.stringify(value);
    if (!collected.includes(text)) collected.push(text);
    return `'$[${collected.indexOf(text)}]'`;
  };
  return {
    /** @returns the SQL of the value */
    add: (value: FilterValue): string => `(:values ->> ${pathOf(value)})`,
    /** @returns the SQL of a list, for `IN` */
    addList: (values: readonly FilterValue[]): string => `(SELECT value FROM json_each(:values, ${pathOf(values)}))`,
    /** @returns the value of the parameter `:values` */
    toJson: (): string => `[${collected.join(",")}]`,
  };
}

export type Values = ReturnType<typeof newValues>;
