/**
 * The sign-in link that `npm start` prints. It is signed with the admin token, expires soon and works only on a local
 * host. Anyone who can create one already has the token.
 */
import { sameSecret } from "../../edge/same-secret.ts";
import { deriveKey } from "../session/cookie.ts";
import { isLocal } from "./local-hosts.ts";

/** @param link `<expiry in milliseconds since the epoch>.<signature>` */
export async function isValidLink(env: Env, url: URL, link: string): Promise<boolean> {
  const [expiresAt = "", signature = ""] = link.split(".");
  const isSigned = await sameSecret(await deriveKey(env.ADMIN_TOKEN ?? "", `console link ${expiresAt}`), signature);
  return isSigned && isLocal(url) && Date.now() < Number(expiresAt);
}
