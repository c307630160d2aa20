/** Times in a fixed number of counts, however many there are: each is right to 5 %, and the longest exact. */
const FACTOR = 1.05;
const SHORTEST_MS = 0.1;
const BUCKETS = 300; // up to 227,000 s

/** Plain data, to be sent from process to process. */
export interface Histogram {
  counts: Uint32Array;
  longest: number;
}

export const emptyHistogram = (): Histogram => ({ counts: new Uint32Array(BUCKETS), longest: 0 });

export function record(histogram: Histogram, ms: number): void {
  const bucket = Math.ceil(Math.log(Math.max(ms, SHORTEST_MS) / SHORTEST_MS) / Math.log(FACTOR));
  const place = Math.min(bucket, BUCKETS - 1);
  histogram.counts[place] = (histogram.counts[place] ?? 0) + 1;
  histogram.longest = Math.max(histogram.longest, ms);
}

/** Adds to the first. */
export function addHistogram(sum: Histogram, { counts, longest }: Histogram): void {
  for (const [place, count] of counts.entries()) sum.counts[place] = (sum.counts[place] ?? 0) + count;
  sum.longest = Math.max(sum.longest, longest);
}

/** @returns milliseconds that a share of the times was at most; `null` where there are none */
export function quantile({ counts, longest }: Histogram, share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let left = Math.ceil(total * share);
  const place = counts.findIndex((count) => (left -= count) <= 0);
  return Math.min(SHORTEST_MS * FACTOR ** place, longest);
}
