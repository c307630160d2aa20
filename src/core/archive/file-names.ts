/** The names of files in the archive: docs/wire/export.md §17. */
import { DAY_MS } from "../durations.ts";

/** A file has messages with consecutive seqs. */
interface ArchivedRange {
  /** Days since the epoch. */
  day: number;
  first: number;
  last: number;
}

/** Returns the prefix of all keys of a workspace. */
export const archivePrefix = (workspaceId: string): string => `v1/${workspaceId}/`;

/** Returns the prefix of all keys of a workspace's backups, which are folders. */
export const backupPrefix = (workspaceId: string): string => `backups/${workspaceId}/`;

/** Returns the name of the backup that began at a time. Names sort by time. @param at milliseconds since the epoch */
export const backupName = (at: number): string => new Date(at).toISOString().replaceAll(":", "");

/** Returns when a backup began, in ISO 8601. */
export const beginningOf = (name: string): string => name.replace(/T(\d\d)(\d\d)/, "T$1:$2:");

/** Returns the seqs without the workspace's number: its first message has the number 1. */
const numberRange = ({ first, last }: ArchivedRange): string => `${first % 2 ** 32}-${last % 2 ** 32}`;
const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Returns the key in the bucket. Its folders are Hive-style partitions, which DuckDB and ClickHouse understand. */
export const archiveKey = (workspaceId: string, file: ArchivedRange): string =>
  `${archivePrefix(workspaceId)}received_date=${dateOf(file.day)}/${numberRange(file)}.parquet`;

/** Returns the name in the API, which is one segment of a path. */
export const archiveFileName = (file: ArchivedRange): string => `${dateOf(file.day)}_${numberRange(file)}.parquet`;

/** Reads the number of the first message from a name. @returns 0 for a name that no file can have */
export const firstMessageNumber = (name: string): number => Number(/_([1-9]\d{0,9})-/.exec(name)?.[1] ?? 0);

const KEY = /\/received_date=(\d{4}-\d\d-\d\d)\/([1-9]\d*)-([1-9]\d*)\.parquet$/;

/** Reads the day from a key and the numbers of the first and the last message within the workspace. @returns `null` for another key */
export function parseArchiveKey(key: string): ArchivedRange | null {
  const [, date, first, last] = KEY.exec(key) ?? [];
  return date === undefined ? null : { day: Date.parse(date) / DAY_MS, first: Number(first), last: Number(last) };
}
