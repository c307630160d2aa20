import { newApiKey, type Scope } from "../../core/api-key.ts";
import { hex } from "../../core/hex.ts";
import type { NewKey } from "../../db/workspaces/api-keys.ts";
import { hashKey } from "./api-keys.ts";

const ID_BYTES = 12;

/** A key's text, which is shown once, and the record that is stored. The text can't be recovered from the record. */
export interface GeneratedKey {
  key: string;
  record: NewKey;
}

/** Generates a key. */
export async function generateKey(
  name: string | null,
  scopes: Scope[] | null,
  now: number,
  id = randomId("key"),
): Promise<GeneratedKey> {
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

/** Generates a public id: `<prefix>_` and 96 random bits in hex. */
export function randomId(prefix: string): string {
  return `${prefix}_${hex(crypto.getRandomValues(new Uint8Array(ID_BYTES)))}`;
}
