/**
 * The few words of the platform that src/db is written in, for programs that run it on Node. The whole of the
 * platform's types would take the place of Node's.
 */
import type * as Workers from "@cloudflare/workers-types/index.ts";

declare global {
  type D1Database = Workers.D1Database;
  type D1PreparedStatement = Workers.D1PreparedStatement;
  type D1Result<T = unknown> = Workers.D1Result<T>;
  interface Env {
    DB: D1Database;
    RECOMPUTE_BUDGET_MS: string;
    HOT_DAYS: string;
    ARCHIVE_DAYS: string;
    MAX_DATABASE_BYTES: string;
  }
}
