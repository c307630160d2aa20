/** Finds the keys whose signing secrets an earlier `SECRETS_KEY` has sealed, and replaces what it sealed. */
import { and, eq, isNull, ne } from "drizzle-orm";

import { directory } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { apiKeys } from "../schema/schema.ts";

/** A part for each hour. */
const MAX_RESEALED = 100;

interface SealedKey {
  id: string;
  sealed: string;
  sealedBy: string;
}

export async function listKeysSealedByOthers(env: Env, keyName: string): Promise<SealedKey[]> {
  const { id, sealed, sealedBy } = apiKeys;
  const isOther = and(ne(sealedBy, keyName), isNull(apiKeys.revokedAt));
  const rows = await withRetry(() =>
    directory(env).select({ id, sealed, sealedBy }).from(apiKeys).where(isOther).limit(MAX_RESEALED),
  );
  return rows.flatMap((row) =>
    row.sealed === null || row.sealedBy === null ? [] : [{ id: row.id, sealed: row.sealed, sealedBy: row.sealedBy }],
  );
}

export async function replaceSealedKey(env: Env, { id }: SealedKey, replacement: Omit<SealedKey, "id">): Promise<void> {
  await withRetry(() => directory(env).update(apiKeys).set(replacement).where(eq(apiKeys.id, id)));
}
