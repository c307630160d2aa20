/** Single sign-on by Cloudflare Access, whose token each request carries: docs/decisions/0047-people-sign-in-by-access.md. */
import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from "jose";

import { type AccessSettings, accessSettings } from "../../config.ts";
import type { Proof } from "../../db/workspaces/find-workspace.ts";
import type { AppContext } from "../../edge/app-context.ts";

/** Caches a team's keys for ten minutes, and asks for an unknown one at most every 30 s. */
const keySets = new Map<string, JWTVerifyGetKey>();

function keysOf(team: string): JWTVerifyGetKey {
  const keys = keySets.get(team) ?? createRemoteJWKSet(new URL(`${team}/cdn-cgi/access/certs`));
  keySets.set(team, keys);
  return keys;
}

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
    if (!(error instanceof errors.JOSEError) || FAULTS.has(error.code))
      throw new KeysUnavailable(`The keys of ${access.team} can't be read: ${String(error)}`, { cause: error });
    return "invalid";
  }
}

const FAULTS = new Set([errors.JOSEError.code, errors.JWKSTimeout.code, errors.JWKSInvalid.code]);

/** Service tokens have no e-mail address. @throws JOSEError */
async function emailIn(token: string, { team, audience }: AccessSettings): Promise<Proof | "invalid"> {
  const { payload } = await jwtVerify(token, keysOf(team), {
    algorithms: ["RS256"],
    issuer: team,
    audience,
    requiredClaims: ["exp"],
  });
  const { email } = payload;
  return typeof email === "string" && email !== "" ? { by: "person", email: email.toLowerCase() } : "invalid";
}
