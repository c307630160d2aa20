/** Computes what a million messages cost. */
import type { ArchiveCost } from "../storage/archive.ts";
import type { Rows } from "./measure.ts";
import { OBJECT_GIGABYTES, PRICES } from "./prices.ts";

export interface Bill {
  requests: number;
  object: number;
  ingest: number;
  /** The cost of folding the messages and of a day's scores. */
  recompute: number;
  /** The cost of the recompute's tasks. */
  queue: number;
  total: number;
}

/**
 * Costs per message that depend on how often a workspace sends. `calls` and `rows` save the counters: at its limit a workspace
 * sends 50 messages between two saves. The cron queues a task every five minutes while there are new messages.
 */
export const PACES = {
  /** 10 messages a second. A save costs an alarm, setting it, and the counters. */
  atTheLimit: { calls: 1 / 50, rows: 2 / 50, tasks: 1 / 3_000 },
  /** One message every six seconds: each is saved at once. */
  nowAndThen: { calls: 0, rows: 1, tasks: 1 / 50 },
};
const OPERATIONS_PER_TASK = 3;
/** Milliseconds that a call keeps the object running. The decision takes less than one. */
const CALL_MS = 1;

const priceOf = ({ read, written }: Rows): number => read * PRICES.rowsRead + written * PRICES.rowsWritten;

/** @param rows per message */
export function billOf(size: number, rows: { ingest: Rows; recompute: Rows }, pace = PACES.atTheLimit): Bill {
  const calls = 1 / size + pace.calls;
  // The charges ahead of a batch above the limit are saved at once.
  const written = pace.rows + (size > 100 ? 1 / size : 0);
  const seconds = (calls * CALL_MS) / 1_000;
  const requests = PRICES.requests / size;
  const object =
    calls * PRICES.objectCalls +
    written * PRICES.rowsWritten +
    seconds * OBJECT_GIGABYTES * PRICES.objectGigabyteSeconds;
  const [ingest, recompute] = [priceOf(rows.ingest), priceOf(rows.recompute)];
  // A task is also an invocation of the Worker.
  const queue = pace.tasks * (OPERATIONS_PER_TASK * PRICES.queueOperations + PRICES.requests);
  return { requests, object, ingest, recompute, queue, total: requests + object + ingest + recompute + queue };
}

export function naiveBillOf(size: number, rows: Rows): Bill {
  const [requests, ingest] = [PRICES.requests / size, priceOf(rows)];
  return { requests, object: 0, ingest, recompute: 0, queue: 0, total: requests + ingest };
}

/** Operations of R2 per file: its version is read, it is written and read back. Deleting it is free. */
const FILE = { writes: 1, reads: 2 };
/** GB of a million messages. */
const gigabytes = (bytesEach: number): number => (bytesEach * 1_000_000) / 1_000_000_000;

export interface StorageBill {
  /** The cost of a month in D1. */
  hotMonth: number;
  /** The cost of taking messages out of D1. */
  move: number;
  /** The cost of a year in R2, with the operations that write the files. */
  archivedYear: number;
}

/** Computes what it costs to keep a million messages. */
export function storageBillOf({ hotBytes, archivedBytes, fileMessages, rows }: ArchiveCost): StorageBill {
  const operations = FILE.writes * PRICES.bucketWrites + FILE.reads * PRICES.bucketReads;
  return {
    hotMonth: gigabytes(hotBytes) * PRICES.databaseGigabytes,
    move: priceOf(rows),
    archivedYear: gigabytes(archivedBytes) * PRICES.bucketGigabytes * 12 + operations / fileMessages,
  };
}
