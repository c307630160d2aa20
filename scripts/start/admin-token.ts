/**
 * The admin token of the local service: ADMIN_TOKEN of the environment, else that of .dev.vars, which is made with a
 * random one the first time and never touched again. Wrangler reads both itself, so the token is on no command line.
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

/** @throws StartFailure when there is a token, and it is too short to be one, or a .dev.vars without any. */
export function adminToken(settings: Settings): AdminToken {
  const token: AdminToken =
    settings.adminToken === null
      ? { value: tokenOfDevVars(devVarsPath(settings)), source: ".dev.vars" }
      : { value: settings.adminToken, source: "environment" };
  if (token.value.length < MIN_TOKEN_CHARS) {
    const where = token.source === "environment" ? "the environment" : token.source;
    throw new StartFailure(
      `ADMIN_TOKEN in ${where} ${token.value === "" ? "is missing" : "is too short"}: ` +
        `it needs ${MIN_TOKEN_CHARS} characters. A good one: ${newToken()}`,
    );
  }
  return token;
}

function tokenOfDevVars(path: string): string {
  if (!existsSync(path)) {
    const comment = "# Made by `npm start`: the admin token of the service on this machine. Not for the repository.";
    writeFileSync(path, `${comment}\nADMIN_TOKEN=${newToken()}\n`, { mode: 0o600, flag: "wx" });
  }
  return parseEnv(readFileSync(path, "utf8"))["ADMIN_TOKEN"] ?? "";
}

function newToken(): string {
  return randomBytes(32).toString("hex");
}
