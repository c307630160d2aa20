/** Writes a request to a socket byte by byte, so that a test can cut, stall or corrupt it anywhere. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Longer than the service waits for the rest of a refused body. */
const ANSWER_MS = 50_000;

export interface RawRequest {
  write(bytes: string | Uint8Array): Promise<void>;
  /** Ends the request, and still waits for the response. */
  end(): void;
  /** Closes the connection at once, as when a process is killed. */
  hangUp(): Promise<void>;
  /** Waits for the status of the response; null when the connection closes without one. */
  status(): Promise<number | null>;
}

/** Opens a connection and writes the headers of a `POST`. */
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

/** Frames one chunk of `Transfer-Encoding: chunked`; an empty one is the last. */
export const chunk = (bytes: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from(`${bytes.byteLength.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);

function statusOf(socket: Socket): Promise<number | null> {
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  let received = "";
  const timer = setTimeout(() => reject(new Error(`No response within ${ANSWER_MS} ms`)), ANSWER_MS);
  const settle = (status: number | null) => {
    clearTimeout(timer);
    resolve(status);
  };
  socket.on("data", (bytes) => {
    received += bytes.toString("latin1");
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(received)?.[1];
    if (status !== undefined) settle(Number(status));
  });
  socket.on("error", () => undefined);
  socket.on("close", () => settle(null));
  socket.on("end", () => settle(null));
  // A test that hangs up does not ask for the status.
  promise.catch(() => undefined);
  return promise;
}
