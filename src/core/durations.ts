export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** Counts UTC days from one moment to another: 0 on the same day, negative if `until` is earlier. */
export const daysUntil = (until: number, from: number): number =>
  Math.floor(until / DAY_MS) - Math.floor(from / DAY_MS);
