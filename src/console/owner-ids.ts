/**
 * Owners in addresses. Owners are people, and addresses are logged, so filters have an owner's name encrypted. The same name always
 * gets the same id: addresses stay comparable. A new admin token ends the ids, as it ends sessions.
 */
import { decodeBase64Url, encodeBase64Url } from "hono/utils/encode";

import type { AppContext } from "../edge/app-context.ts";
import { deriveKey } from "./session/cookie.ts";

/** The id of a name of 128 characters, of four bytes each, is shorter. */
export const MAX_OWNER_ID_CHARACTERS = 800;
const IV_BYTES = 12;

export interface Owner {
  id: string;
  name: string;
}

export interface OwnerIds {
  of: (name: string) => Promise<Owner>;
  /** Returns the owner with an id; `undefined` without one, and for an id of another workspace or admin token. */
  find: (id: string | undefined) => Promise<Owner | undefined>;
}

export async function ownerIds(c: AppContext): Promise<OwnerIds> {
  const secret = await deriveKey(c.env.ADMIN_TOKEN ?? "", `owners of ${c.get("workspace").id}`);
  const key = await crypto.subtle.importKey("raw", bytesOf(secret), "AES-GCM", false, ["encrypt", "decrypt"]);
  return {
    async of(name) {
      const iv = bytesOf(await deriveKey(secret, name)).subarray(0, IV_BYTES);
      const text = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, new TextEncoder().encode(name));
      const bytes = new Uint8Array([...iv, ...new Uint8Array(text)]);
      return { id: encodeBase64Url(bytes.buffer).replaceAll("=", ""), name };
    },
    async find(id) {
      if (id === undefined) return undefined;
      try {
        const bytes = new Uint8Array(decodeBase64Url(id));
        const cipher = { name: "AES-GCM", iv: bytes.subarray(0, IV_BYTES) };
        const text = await crypto.subtle.decrypt(cipher, key, bytes.subarray(IV_BYTES));
        return { id, name: new TextDecoder().decode(text) };
      } catch {
        return undefined;
      }
    },
  };
}

const bytesOf = (hexadecimal: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hexadecimal.match(/../g) ?? [], (byte) => parseInt(byte, 16));

/** The owners to choose from, with the one that is chosen. */
export const withChosen = (owners: readonly Owner[], chosen: Owner | undefined): readonly Owner[] =>
  chosen === undefined || owners.some(({ id }) => id === chosen.id) ? owners : [chosen, ...owners];
