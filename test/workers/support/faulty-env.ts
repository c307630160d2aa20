/**
 * The environment at its worst: the real D1 and the real objects behind bindings that fail as the platform does. The
 * app is called directly, since the bindings of a running Worker can't be changed.
 */
import { env } from "cloudflare:workers";
import { vi } from "vitest";

import { createApp } from "../../../src/app.ts";
import { type Answer, newRequest, readAnswer, type SendInit } from "./send.ts";

/** What becomes of a round trip; `number` counts from 1. */
export type Trip = <T>(run: () => Promise<T>, number: number) => Promise<T>;

export const D1_OVERLOADED = "D1_ERROR: D1 DB is overloaded. Requests queued for too long.";
export const D1_QUEUE_FULL = "D1_ERROR: D1 DB is overloaded. Too many requests queued.";
export const D1_LOST = "D1_ERROR: Network connection lost.";
export const D1_BROKEN = "D1_ERROR: no such table: very_secret_table: SQLITE_ERROR";

export const failing =
  (message: string): Trip =>
  () =>
    Promise.reject(new Error(message));

export const envWith = (changes: Partial<Env>): Env => ({
  DB: env.DB,
  WRITE_LIMITER: env.WRITE_LIMITER,
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
  return readAnswer(await createApp().fetch(newRequest(method, path, body, init), changed));
}

/**
 * To be called before a file's first request: the running Worker then loads modules of its own, and `sendWith`, which
 * has those of the test file, is another isolate. It keeps the keys it knows, and hears of no revocation.
 */
export function splitIsolates(): void {
  vi.resetModules();
}

/** The real D1, each round trip of which goes through `trip`. */
export function databaseWith(trip: Trip): { DB: D1Database; trips: () => number } {
  let count = 0;
  const take = <T>(run: () => Promise<T>): Promise<T> => trip(run, ++count);
  const real = new WeakMap<object, D1PreparedStatement>();
  const unwrap = (statement: D1PreparedStatement): D1PreparedStatement => real.get(statement) ?? statement;
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = new Proxy(statement, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        if (name === "bind") return (...values: unknown[]) => wrap(target.bind(...values));
        return (...values: unknown[]) => take(() => Promise.resolve(Reflect.apply(member, target, values)));
      },
    });
    real.set(wrapped, statement);
    return wrapped;
  };
  const DB = new Proxy(env.DB, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (name === "prepare") return (sql: string) => wrap(target.prepare(sql));
      if (name === "batch") {
        return (statements: D1PreparedStatement[]) => take(() => target.batch(statements.map(unwrap)));
      }
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  return { DB, trips: () => count };
}

/** The real objects, each call of which goes through `trip`. */
export function limiterWith(trip: Trip): {
  WRITE_LIMITER: Env["WRITE_LIMITER"];
  calls: () => number;
  stubs: () => number;
} {
  let [calls, stubs] = [0, 0];
  const WRITE_LIMITER = new Proxy(env.WRITE_LIMITER, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (name !== "getByName") return typeof member === "function" ? member.bind(target) : member;
      return (workspace: string) => {
        stubs += 1;
        return new Proxy(target.getByName(workspace), {
          get(stub, method) {
            return (...values: unknown[]) => {
              const call: unknown = Reflect.get(stub, method, stub);
              if (typeof call !== "function") throw new Error(`the object has no ${String(method)}`);
              calls += 1;
              return trip(() => Promise.resolve(Reflect.apply(call, stub, values)), calls);
            };
          },
        });
      };
    },
  });
  return { WRITE_LIMITER, calls: () => calls, stubs: () => stubs };
}

/** An error as the platform marks it. */
export const objectError = (message: string, marks: { retryable?: boolean; overloaded?: boolean }): Error =>
  Object.assign(new Error(message), marks);
