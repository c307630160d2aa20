/** HTTP to the service, with each answer counted and timed. */
import { Pool } from "undici";
import * as z from "zod";

import { record } from "../histogram.ts";
import { emptyTally, type Kind, type Tally } from "../tally.ts";

const CONNECTIONS = 128;

export interface Request {
  kind: Kind;
  method: "GET" | "POST";
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

export interface Answer {
  /** `null` where there was none. */
  status: number | null;
  retryAfterMs: number;
  body: Record<string, unknown>;
  /** What came, or the error, for people. */
  text: string;
}

const Body = z.record(z.string(), z.unknown());
const FAULT_PAUSE_MS = 1_000;

export class Client {
  readonly #pool: Pool;
  #tally = emptyTally();

  constructor(url: string) {
    this.#pool = new Pool(url, { connections: CONNECTIONS, pipelining: 1 });
  }

  async send({ kind, method, path, headers, body }: Request): Promise<Answer> {
    const sentAt = performance.now();
    this.#tally.requests += 1;
    try {
      const response = await this.#pool.request({ method, path, headers, ...(body === undefined ? {} : { body }) });
      const text = await response.body.text();
      const { statusCode: status } = response;
      if (status === 429) this.#tally.refused += 1;
      else record(this.#tally.times[kind], performance.now() - sentAt);
      if (status === 503) this.#tally.unavailable += 1;
      else if (status >= 500) this.#tally.failed += 1;
      const seconds = Number(response.headers["retry-after"]);
      const retryAfterMs = Number.isNaN(seconds) ? FAULT_PAUSE_MS : seconds * 1_000;
      return { status, retryAfterMs, body: Body.parse(JSON.parse(text)), text };
    } catch (error) {
      this.#tally.lost += 1;
      return { status: null, retryAfterMs: FAULT_PAUSE_MS, body: {}, text: String(error) };
    }
  }

  admitted(messages: number): void {
    this.#tally.messages += messages;
  }

  /** What was counted since it was asked last. */
  takeTally(): Tally {
    const taken = this.#tally;
    this.#tally = emptyTally();
    return taken;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
