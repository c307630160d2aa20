/** Messages that the write limit admitted and refused, for people who run the service. */
export interface WriteCounters {
  readonly admitted: number;
  readonly refused: number;
}

export const NO_WRITES: WriteCounters = { admitted: 0, refused: 0 };

/** Adds to the counters. They never fall below 0: a restart may have forgotten the admission that is refunded. */
export const addWrites = (counters: WriteCounters, { admitted = 0, refused = 0 }: Partial<WriteCounters>) => ({
  admitted: Math.max(0, counters.admitted + admitted),
  refused: counters.refused + refused,
});

export const costOf = (charges: readonly { cost: number }[]): number =>
  charges.reduce((sum, { cost }) => sum + cost, 0);
