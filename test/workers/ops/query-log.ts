/** Evaluates the alerts' queries on logged lines, as Workers Observability documents its filters, calculations and groups. */
import type { bodyOf, Filter, Result } from "../../../ops/alert.ts";

export interface LoggedLine {
  /** Milliseconds since the epoch. */
  timestamp: number;
  /** The parsed JSON. */
  fields: unknown;
}

type Body = ReturnType<typeof bodyOf>;

/** Reads a field as it is indexed: `run.complete` is the field of a field. */
function read(fields: unknown, key: string): unknown {
  return key.split(".").reduce((within: unknown, name) => {
    if (typeof within !== "object" || within === null) return undefined;
    return Reflect.get(within, name);
  }, fields);
}

function matches(fields: unknown, filter: Filter): boolean {
  if (filter.kind === "group") {
    const isMatch = (each: Filter) => matches(fields, each);
    return filter.filterCombination === "or" ? filter.filters.some(isMatch) : filter.filters.every(isMatch);
  }
  const { key, operation, type, value } = filter;
  const found = read(fields, key);
  if (typeof found !== type) return false;
  if (operation === "exists") return true;
  if (operation === "eq") return found === value;
  if (operation === "includes") return String(found).includes(String(value));
  return operation === "gte" ? Number(found) >= Number(value) : Number(found) < Number(value);
}

const numbersOf = (lines: readonly unknown[], key: string): number[] =>
  lines.map((fields) => read(fields, key)).filter((value) => typeof value === "number");

/** Runs a query. @param lines those of one Worker, whose name is not in them */
export function queryLog(lines: readonly LoggedLine[], { timeframe, parameters }: Body, service: string): Result {
  const { filters, calculations, groupBys } = parameters;
  const found = lines
    .filter(({ timestamp }) => timestamp >= timeframe.from && timestamp <= timeframe.to)
    .map(({ fields }) => ({ ...Object(fields), $metadata: { service } }))
    .filter((fields) => filters.every((filter) => matches(fields, filter)));
  const groups = Map.groupBy(found, (fields) => groupBys.map(({ value }) => String(read(fields, value))).join());
  const [{ operator, key = "" }] = calculations;
  const aggregates = Array.from(groups, ([group, members]) => {
    const numbers = numbersOf(members, key);
    const sum = numbers.reduce((total, number) => total + number, 0);
    const value = operator === "count" ? members.length : operator === "max" ? Math.max(...numbers) : sum;
    return { value, groups: groupBys.length === 0 ? [] : [{ value: group }] };
  });
  return { calculations: [{ aggregates }] };
}
