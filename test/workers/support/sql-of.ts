import type { Prepared } from "../../../src/db/client/prepare.ts";

/** The text of a prepared statement, as it is sent to D1. */
export const sqlOf = (query: Prepared<unknown>): string => query.bind(new Proxy({}, { get: () => 0 })).sql;
