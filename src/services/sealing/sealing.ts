/**
 * Encrypts secrets with the deployment's secret `SECRETS_KEY`: the URL and the signing secret of a destination, and the
 * signing secret of a key. So neither a copy of the database nor a backup reveals them. After a rotation
 * `SECRETS_KEY_PREVIOUS` still decrypts.
 */
import { hex } from "../../core/hex.ts";

const MIN_SECRETS_KEY_CHARS = 32;
const IV_BYTES = 12;
const SEALED_BY_DIGITS = 8;

export interface Sealed {
  /** Base64 of the initialization vector and the encrypted JSON. */
  sealed: string;
  /** Names the key without revealing it. */
  sealedBy: string;
}

interface Keys {
  SECRETS_KEY?: string;
  SECRETS_KEY_PREVIOUS?: string;
}

/**
 * @param id of the destination or key: what is sealed for one can't be opened for another
 * @param secrets JSON
 * @throws RangeError when `SECRETS_KEY` is too short
 */
export async function seal({ SECRETS_KEY }: Keys, id: string, secrets: object): Promise<Sealed> {
  const { key, name } = await deriveKey("SECRETS_KEY", SECRETS_KEY);
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const text = new TextEncoder().encode(JSON.stringify(secrets));
  const encrypted = new Uint8Array(await crypto.subtle.encrypt(cipher(iv, id), key, text));
  return { sealed: btoa(String.fromCharCode(...iv, ...encrypted)), sealedBy: name };
}

/**
 * Returns what `seal` was given.
 * @throws Error when neither key of the deployment has sealed it, or it was changed
 */
export async function unseal<T extends object>(
  keys: Keys,
  { id, sealed, sealedBy }: Sealed & { id: string },
): Promise<T> {
  for (const name of ["SECRETS_KEY", "SECRETS_KEY_PREVIOUS"] as const) {
    if (name === "SECRETS_KEY_PREVIOUS" && !keys[name]) continue;
    const derived = await deriveKey(name, keys[name]);
    if (derived.name !== sealedBy) continue;
    const bytes = Uint8Array.from(atob(sealed), (char) => char.charCodeAt(0));
    const iv = bytes.subarray(0, IV_BYTES);
    const text = await crypto.subtle.decrypt(cipher(iv, id), derived.key, bytes.subarray(IV_BYTES));
    return JSON.parse(new TextDecoder().decode(text));
  }
  throw new Error(`The secrets of ${id} were sealed with the key ${sealedBy}, which is not set.`);
}

/** Returns the name of the key that seals now. */
export const currentKeyName = async ({ SECRETS_KEY }: Keys): Promise<string> =>
  (await deriveKey("SECRETS_KEY", SECRETS_KEY)).name;

const cipher = (iv: Uint8Array, id: string) => ({
  name: "AES-GCM",
  iv,
  additionalData: new TextEncoder().encode(id),
});

/** @throws RangeError that names the variable */
async function deriveKey(variable: keyof Keys, text = ""): Promise<{ key: CryptoKey; name: string }> {
  if (text.length < MIN_SECRETS_KEY_CHARS)
    throw new RangeError(`${variable} must have at least ${MIN_SECRETS_KEY_CHARS} characters`);
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const name = hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))).slice(0, SEALED_BY_DIGITS);
  return { key: await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]), name };
}
