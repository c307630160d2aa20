/** What entry points need of the database itself: whether it answers, its fault, and the positions in sorted lists. */
export { DatabaseUnavailable } from "../db/client/faults.ts";
export { pingDatabase } from "../db/client/ping.ts";
export type { SortPosition } from "../db/client/sort-position.ts";
