import { newApiKey, type Scope } from "../../core/api-key.ts";
import type { NewKey } from "../../db/workspaces/api-keys.ts";
import { hashKey } from "../../http/middleware/credentials.ts";
import { hex } from "../../core/hex.ts";

const ID_BYTES = 12;

/** Makes a key: the text to show once, and the record to store, which can't be turned back into it. */
export async function makeKey(
  name: string | null,
  scopes: Scope[] | null,
  now: number,
  id = randomId("key"),
): Promise<{ key: string; record: NewKey }> {
  const key = newApiKey((count) => crypto.getRandomValues(new Uint8Array(count)));
  const record = {
    id,
    name,
    scopes,
    hash: await hashKey(key),
    lastFour: key.slice(-4),
    createdAt: now,
  };
  return { key, record };
}

/** A public id: `<prefix>_` and 96 random bits in hex. */
export function randomId(prefix: string): string {
  return `${prefix}_${hex(crypto.getRandomValues(new Uint8Array(ID_BYTES)))}`;
}
