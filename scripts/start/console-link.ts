import { createHmac } from "node:crypto";

import { isLocal } from "../../src/console/sign-in/local-hosts.ts";

const LINK_MS = 60 * 60 * 1_000;

/**
 * Creates a link that signs in to the local service's console for an hour (src/console/sign-in/route.tsx).
 *
 * @param path the page to open
 * @returns null on a host that other machines can reach: links don't sign in there
 */
export function consoleLink(url: string, adminToken: string, path: string): string | null {
  if (!isLocal(new URL(url))) return null;
  const endsAt = String(Date.now() + LINK_MS);
  const signature = createHmac("sha256", adminToken).update(`console link ${endsAt}`).digest("hex");
  return `${url}/console/sign-in?link=${endsAt}.${signature}&to=${encodeURIComponent(path)}`;
}
