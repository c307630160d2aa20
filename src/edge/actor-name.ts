import { ADMINISTRATOR } from "../core/inbox/marks.ts";
import type { KeyGrant } from "../db/workspaces/api-keys.ts";

/**
 * Names who marks an item or an account: the name of the API key, else its id.
 * @param key `null` for the administrator
 */
export const actorNameOf = (key: Pick<KeyGrant, "keyId" | "name"> | null): string =>
  key === null ? ADMINISTRATOR : (key.name ?? key.keyId);
