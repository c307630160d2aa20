/** The names of files in the archive: docs/wire.md §17. */
import { DAY_MS } from "../durations.ts";

/** A file has messages with consecutive numbers. The first message of a workspace has the number 1. */
export interface ArchiveName {
  /** Days since the epoch. */
  day: number;
  first: number;
  last: number;
}

/** The prefix of all keys of a workspace. */
export const archivePrefix = (workspaceId: string): string => `v1/${workspaceId}/`;

const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** The key in the bucket. Its folders are partitions in the manner of Hive, which DuckDB and ClickHouse understand. */
export const archiveKey = (workspaceId: string, { day, first, last }: ArchiveName): string =>
  `${archivePrefix(workspaceId)}received_date=${dateOf(day)}/${first}-${last}.parquet`;

/** The name in the API, which is one segment of a path. */
export const archiveName = ({ day, first, last }: ArchiveName): string => `${dateOf(day)}_${first}-${last}.parquet`;

/** Reads the number of the first message from a name. @returns `null` for a name that no file can have */
export const firstIn = (name: string): number | null => Number(/_([1-9]\d{0,9})-/.exec(name)?.[1] ?? 0) || null;
