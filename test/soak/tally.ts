/** What the load counts between two samples. Plain data, to be sent from process to process. */
import { addHistogram, emptyHistogram, type Histogram } from "./histogram.ts";

export const KINDS = ["single", "batch", "read", "ask"] as const;
/** Kinds of requests whose times are told apart. */
export type Kind = (typeof KINDS)[number];

const COUNTS = ["requests", "messages", "refused", "unavailable", "failed", "lost"] as const;

/** Requests; those refused with 429, answered with 503 or another 5xx, and not at all. And the messages admitted. */
export type Tally = Record<(typeof COUNTS)[number], number> & {
  /** Milliseconds from sending to the end of the answer, of all that were answered with anything but 429. */
  times: Record<Kind, Histogram>;
};

export const emptyTally = (): Tally => ({
  requests: 0,
  messages: 0,
  refused: 0,
  unavailable: 0,
  failed: 0,
  lost: 0,
  times: { single: emptyHistogram(), batch: emptyHistogram(), read: emptyHistogram(), ask: emptyHistogram() },
});

/** Adds to the first. */
export function addTally(sum: Tally, more: Tally): void {
  for (const count of COUNTS) sum[count] += more[count];
  for (const kind of KINDS) addHistogram(sum.times[kind], more.times[kind]);
}
