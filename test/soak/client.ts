/** Sends requests to the service, and counts and times the answers. */
import { createHistogram, type RecordableHistogram } from "node:perf_hooks";

import { Pool } from "undici";
import * as z from "zod";

const CONNECTIONS = 128;
const Body = z.record(z.string(), z.unknown());

export interface Request {
  method: "GET" | "POST";
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface Answer {
  /** `null` if there was no answer. */
  status: number | null;
  retryAfterMs: number;
  body: Record<string, unknown>;
  /** The answer or the error, for a person. */
  text: string;
}

export class Figures {
  requests = 0;
  /** Messages in admitted requests. */
  messages = 0;
  /** Requests answered with 429. */
  refused = 0;
  /** Requests that were not answered, or with a status of 500 or more. */
  failed = 0;
  /** Microseconds from sending to the end of the answer, without refusals. */
  readonly writes: RecordableHistogram = createHistogram();
  readonly reads: RecordableHistogram = createHistogram();
}

export class Client {
  readonly #pool: Pool;
  /** Everything since the beginning, without times. */
  readonly total = { requests: 0, failed: 0 };
  #figures = new Figures();

  constructor(url: string) {
    this.#pool = new Pool(url, { connections: CONNECTIONS, pipelining: 1 });
  }

  /** @param messages the write limit is charged with, if it admits the request */
  async send(request: Request, messages = 0): Promise<Answer> {
    const sentAt = performance.now();
    const answer = await this.#answerTo(request);
    const figures = this.#figures;
    const { status } = answer;
    figures.requests += 1;
    this.total.requests += 1;
    if (status === null || status >= 500) {
      figures.failed += 1;
      this.total.failed += 1;
    } else if (status === 429) {
      figures.refused += 1;
    } else {
      figures.messages += messages;
      const times = request.path.startsWith("/api/v1/ask") || request.method === "GET" ? figures.reads : figures.writes;
      times.record(Math.max(1, Math.round((performance.now() - sentAt) * 1_000)));
    }
    return answer;
  }

  /** Returns the figures since the last call. */
  takeFigures(): Figures {
    const taken = this.#figures;
    this.#figures = new Figures();
    return taken;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #answerTo({ path, ...request }: Request): Promise<Answer> {
    try {
      const response = await this.#pool.request({ path, ...request });
      const text = await response.body.text();
      const retryAfterMs = Number(response.headers["retry-after"] ?? 0) * 1_000;
      return { status: response.statusCode, retryAfterMs, body: Body.parse(JSON.parse(text)), text };
    } catch (error) {
      return { status: null, retryAfterMs: 0, body: {}, text: String(error) };
    }
  }
}
