/** A request that is written to a socket byte for byte, so that it can be cut, stalled or spoiled anywhere. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

const ANSWER_MS = 20_000;

export interface RawRequest {
  write(bytes: string | Uint8Array): Promise<void>;
  /** Says that nothing more comes, and still listens. */
  end(): void;
  /** Goes away at once, as a process that is killed. */
  hangUp(): Promise<void>;
  /** The status of the answer; `null` when the connection closes without one. */
  status(): Promise<number | null>;
}

/** Opens a connection and writes the head of a `POST`. */
export async function rawPost(url: string, path: string, headers: Record<string, string>): Promise<RawRequest> {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  await once(socket, "connect");
  socket.setNoDelay(true);
  const answered = statusOf(socket);
  const head = [`POST ${path} HTTP/1.1`, `Host: ${host}`, ...Object.entries(headers).map((pair) => pair.join(": "))];
  const request: RawRequest = {
    write: (bytes) => new Promise((resolve) => void socket.write(bytes, () => resolve())),
    end: () => void socket.end(),
    hangUp: async () => {
      if (socket.closed) return;
      const closed = once(socket, "close");
      socket.resetAndDestroy();
      await closed;
    },
    status: () => answered,
  };
  await request.write(`${head.join("\r\n")}\r\n\r\n`);
  return request;
}

/** One chunk of `Transfer-Encoding: chunked`; an empty one is the last. */
export const chunk = (bytes: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from(`${bytes.byteLength.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);

function statusOf(socket: Socket): Promise<number | null> {
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  let heard = "";
  const timer = setTimeout(() => reject(new Error(`no answer within ${ANSWER_MS} ms`)), ANSWER_MS);
  const settle = (status: number | null) => {
    clearTimeout(timer);
    resolve(status);
  };
  socket.on("data", (bytes) => {
    heard += bytes.toString("latin1");
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(heard)?.[1];
    if (status !== undefined) settle(Number(status));
  });
  socket.on("error", () => undefined);
  socket.on("close", () => settle(null));
  socket.on("end", () => settle(null));
  // Who hangs up need not hear of it.
  promise.catch(() => undefined);
  return promise;
}
