/** Sends bytes over a connection of their own, for what no client would send. */
import { connect } from "node:net";

import { type FuzzRequest, toWire } from "../request.ts";
import { HUNG_AFTER_MS, type Outcome } from "./answer.ts";
import { parseAnswers } from "./parse-answers.ts";

/** Writes all of it, ends its side, and reads until the other side ends. */
export function sendBySocket(origin: URL, request: FuzzRequest): Promise<Outcome> {
  const startedAt = performance.now();
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const socket = connect({ host: origin.hostname, port: Number(origin.port), allowHalfOpen: true });
  const received: Buffer[] = [];
  let problem = "it ended without an answer";
  let hung = false;
  const timer = setTimeout(() => {
    hung = true;
    socket.destroy();
  }, HUNG_AFTER_MS);
  socket.on("data", (chunk) => received.push(chunk));
  socket.on("end", () => socket.end());
  socket.on("error", (error) => (problem = error.message));
  socket.on("close", () => {
    clearTimeout(timer);
    const { answers } = parseAnswers(Buffer.concat(received), request.method);
    if (answers.length > 0 && !hung) resolve({ kind: "answered", answers, ms: performance.now() - startedAt });
    else resolve(hung ? { kind: "hung" } : { kind: "closed", problem });
  });
  for (const part of toWire(request)) socket.write(part);
  socket.end();
  return promise;
}
