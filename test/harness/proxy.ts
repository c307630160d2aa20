/** A proxy that counts requests, refuses them, and stops in the middle of a response. */
import { createServer, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

import { freePort } from "./free-port.ts";

export interface Proxy extends AsyncDisposable {
  readonly url: string;
  /** Returns the path and `Range` of each request since the last call. */
  requests(): string[];
  /** Answers the next requests with 503. */
  refuse(count: number): void;
  /** Answers the next requests with 503, after the service has answered them. */
  lose(count: number): void;
  /** Sends only so many bytes of the next response to a path that contains this text. */
  stall(path: string, bytes: number): void;
  /** Ends the connection of the stalled response, if there is one. */
  hangUp(): boolean;
}

export async function startProxy(target: string): Promise<Proxy> {
  let requests: string[] = [];
  let [refused, lost] = [0, 0];
  let stall: { path: string; bytes: number } | null = null;
  let stalled: ServerResponse | null = null;

  const server = createServer(async (request, out) => {
    const { method = "", url = "" } = request;
    const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
    const body = method === "GET" ? null : await buffer(request);
    requests.push([url, headers.range].filter(Boolean).join(" "));
    if (refused > 0) {
      refused -= 1;
      return out.writeHead(503, { "retry-after": "0" }).end();
    }
    const sent = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    const response = await fetch(target + url, {
      method,
      headers: [...sent, ["accept-encoding", "identity"]],
      body,
    });
    if (lost > 0) {
      lost -= 1;
      return out.writeHead(503, { "retry-after": "0" }).end();
    }
    const received = new Uint8Array(await response.arrayBuffer());
    const { "transfer-encoding": _encoding, ...sentBack } = Object.fromEntries(response.headers);
    out.writeHead(response.status, { ...sentBack, "content-length": received.byteLength });
    if (stall === null || !url.includes(stall.path)) return out.end(received);
    out.write(received.subarray(0, stall.bytes));
    [stall, stalled] = [null, out];
    return out;
  });
  const port = await freePort();
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests.splice(0),
    refuse: (count) => (refused = count),
    lose: (count) => (lost = count),
    stall: (path, bytes) => (stall = { path, bytes }),
    hangUp: () => {
      if (stalled === null) return false;
      stalled.destroy();
      stalled = null;
      return true;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
