/** The running service, by the HTTP that everybody uses. */
import { setTimeout as sleep } from "node:timers/promises";

import type * as z from "zod";

/** Something that keeps the demo from going on, and is told in a line. */
export class DemoFailure extends Error {
  override name = "DemoFailure";
}

export interface Call {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  /** An API key, or the admin token. */
  key: string;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** Breaks it off. */
  stop?: AbortSignal | undefined;
}

/** A call that was refused for now, or that failed, is made again: what it stores deduplicates. */
const MOST_TRIES = 6;
const TRY_AGAIN = new Set([429, 500, 503]);
const DEFAULT_PAUSE_SECONDS = 1;

/**
 * Makes a call, and reads its answer by a schema.
 *
 * @throws DemoFailure when nobody answers, or the answer is no 2xx; an AbortError when it is broken off
 */
export async function call<T>(url: string, made: Call, schema: z.ZodType<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const response = await answerOf(url, made);
    const text = await response.text();
    if (response.ok) return schema.parse(JSON.parse(text));
    if (tries === MOST_TRIES || !TRY_AGAIN.has(response.status)) {
      throw new DemoFailure(`${made.method ?? "GET"} ${made.path} answered ${response.status}: ${text}`);
    }
    await sleep(Number(response.headers.get("retry-after") ?? DEFAULT_PAUSE_SECONDS) * 1_000, undefined, {
      signal: made.stop,
    });
  }
}

async function answerOf(url: string, { method = "GET", path, key, body, headers, stop }: Call): Promise<Response> {
  try {
    return await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(stop === undefined ? {} : { signal: stop }),
    });
  } catch {
    stop?.throwIfAborted();
    throw new DemoFailure(
      `Nothing answers at ${url}. Start the service first, in another terminal: npm start. With another PORT, give it to both.`,
    );
  }
}
