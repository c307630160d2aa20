/**
 * Finds the secrets of the local service: ADMIN_TOKEN and SECRETS_KEY in the environment, else those in .dev.vars. The first
 * start writes .dev.vars with random ones; a later one only adds a SECRETS_KEY that is missing. Wrangler reads both itself, so
 * that no command line shows them.
 */
import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";

import { type Settings, StartFailure } from "./settings.ts";

/** The service's own rule: with a shorter token it has no `/admin`, and with a shorter key it sends no notifications. */
const MIN_SECRET_CHARS = 32;

export interface AdminToken {
  value: string;
  source: "environment" | ".dev.vars";
}

export function devVarsPath({ root }: Settings): string {
  return join(root, ".dev.vars");
}

/** Writes `.dev.vars` if a secret needs it. @throws StartFailure when the token is too short, or .dev.vars has none */
export function adminToken(settings: Settings): AdminToken {
  const path = devVarsPath(settings);
  if (!existsSync(path) && (settings.adminToken === null || settings.secretsKey === null)) {
    const comment = "# Written by `npm start`: the secrets of the service on this machine. Don't commit this file.";
    writeFileSync(path, `${comment}\nADMIN_TOKEN=${newSecret()}\n`, { mode: 0o600, flag: "wx" });
  }
  return secretOf(settings, "ADMIN_TOKEN", settings.adminToken);
}

/** Adds a key to `.dev.vars` if it lacks one. Call it after `adminToken`. @throws StartFailure when it or the previous one is too short */
export function ensureSecretsKey(settings: Settings): void {
  if (settings.secretsKey === null && !readDevVars(settings)["SECRETS_KEY"])
    appendFileSync(devVarsPath(settings), `\nSECRETS_KEY=${newSecret()}\n`);
  secretOf(settings, "SECRETS_KEY", settings.secretsKey);
  for (const name of previousSecrets(settings)) secretOf(settings, name, PREVIOUS[name](settings));
}

const PREVIOUS = {
  SECRETS_KEY_PREVIOUS: (settings: Settings) => settings.previousSecretsKey,
  ADMIN_TOKEN_PREVIOUS: (settings: Settings) => settings.previousAdminToken,
};

/** The names of the secrets before a rotation that are set. */
export const previousSecrets = (settings: Settings) =>
  (["SECRETS_KEY_PREVIOUS", "ADMIN_TOKEN_PREVIOUS"] as const).filter(
    (name) => PREVIOUS[name](settings) !== null || Boolean(readDevVars(settings)[name]),
  );

function secretOf(settings: Settings, name: string, given: string | null): AdminToken {
  const secret: AdminToken =
    given === null
      ? { value: readDevVars(settings)[name] ?? "", source: ".dev.vars" }
      : { value: given, source: "environment" };
  if (secret.value.length < MIN_SECRET_CHARS) {
    const where = secret.source === "environment" ? "the environment" : secret.source;
    throw new StartFailure(
      `${name} in ${where} ${secret.value === "" ? "is missing" : "is too short"}. ` +
        `It needs at least ${MIN_SECRET_CHARS} characters, for example ${newSecret()}`,
    );
  }
  return secret;
}

function readDevVars(settings: Settings): NodeJS.Dict<string> {
  const path = devVarsPath(settings);
  return existsSync(path) ? parseEnv(readFileSync(path, "utf8")) : {};
}

function newSecret(): string {
  return randomBytes(32).toString("hex");
}
