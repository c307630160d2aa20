/** Computes what a million messages cost. */
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

/** Cost per message of saving the counters. At its limit a workspace sends 50 messages between two saves. */
export const SAVES = {
  /** An alarm, setting it, and the counters. */
  atTheLimit: { calls: 1 / 50, rows: 2 / 50 },
  /** Fewer than one message in five seconds: each is saved at once. */
  nowAndThen: { calls: 0, rows: 1 },
};
/** Milliseconds that a call keeps the object running. The decision takes less than one. */
const CALL_MS = 1;

const priceOf = ({ read, written }: Rows): number => read * PRICES.rowsRead + written * PRICES.rowsWritten;

/** @param rows per message */
export function billOf(size: number, rows: { ingest: Rows; recompute: Rows }, save = SAVES.atTheLimit): Bill {
  const calls = 1 / size + save.calls;
  // The charges ahead of a batch above the limit are saved at once.
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
