/**
 * Keeps room in a nearly full database for the recompute and the archive, which make room: ingest stops a little before D1
 * refuses to grow. The results of this isolate's own writes have the size. So only a full database costs a round trip.
 */
import { maxDatabaseBytes } from "../../config.ts";
import { INGEST_SHARE } from "../../core/database-size.ts";
import { databaseOf } from "../client/database.ts";
import { DatabaseUnavailable } from "../client/faults.ts";
import { runBatch, statement } from "../client/statements.ts";

const MEASURE_AGAIN_MS = 10_000;

/** When each full database was last measured, in milliseconds since the epoch. */
const measuredAt = new Map<string, number>();

/** Remembers whether a database is full. @param now milliseconds since the epoch */
export function noteSize(env: Env, database: string, { meta }: D1Result, now: number): void {
  if (meta.size_after < INGEST_SHARE * maxDatabaseBytes(env)) measuredAt.delete(database);
  else measuredAt.set(database, now);
}

/** @throws DatabaseUnavailable when the database is full */
export async function requireRoom(env: Env, database: string, now: number): Promise<void> {
  const at = measuredAt.get(database);
  if (at === undefined) return;
  if (Math.abs(now - at) >= MEASURE_AGAIN_MS) {
    const [result] = await runBatch(databaseOf(env, { database }), [statement("SELECT 1")]);
    noteSize(env, database, result, now);
  }
  if (measuredAt.has(database)) throw new DatabaseUnavailable("the database is full but for its reserve", true, "full");
}
