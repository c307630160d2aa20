/** What entry points need of the database and the archive themselves: whether they answer, their faults, and the positions in sorted lists. */
export { ArchiveUnavailable } from "../archive/store.ts";
export { DatabaseUnavailable } from "../db/client/faults.ts";
export { pingDatabases } from "../db/databases/databases.ts";
export type { SortPosition } from "../db/client/sort-position.ts";
