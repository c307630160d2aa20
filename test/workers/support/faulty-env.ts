/**
 * Environments with faults: the real D1 and the real objects behind bindings that fail as the platform does. The
 * tests call the app directly, because the bindings of a running Worker can't be changed.
 */
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";

import { createApp } from "../../../src/app.ts";
import { guardDatabases, inInvocation } from "../guard/invocation.ts";
import { faultyDatabase, type FaultyObjects, faultyObjects, type Trip } from "./faulty-bindings.ts";
import { type Answer, newRequest, readAnswer, type SendInit } from "./send.ts";

export * from "./faulty-bindings.ts";

export const failing =
  (message: string): Trip =>
  () =>
    Promise.reject(new Error(message));

export type Changes = Partial<Env> & {
  SECRETS_KEY_PREVIOUS?: string;
  ADMIN_TOKEN_PREVIOUS?: string;
  DB_1?: D1Database;
  DB_2?: D1Database;
};

export const envWith = (changes: Changes) => guardDatabases(unguarded(changes));

const unguarded = (changes: Changes) => ({
  DB: env.DB,
  DB_1: env.DB_1,
  DB_2: env.DB_2,
  TASKS: env.TASKS,
  DELIVERIES: env.DELIVERIES,
  ARCHIVE: env.ARCHIVE,
  CLIENT_LIMITER: env.CLIENT_LIMITER,
  READ_LIMITER: env.READ_LIMITER,
  ASSETS: env.ASSETS,
  SEND_LIMITER: env.SEND_LIMITER,
  WRITE_LIMITER: env.WRITE_LIMITER,
  SIGN_IN_LIMITER: env.SIGN_IN_LIMITER,
  ADMIN_TOKEN: env.ADMIN_TOKEN,
  SECRETS_KEY: env.SECRETS_KEY,
  PUBLIC_URL: env.PUBLIC_URL,
  RECOMPUTE_BUDGET_MS: env.RECOMPUTE_BUDGET_MS,
  HOT_DAYS: env.HOT_DAYS,
  ARCHIVE_DAYS: env.ARCHIVE_DAYS,
  MAX_DATABASE_BYTES: env.MAX_DATABASE_BYTES,
  HISTORY_DAYS: env.HISTORY_DAYS,
  JURISDICTION: env.JURISDICTION,
  SUCCESS_SAMPLING_RATE: env.SUCCESS_SAMPLING_RATE,
  ACCESS_TEAM_DOMAIN: env.ACCESS_TEAM_DOMAIN,
  ACCESS_AUD: env.ACCESS_AUD,
  ...changes,
});

/** Sends a request to an app in this environment. Its caches are those of the running Worker, except after `splitIsolates`. */
export async function sendWith(
  changed: Env,
  method: string,
  path: string,
  body?: unknown,
  init: SendInit = {},
): Promise<Answer> {
  const request = newRequest(method, path, body, init);
  return readAnswer(await inInvocation(() => createApp().fetch(request, changed, createExecutionContext())));
}

/**
 * Makes `sendWith` another isolate than the running Worker, which then loads its own modules: it keeps its cached keys
 * and learns of no revocation. Call it before the first request of a file.
 */
export function splitIsolates(): void {
  vi.resetModules();
}

/** Sends each round trip to the real D1 through `trip`. */
export const databaseWith = (trip: Trip, database = env.DB): ReturnType<typeof faultyDatabase> =>
  faultyDatabase(database, trip);

/** Sends each call of the real objects through `trip`. */
export const limiterWith = (trip: Trip): FaultyObjects => faultyObjects(env.WRITE_LIMITER, trip);
