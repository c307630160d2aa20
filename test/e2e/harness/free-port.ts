import { once } from "node:events";
import { createServer, type Server } from "node:net";

/** Listens on a port of the system's choice on 127.0.0.1. */
export async function listen(): Promise<{ server: Server; port: number }> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port was given");
  return { server, port: address.port };
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const { server, port } = await listen();
  server.close();
  await once(server, "close");
  return port;
}
