/**
 * The environment at its worst: the real D1 and the real objects behind bindings that fail as the platform does. The
 * app is called directly, since the bindings of a running Worker can't be changed.
 */
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";

import { createApp } from "../../../src/app.ts";
import { faultyDatabase, type FaultyObjects, faultyObjects, type Trip } from "./faulty-bindings.ts";
import { type Answer, newRequest, readAnswer, type SendInit } from "./send.ts";

export * from "./faulty-bindings.ts";

export const failing =
  (message: string): Trip =>
  () =>
    Promise.reject(new Error(message));

export const envWith = (changes: Partial<Env>): Env => ({
  DB: env.DB,
  WRITE_LIMITER: env.WRITE_LIMITER,
  SIGN_IN_LIMITER: env.SIGN_IN_LIMITER,
  ADMIN_TOKEN: env.ADMIN_TOKEN,
  RECOMPUTE_BUDGET_MS: env.RECOMPUTE_BUDGET_MS,
  EVENT_RETENTION_DAYS: env.EVENT_RETENTION_DAYS,
  ...changes,
});

/** Sends to an app in the environment given. It shares the keys it knows with the running Worker, but see below. */
export async function sendWith(
  changed: Env,
  method: string,
  path: string,
  body?: unknown,
  init: SendInit = {},
): Promise<Answer> {
  return readAnswer(await createApp().fetch(newRequest(method, path, body, init), changed, createExecutionContext()));
}

/**
 * To be called before a file's first request: the running Worker then loads modules of its own, and `sendWith`, which
 * has those of the test file, is another isolate. It keeps the keys it knows, and hears of no revocation.
 */
export function splitIsolates(): void {
  vi.resetModules();
}

/** The real D1, each round trip of which goes through `trip`. */
export const databaseWith = (trip: Trip): ReturnType<typeof faultyDatabase> => faultyDatabase(env.DB, trip);

/** The real objects, each call of which goes through `trip`. */
export const limiterWith = (trip: Trip): FaultyObjects => faultyObjects(env.WRITE_LIMITER, trip);
