/** Sends a request as it is, over connections that stay open. */
import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";

import { Pool } from "undici";

import type { Answer, FuzzRequest } from "./request.ts";

export type Outcome =
  | { kind: "answered"; answer: Answer }
  /** The request itself broke the connection. */
  | { kind: "hung up" }
  /** The service closed the connection without an answer, or did not answer in time. */
  | { kind: "failed"; problem: string };

/** Far beyond what any request takes on a busy machine. */
const TIMEOUT_MS = 30_000;
const CHUNK_BYTES = 1_000;
/** Keeps a large body from becoming thousands of writes. */
const MAX_CHUNKS = 100;

/** A workspace that is being moved refuses writes for some seconds, on a busy machine for longer. */
const MAX_TRIES = 30;
const RETRY_AFTER_MS = 1_000;

const isBusy = (outcome: Outcome): boolean => outcome.kind === "answered" && outcome.answer.status === 503;

export class Sender implements AsyncDisposable {
  readonly #pool: Pool;

  constructor(url: string, connections: number) {
    this.#pool = new Pool(url, { connections, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
  }

  async send(request: FuzzRequest): Promise<Outcome> {
    let outcome = await this.#sendOnce(request);
    // Another request may have started to move or to erase the workspace that this one changes. Writes wait for that.
    for (let tries = 0; tries < MAX_TRIES && isBusy(outcome) && request.target.startsWith("/admin"); tries += 1) {
      await setTimeout(RETRY_AFTER_MS);
      outcome = await this.#sendOnce(request);
    }
    // The runtime closes the connection as soon as the service has answered a request without reading its body, and the
    // answer gets lost if a further chunk is sent then. A body with a length is sent at once.
    return outcome.kind === "failed" && request.chunked ? this.#sendOnce({ ...request, chunked: false }) : outcome;
  }

  async #sendOnce(request: FuzzRequest): Promise<Outcome> {
    const { method, target, headers } = request;
    try {
      const response = await this.#pool.request({
        method,
        path: target,
        headers: headers.flat(),
        body: bodyOf(request),
      });
      const answered = Object.entries(response.headers).map(
        ([name, value]) => [name, [value].flat().join(", ")] as const,
      );
      const body = Buffer.from(await response.body.arrayBuffer()).toString();
      return { kind: "answered", answer: { status: response.statusCode, headers: new Map(answered), body } };
    } catch (error) {
      return request.hangUpAfter === null ? { kind: "failed", problem: String(error) } : { kind: "hung up" };
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#pool.destroy();
  }
}

function bodyOf({ body, chunked, hangUpAfter }: FuzzRequest): Buffer | Readable | null {
  if (body === null || (!chunked && hangUpAfter === null)) return body;
  return Readable.from(chunksOf(body.subarray(0, hangUpAfter ?? body.length), hangUpAfter !== null), {
    objectMode: false,
  });
}

async function* chunksOf(body: Buffer, hangsUp: boolean): AsyncGenerator<Buffer> {
  const step = Math.max(CHUNK_BYTES, Math.ceil(body.length / MAX_CHUNKS));
  for (let at = 0; at < body.length; at += step) yield body.subarray(at, at + step);
  if (hangsUp) throw new Error("the sender hangs up");
}
