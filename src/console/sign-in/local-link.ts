/**
 * The sign-in link that `npm start` prints. It is signed with the admin token, expires soon and works only on a local
 * host. Anyone who can create one already has the token.
 */
import { sameSecret } from "../../edge/same-secret.ts";
import { deriveKey } from "../session/cookie.ts";

const LOCAL_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether only this machine can reach a host. Sign-in links work on no other host. */
export const isLocal = ({ hostname }: URL): boolean => LOCAL_HOSTS.has(hostname);

/** @param link `<expiry in milliseconds since the epoch>.<signature>` */
export async function isValidLink(env: Env, url: URL, link: string): Promise<boolean> {
  const [expiresAt = "", signature = ""] = link.split(".");
  const isSigned = await sameSecret(await deriveKey(env.ADMIN_TOKEN ?? "", `console link ${expiresAt}`), signature);
  return isSigned && isLocal(url) && Date.now() < Number(expiresAt);
}
