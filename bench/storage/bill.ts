/** Computes what it costs to keep a million messages. */
import { PRICES } from "../cost/prices.ts";
import type { ArchiveCost } from "./archive.ts";

/** Operations of R2 per file: its version is read, it is written and read back. Deleting it is free. */
const FILE = { writes: 1, reads: 2 };
/** GB of a million messages. */
const gigabytes = (bytesEach: number): number => (bytesEach * 1_000_000) / 1_000_000_000;

export interface StorageBill {
  /** A month in D1. */
  hotMonth: number;
  /** Taking messages out of D1. */
  move: number;
  /** A year in R2, with the operations that write the files. */
  archivedYear: number;
}

export function storageBillOf({ hotBytes, archivedBytes, fileMessages, rows }: ArchiveCost): StorageBill {
  const operations = FILE.writes * PRICES.bucketWrites.each + FILE.reads * PRICES.bucketReads.each;
  return {
    hotMonth: gigabytes(hotBytes) * PRICES.databaseGigabytes.each,
    move: rows.read * PRICES.rowsRead.each + rows.written * PRICES.rowsWritten.each,
    archivedYear: gigabytes(archivedBytes) * PRICES.bucketGigabytes.each * 12 + operations / fileMessages,
  };
}
