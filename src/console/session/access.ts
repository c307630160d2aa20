/** Single sign-on by Cloudflare Access, whose token each request carries: docs/decisions/0047-people-sign-in-by-access.md. */
import { createLocalJWKSet, createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from "jose";

import { type AccessSettings, accessSettings } from "../../config.ts";
import type { Proof } from "../../db/workspaces/find-workspace.ts";
import type { AppContext } from "../../edge/app-context.ts";

const COOLDOWN_MS = 30_000;
const keySets = new Map<string, JWTVerifyGetKey>();

function keysOf(team: string): JWTVerifyGetKey {
  const keys = keySets.get(team) ?? remoteKeys(new URL(`${team}/cdn-cgi/access/certs`));
  keySets.set(team, keys);
  return keys;
}

/**
 * Caches a team's keys for ten minutes, and asks for an unknown one at most every 30 s, also while the team doesn't answer: then
 * the known keys stay in use.
 */
function remoteKeys(url: URL): JWTVerifyGetKey {
  const remote = createRemoteJWKSet(url, { cooldownDuration: COOLDOWN_MS });
  let failedAt = -Infinity;
  return async (header, token) => {
    const known = remote.jwks();
    const now = Date.now();
    if (known !== undefined && now >= failedAt && now < failedAt + COOLDOWN_MS)
      return createLocalJWKSet(known)(header, token);
    try {
      return await remote(header, token);
    } catch (error) {
      if (!isFault(error)) throw error;
      failedAt = now;
      if (known === undefined) throw error;
      return createLocalJWKSet(known)(header, token);
    }
  };
}

const FAULTS = new Set([errors.JOSEError.code, errors.JWKSTimeout.code, errors.JWKSInvalid.code]);

const isFault = (error: unknown): boolean => !(error instanceof errors.JOSEError) || FAULTS.has(error.code);

/** The team's keys can't be read. */
export class KeysUnavailable extends Error {}

/**
 * Reads who signed in: the e-mail address in lower case, `null` without a token, or `invalid` for a token of anybody but a person
 * of this team and application.
 * @throws KeysUnavailable
 */
export async function readAccess(c: AppContext): Promise<Proof | "invalid" | null> {
  const access = accessSettings(c.env);
  const token = c.req.header("Cf-Access-Jwt-Assertion");
  if (access === null || token === undefined) return null;
  try {
    return await emailIn(token, access);
  } catch (error) {
    if (isFault(error))
      throw new KeysUnavailable(`The keys of ${access.team} can't be read: ${String(error)}`, { cause: error });
    return "invalid";
  }
}

/** Service tokens have no e-mail address. @throws JOSEError */
async function emailIn(token: string, { team, audience }: AccessSettings): Promise<Proof | "invalid"> {
  const { payload } = await jwtVerify(token, keysOf(team), {
    algorithms: ["RS256"],
    issuer: team,
    audience,
    requiredClaims: ["exp"],
  });
  const { email } = payload;
  // Lower case maps some other letters to ASCII, such as the Kelvin sign.
  const isPlain = typeof email === "string" && /^[\x21-\x7e]+$/.test(email);
  return isPlain ? { by: "person", email: email.toLowerCase() } : "invalid";
}
