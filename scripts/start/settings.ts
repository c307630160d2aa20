/** Reads and checks the environment variables of `npm start` and `npm run demo`. */
import { createServer } from "node:net";
import { resolve } from "node:path";

import { type AccessSettings, accessSettings } from "../../src/config.ts";

/** A problem that the user can fix: printed without a stack. */
export class StartFailure extends Error {
  override name = "StartFailure";
}

export interface Settings {
  /** The project's folder, with wrangler.toml, migrations and .dev.vars. */
  root: string;
  /** The address to listen on. Loopback by default, because the local service has no TLS. */
  address: string;
  port: number;
  /** The folder of the local D1 and Durable Objects. */
  stateDir: string;
  /** The minimum number of databases. */
  databases: number;
  /** ADMIN_TOKEN of the environment, which overrides .dev.vars; null when unset. */
  adminToken: string | null;
  /** SECRETS_KEY of the environment, likewise. */
  secretsKey: string | null;
  /** SECRETS_KEY_PREVIOUS of the environment, likewise. */
  previousSecretsKey: string | null;
  /** ADMIN_TOKEN_PREVIOUS of the environment, likewise. */
  previousAdminToken: string | null;
  /** ACCESS_TEAM_DOMAIN and ACCESS_AUD of the environment, as the Worker gets them. */
  access: AccessSettings | null;
  /** Whether notifications may go to loopback. */
  allowLocalDestinations: boolean;
}

export const DEFAULT_ADDRESS = "127.0.0.1";
export const DEFAULT_PORT = 8787;
/** Each takes a second to migrate. */
export const MAX_DATABASES = 32;

export function readSettings(root: string, env: NodeJS.ProcessEnv): Settings {
  const port = Number(env["PORT"] || DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new StartFailure(`PORT is "${env["PORT"]}". It must be a number from 1 to 65535.`);
  }
  const databases = Number(env["DATABASES"] || 1);
  if (!Number.isInteger(databases) || databases < 1 || databases > MAX_DATABASES) {
    throw new StartFailure(`DATABASES is "${env["DATABASES"]}". It must be a number from 1 to ${MAX_DATABASES}.`);
  }
  return {
    root,
    port,
    databases,
    address: env["BIND_ADDRESS"] || DEFAULT_ADDRESS,
    stateDir: resolve(root, env["STATE_DIR"] || ".wrangler/state"),
    adminToken: env["ADMIN_TOKEN"] || null,
    secretsKey: env["SECRETS_KEY"] || null,
    previousSecretsKey: env["SECRETS_KEY_PREVIOUS"] || null,
    previousAdminToken: env["ADMIN_TOKEN_PREVIOUS"] || null,
    access: readAccess(env),
    allowLocalDestinations: env["ALLOW_LOCAL_DESTINATIONS"] === "true",
  };
}

function readAccess(env: NodeJS.ProcessEnv): AccessSettings | null {
  try {
    return accessSettings({ ACCESS_TEAM_DOMAIN: env["ACCESS_TEAM_DOMAIN"], ACCESS_AUD: env["ACCESS_AUD"] });
  } catch (error) {
    if (error instanceof RangeError) throw new StartFailure(`${error.message}.`);
    throw error;
  }
}

/** Returns the URL of the service on this machine. */
export function baseUrl({ address, port }: Settings): string {
  const host = address === "0.0.0.0" || address === "::" ? "127.0.0.1" : address;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Fails before anything else is done, so that the user learns of a taken port at once. */
export function assertPortIsFree({ address, port }: Settings): Promise<void> {
  return new Promise((free, reject) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(
        new StartFailure(
          error.code === "EADDRINUSE"
            ? `Port ${port} is taken. Stop the program that uses it, or choose another port: PORT=8788 npm start`
            : `Cannot listen on ${address}:${port} (${error.code ?? error.message}).`,
        ),
      );
    });
    server.listen({ host: address, port, exclusive: true }, () => server.close(() => free()));
  });
}
