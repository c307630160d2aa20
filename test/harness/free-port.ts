import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:net";

/** Below the ports that systems assign to outgoing connections: wrangler's own could take one of those first. */
const PORTS = [20_000, 30_000] as const;

/** Listens on a free port of 127.0.0.1. */
export async function listen(): Promise<{ server: Server; port: number }> {
  for (;;) {
    const port = randomInt(...PORTS);
    const server = createServer();
    try {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
      return { server, port };
    } catch {
      // Taken: try another one.
    }
  }
}

/** Finds a port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const { server, port } = await listen();
  server.close();
  await once(server, "close");
  return port;
}
