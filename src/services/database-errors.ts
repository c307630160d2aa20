export { DatabaseUnavailable } from "../db/client/faults.ts";
export { pingDatabase } from "../db/client/ping.ts";
export type { SortPosition } from "../db/client/sort-position.ts";
