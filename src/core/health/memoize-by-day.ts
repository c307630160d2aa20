import type { Day } from "./model.ts";

/** Returns a function that computes the value of each day once. `null` and `undefined` are values too. */
export function memoizeByDay<T>(compute: (day: Day) => T): (day: Day) => T {
  const values = new Map<Day, { readonly value: T }>();
  return (day) => {
    const known = values.get(day);
    if (known !== undefined) return known.value;
    const value = compute(day);
    values.set(day, { value });
    return value;
  };
}
