/**
 * Reads the bodies of requests up to a limit, and drops the rest of those that were refused. A response that leaves its
 * request's body unread makes the runtime close the connection: a sender that is still writing would get a reset, or an
 * error of the platform, instead of the response.
 */
import { createMiddleware } from "hono/factory";

import type { AppEnv } from "./app-context.ts";

const READ_BYTES = 65_536;
/** The runtime itself reads as much of an unread body, for a second after the response. */
const RUNTIME_DROPS_BYTES = 65_536;
const MAX_DROPPED_BYTES = 32 * 1024 * 1024;
/** A sender of 32 MB needs 9 Mbit/s to get its response. One that stops, or sends slowly on purpose, gets it after this time. */
const MAX_DROP_MS = 30_000;

/** The body, or its encoded form, is larger than allowed. */
export class BodyTooLarge extends Error {}

/** @throws BodyTooLarge as soon as there are more than `maxBytes`; {@link dropUnread} drops the rest */
export async function readBytes(body: ReadableStream, maxBytes: number): Promise<ArrayBuffer> {
  const reader = body.getReader({ mode: "byob" });
  const chunks: Uint8Array[] = [];
  for (let left = maxBytes; left >= 0;) {
    // Few large reads: each one crosses into the runtime.
    const size = Math.min(left + 1, READ_BYTES);
    const { done, value } = await reader.readAtLeast(size, new Uint8Array(size));
    if (value !== undefined) chunks.push(value);
    // A shorter chunk is the last one.
    if (done || value.byteLength < size) return new Blob(chunks).arrayBuffer();
    left -= size;
  }
  reader.releaseLock();
  throw new BodyTooLarge();
}

/** Drops the unread rest of a large body before the response is sent. */
export const dropUnread = createMiddleware<AppEnv>(async (c, next) => {
  const { body } = c.req.raw;
  await next();
  // A body that was read to its end is still locked by its reader.
  if (body === null || body.locked || Number(c.req.header("Content-Length")) <= RUNTIME_DROPS_BYTES) return;
  // The sender may have hung up.
  await drop(body).catch(() => undefined);
});

async function drop(body: ReadableStream): Promise<void> {
  const reader = body.getReader({ mode: "byob" });
  const { promise: timeIsUp, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, MAX_DROP_MS);
  const readAll = async () => {
    for (let left = MAX_DROPPED_BYTES; left > 0;) {
      const { done, value } = await reader.read(new Uint8Array(READ_BYTES));
      if (done) return;
      left -= value.byteLength;
    }
  };
  await Promise.race([readAll(), timeIsUp]).finally(() => clearTimeout(timer));
}
