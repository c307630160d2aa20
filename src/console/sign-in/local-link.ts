/**
 * The link that `npm start` prints and that signs in by itself: it is signed with the admin token, ends soon, and is good
 * on the machine alone that it was made on. Who can make one has the token anyway.
 */
import { MIN_ADMIN_TOKEN_CHARS } from "../../config.ts";
import { sameSecret } from "../../http/middleware/admin-token.ts";
import { isLocal } from "./local-hosts.ts";
import { derivedKey } from "../session/cookie.ts";

/** @param link `<milliseconds since the epoch>.<signature>` */
export async function isGoodLink(env: Env, url: URL, link: string): Promise<boolean> {
  const token = env.ADMIN_TOKEN ?? "";
  const [endsAt = "", signature = ""] = link.split(".");
  if (token.length < MIN_ADMIN_TOKEN_CHARS || !isLocal(url)) return false;
  const isRight = await sameSecret(await derivedKey(token, `console link ${endsAt}`), signature);
  return isRight && Date.now() < Number(endsAt);
}
