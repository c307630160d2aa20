/**
 * The few words of the platform that src/db and src/archive are written in, for programs that run it on Node. The whole of the
 * platform's types would take the place of Node's.
 */
import type * as Workers from "@cloudflare/workers-types/index.ts";

declare global {
  type D1Database = Workers.D1Database;
  type D1DatabaseSession = Workers.D1DatabaseSession;
  type D1PreparedStatement = Workers.D1PreparedStatement;
  type D1Result<T = unknown> = Workers.D1Result<T>;
  type R2Object = Workers.R2Object;
  type R2Objects = Workers.R2Objects;
  type R2ObjectBody = Workers.R2ObjectBody;
  type R2ListOptions = Workers.R2ListOptions;
  interface Env {
    DB: D1Database;
    ARCHIVE: Workers.R2Bucket;
    RECOMPUTE_BUDGET_MS: string;
    HOT_DAYS: string;
    ARCHIVE_DAYS: string;
    MAX_DATABASE_BYTES: string;
    HISTORY_DAYS: string;
  }
}
