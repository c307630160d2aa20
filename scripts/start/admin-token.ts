/**
 * Finds the admin token of the local service: ADMIN_TOKEN in the environment, else the one in .dev.vars. The first start
 * writes .dev.vars with a random token; no later one changes it. Wrangler reads both itself, so that no command line
 * shows the token.
 */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";

import { type Settings, StartFailure } from "./settings.ts";

/** The service's own rule: with a shorter token it has no `/admin`. */
const MIN_TOKEN_CHARS = 32;

export interface AdminToken {
  value: string;
  source: "environment" | ".dev.vars";
}

export function devVarsPath({ root }: Settings): string {
  return join(root, ".dev.vars");
}

/** @throws StartFailure when the token is too short, or .dev.vars has none */
export function adminToken(settings: Settings): AdminToken {
  const token: AdminToken =
    settings.adminToken === null
      ? { value: readDevVars(devVarsPath(settings)), source: ".dev.vars" }
      : { value: settings.adminToken, source: "environment" };
  if (token.value.length < MIN_TOKEN_CHARS) {
    const where = token.source === "environment" ? "the environment" : token.source;
    throw new StartFailure(
      `ADMIN_TOKEN in ${where} ${token.value === "" ? "is missing" : "is too short"}. ` +
        `It needs at least ${MIN_TOKEN_CHARS} characters, for example ${newToken()}`,
    );
  }
  return token;
}

function readDevVars(path: string): string {
  if (!existsSync(path)) {
    const comment = "# Written by `npm start`: the admin token of the service on this machine. Don't commit this file.";
    writeFileSync(path, `${comment}\nADMIN_TOKEN=${newToken()}\n`, { mode: 0o600, flag: "wx" });
  }
  return parseEnv(readFileSync(path, "utf8"))["ADMIN_TOKEN"] ?? "";
}

function newToken(): string {
  return randomBytes(32).toString("hex");
}
