/** Calculates what a million messages cost. */
import type { Rows } from "./measure.ts";
import { OBJECT_GIGABYTES, PRICES } from "./prices.ts";

export interface Bill {
  requests: number;
  object: number;
  ingest: number;
  /** Folding the messages and scoring one day. */
  recompute: number;
  total: number;
}

/** What saving the limiter's counters costs per message. At its limit a workspace sends 50 messages between two saves. */
export const SAVES = {
  /** The alarm, setting it, and the counters. */
  atTheLimit: { calls: 1 / 50, rows: 2 / 50 },
  /** Less than a message in five seconds: each one saves the counters. */
  oneInAWhile: { calls: 0, rows: 1 },
};
/** Milliseconds that a call keeps the object running. The decision takes a fraction of one. */
const CALL_MS = 1;

const priceOf = ({ read, written }: Rows): number => read * PRICES.rowsRead + written * PRICES.rowsWritten;

/** @param rows a message's */
export function billOf(size: number, rows: { ingest: Rows; recompute: Rows }, save = SAVES.atTheLimit): Bill {
  const calls = 1 / size + save.calls;
  // The future charges of a batch larger than the limit are saved at once.
  const written = save.rows + (size > 100 ? 1 / size : 0);
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
