/** Small statistics. */

/** Returns `null` if `whole` is 0. */
export const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** Returns the standard error of a mean; `null` with fewer than two values. */
export function standardError(values: readonly number[]): number | null {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return count < 2 ? null : Math.sqrt(squares / (count - 1) / count);
}

export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/** Counts each value, most frequent first. */
export function countBy(values: readonly string[]): Record<string, number> {
  const counts = [...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length] as const);
  return Object.fromEntries(counts.toSorted(([, one], [, other]) => other - one));
}
