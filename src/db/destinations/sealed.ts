/** Finds the destinations whose secrets an earlier key has sealed, and replaces what it sealed. */
import { and, eq, ne, sql } from "drizzle-orm";

import { databaseOf } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { isLive } from "../client/sql-fragments.ts";
import { destinations } from "../schema/schema.ts";
import type { Destination } from "./destinations.ts";

/** A part for each hour. */
const MAX_RESEALED = 100;

type SealedSecrets = Pick<Destination, "number" | "id" | "sealed" | "sealedBy">;

const isLiveHere = sql.raw(isLive("destinations.workspace"));

export function listSealedByOthers(env: Env, database: string, keyName: string): Promise<SealedSecrets[]> {
  const { number, id, sealed, sealedBy } = destinations;
  return withRetry(() =>
    databaseOf(env, { database })
      .select({ number, id, sealed, sealedBy })
      .from(destinations)
      .where(and(ne(sealedBy, keyName), isLiveHere))
      .limit(MAX_RESEALED),
  );
}

/** Replaces the secrets, unless they have changed. */
export async function replaceSealed(
  env: Env,
  database: string,
  { number, id, sealed }: SealedSecrets,
  replacement: Pick<SealedSecrets, "sealed" | "sealedBy">,
): Promise<void> {
  const isSame = and(eq(destinations.number, number), eq(destinations.id, id), eq(destinations.sealed, sealed));
  await withRetry(() =>
    databaseOf(env, { database }).update(destinations).set(replacement).where(and(isSame, isLiveHere)),
  );
}
