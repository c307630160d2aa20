export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = Number.NaN, high = low] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
}

/** Returns the median of the ratios of two lists, index by index. */
export const medianRatio = (values: readonly number[], by: readonly number[]): number =>
  median(values.map((value, place) => value / (by[place] ?? Number.NaN)));
