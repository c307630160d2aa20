/**
 * The app on bindings that count round trips to D1, rows as D1 counts them, and calls of the workspace's object.
 * The real D1 and the real object do the work.
 */
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";

import { createApp } from "../../../src/app.ts";
import { newRequest } from "../support/send.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";

type Fields = Record<string, unknown>;
type Value = string | number | null;

export interface Statement {
  sql: string;
  values: Value[];
  /** Rows as D1 counts them; 0 for statements that return bare rows, which have no count. */
  read: number;
  written: number;
}

export interface Cost {
  trips: number;
  objectCalls: number;
  read: number;
  written: number;
  statements: Statement[];
}

/** Counts until it is read. */
class Counter {
  #trips = 0;
  #objectCalls = 0;
  #statements: Statement[] = [];

  trip(statements: Statement[]): void {
    this.#trips += 1;
    this.#statements.push(...statements);
  }

  objectCall(): void {
    this.#objectCalls += 1;
  }

  take(): Cost {
    const [trips, objectCalls, statements] = [this.#trips, this.#objectCalls, this.#statements];
    [this.#trips, this.#objectCalls, this.#statements] = [0, 0, []];
    const sum = (of: (statement: Statement) => number) => statements.reduce((total, one) => total + of(one), 0);
    return { trips, objectCalls, statements, read: sum(({ read }) => read), written: sum(({ written }) => written) };
  }
}

export interface Meter {
  workspace: TestWorkspace;
  /** For calls without a request; `take` returns their cost. */
  env: Env;
  take: () => Cost;
  /** Posts a body, expects 200 and returns the cost. */
  post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Cost>;
  /** Sends a request and returns its cost and status. */
  request: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Cost & { status: number }>;
}

/** Creates a workspace whose key is cached. */
export async function newMeter(): Promise<Meter> {
  const counter = new Counter();
  const metered = {
    ...env,
    DB: meteredDatabase(env.DB, counter),
    WRITE_LIMITER: meteredObjects(env.WRITE_LIMITER, counter),
  };
  const workspace = await newWorkspace({ writeLimit: 100_000 });
  const app = createApp();
  const request: Meter["request"] = async (method, path, body, headers = {}) => {
    counter.take();
    const bearer = { Authorization: `Bearer ${workspace.key}`, ...headers };
    const sent = newRequest(method, path, body, { headers: bearer });
    const response = await app.fetch(sent, metered, createExecutionContext());
    await response.text();
    return { status: response.status, ...counter.take() };
  };
  const meter: Meter = {
    workspace,
    env: metered,
    take: () => counter.take(),
    request,
    async post(path, body, headers) {
      const { status, ...cost } = await request("POST", path, body, headers);
      expect(status).toBe(200);
      return cost;
    },
  };
  await meter.post("/api/v1/cdp", []);
  return meter;
}

function meteredDatabase(database: D1Database, counter: Counter): D1Database {
  const real = new WeakMap<object, { statement: D1PreparedStatement; sql: string; values: Value[] }>();
  const count = (statement: object, result?: unknown): Statement => {
    const { sql = "", values = [] } = real.get(statement) ?? {};
    return { sql, values, ...rowsOf(result) };
  };
  const wrap = (statement: D1PreparedStatement, sql: string, values: Value[]): D1PreparedStatement => {
    const wrapped: D1PreparedStatement = new Proxy(statement, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        if (name === "bind") return (...bound: Value[]) => wrap(target.bind(...bound), sql, bound);
        return async (...args: unknown[]): Promise<unknown> => {
          const result: unknown = await Reflect.apply(member, target, args);
          counter.trip([count(wrapped, result)]);
          return result;
        };
      },
    });
    real.set(wrapped, { statement, sql, values });
    return wrapped;
  };
  return new Proxy(database, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (name === "prepare") return (sql: string) => wrap(target.prepare(sql), sql, []);
      if (name === "batch") {
        return async (statements: D1PreparedStatement[]) => {
          const results = await target.batch(statements.map((one) => real.get(one)?.statement ?? one));
          counter.trip(statements.map((one, place) => count(one, results[place])));
          return results;
        };
      }
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

function rowsOf(result: unknown): { read: number; written: number } {
  return isResult(result)
    ? { read: result.meta.rows_read, written: result.meta.rows_written }
    : { read: 0, written: 0 };
}

function isResult(result: unknown): result is D1Result {
  return typeof result === "object" && result !== null && "meta" in result;
}

function meteredObjects(namespace: Env["WRITE_LIMITER"], counter: Counter): Env["WRITE_LIMITER"] {
  return new Proxy(namespace, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (name !== "getByName") return typeof member === "function" ? member.bind(target) : member;
      return (id: string) =>
        new Proxy(target.getByName(id), {
          get(stub, method) {
            return (...args: unknown[]): unknown => {
              counter.objectCall();
              const call: unknown = Reflect.get(stub, method, stub);
              if (typeof call !== "function") throw new Error(`the object has no ${String(method)}`);
              return Reflect.apply(call, stub, args);
            };
          },
        });
    },
  });
}

/** Describes a cost by statement, for failing assertions. */
export const breakdown = ({ statements }: Cost): string =>
  statements
    .map(
      ({ sql, read, written }) =>
        `${read} read, ${written} written: ${sql.trim().replaceAll(/\s+/g, " ").slice(0, 120)}`,
    )
    .join("\n");

// Messages by type.

const EARLY = Date.UTC(2026, 0, 1);
let made = 0;

/** Makes a new message. Each is later than the one before. */
export const message = (type: string, fields: Fields = {}): Fields => ({
  type,
  messageId: `m${++made}`,
  userId: "u1",
  timestamp: new Date(EARLY + made).toISOString(),
  ...(type === "track" ? { event: "report.exported", properties: { pages: 12, format: "pdf" } } : {}),
  ...fields,
});

export const messages = (count: number, type: string, fields: (place: number) => Fields = () => ({})): Fields[] =>
  Array.from({ length: count }, (_, place) => message(type, fields(place)));

export const capture = (fields: Fields = {}): Fields => ({
  accountId: "acme",
  userId: "u1",
  event: "report.exported",
  properties: { pages: 12 },
  ...fields,
});
