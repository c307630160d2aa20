/** What a million messages cost. */
import type { Rows } from "./measure.ts";
import { OBJECT_GIGABYTES, PRICES } from "./prices.ts";

export interface Bill {
  requests: number;
  object: number;
  ingest: number;
  /** The fold of the messages and the scores of a day. */
  recompute: number;
  total: number;
}

/** Of a workspace at its limit: the object saves its counters so often, for so many messages. */
const MESSAGES_PER_SAVE = 50;
/** What a save comes to: the alarm, its setting and the counters. */
const SAVE = { calls: 1, rows: 2 };
/** Milliseconds that a call keeps the object running: the decision takes a part of one. */
const CALL_MS = 1;

const priceOf = ({ read, written }: Rows): number => read * PRICES.rowsRead + written * PRICES.rowsWritten;

/** @param rows a message's */
export function billOf(size: number, rows: { ingest: Rows; recompute: Rows }): Bill {
  const calls = 1 / size + SAVE.calls / MESSAGES_PER_SAVE;
  // Charges ahead of a batch that is larger than the limit are saved at once.
  const written = SAVE.rows / MESSAGES_PER_SAVE + (size > 100 ? 1 / size : 0);
  const seconds = (calls * CALL_MS) / 1_000;
  const requests = PRICES.requests / size;
  const object =
    calls * PRICES.objectCalls +
    written * PRICES.rowsWritten +
    seconds * OBJECT_GIGABYTES * PRICES.objectGigabyteSeconds;
  const [ingest, recompute] = [priceOf(rows.ingest), priceOf(rows.recompute)];
  return { requests, object, ingest, recompute, total: requests + object + ingest + recompute };
}

export function naiveBillOf(size: number, rows: Rows): Bill {
  const [requests, ingest] = [PRICES.requests / size, priceOf(rows)];
  return { requests, object: 0, ingest, recompute: 0, total: requests + ingest };
}
