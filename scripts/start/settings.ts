/**
 * What `npm start` reads from the environment, checked once, with an answer that says what to change.
 */
import { createServer } from "node:net";
import { resolve } from "node:path";

/** Something the user can put right: printed without a stack. */
export class StartFailure extends Error {
  override name = "StartFailure";
}

export interface Settings {
  /** The project's folder: wrangler.toml, migrations and .dev.vars are there. */
  root: string;
  /** The address to listen on. Loopback unless BIND_ADDRESS says otherwise: the demo has no TLS. */
  address: string;
  port: number;
  /** Where the embedded D1 and the Durable Objects keep their files. */
  stateDir: string;
  /** ADMIN_TOKEN of the environment, which wins over .dev.vars; null when there is none. */
  adminToken: string | null;
}

export const DEFAULT_ADDRESS = "127.0.0.1";
export const DEFAULT_PORT = 8787;

export function readSettings(root: string, env: NodeJS.ProcessEnv): Settings {
  const port = Number(env["PORT"] || DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new StartFailure(`PORT is "${env["PORT"]}", and must be a number from 1 to 65535.`);
  }
  return {
    root,
    port,
    address: env["BIND_ADDRESS"] || DEFAULT_ADDRESS,
    stateDir: resolve(root, env["STATE_DIR"] || ".wrangler/state"),
    adminToken: env["ADMIN_TOKEN"] || null,
  };
}

/** The service as this machine reaches it. */
export function baseUrl({ address, port }: Settings): string {
  const host = address === "0.0.0.0" || address === "::" ? "127.0.0.1" : address;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Asked before anything else is done, so that a taken port is told at once, and in one line. */
export function assertPortIsFree({ address, port }: Settings): Promise<void> {
  return new Promise((free, reject) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(
        new StartFailure(
          error.code === "EADDRINUSE"
            ? `Port ${port} is taken. Stop what listens there, or choose another: PORT=8788 npm start`
            : `Cannot listen on ${address}:${port} (${error.code ?? error.message}).`,
        ),
      );
    });
    server.listen({ host: address, port, exclusive: true }, () => server.close(() => free()));
  });
}
