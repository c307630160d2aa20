/**
 * The app on bindings that count round trips to D1, rows as D1 counts them, and calls of the workspace's object.
 * The real D1 and the real object do the work.
 */
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";

import { createApp } from "../../../src/app.ts";
import { type BoundStatement, faultyDatabase, faultyObjects } from "../support/faulty-bindings.ts";
import { newRequest } from "../support/send.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";

type Fields = Record<string, unknown>;

export interface Statement extends BoundStatement {
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
  let [trips, objectCalls, statements]: [number, number, Statement[]] = [0, 0, []];
  /** Returns the cost since the last call. */
  const take = (): Cost => {
    const sum = (of: "read" | "written") => statements.reduce((total, one) => total + one[of], 0);
    const cost = { trips, objectCalls, statements, read: sum("read"), written: sum("written") };
    [trips, objectCalls, statements] = [0, 0, []];
    return cost;
  };
  const { DB } = faultyDatabase(env.DB, async (run, _number, sent = []) => {
    const result = await run();
    trips += 1;
    statements.push(...sent.map(({ sql, values }, place) => ({ sql, values, ...rowsOf(resultAt(result, place)) })));
    return result;
  });
  const { WRITE_LIMITER } = faultyObjects(env.WRITE_LIMITER, (run) => {
    objectCalls += 1;
    return run();
  });
  const metered = { ...env, DB, WRITE_LIMITER };
  const workspace = await newWorkspace({ writeLimit: 100_000 });
  const app = createApp();
  const request: Meter["request"] = async (method, path, body, headers = {}) => {
    take();
    const bearer = { Authorization: `Bearer ${workspace.key}`, ...headers };
    const sent = newRequest(method, path, body, { headers: bearer });
    const response = await app.fetch(sent, metered, createExecutionContext());
    await response.text();
    return { status: response.status, ...take() };
  };
  const meter: Meter = {
    workspace,
    env: metered,
    take,
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

/** Returns the result of a statement: of a batch by its place, or else the whole. */
const resultAt = (result: unknown, place: number): unknown => (isBatch(result) ? result[place] : result);
const isBatch = (result: unknown): result is unknown[] => Array.isArray(result);

function rowsOf(result: unknown): { read: number; written: number } {
  return isResult(result)
    ? { read: result.meta.rows_read, written: result.meta.rows_written }
    : { read: 0, written: 0 };
}

function isResult(result: unknown): result is D1Result {
  return typeof result === "object" && result !== null && "meta" in result;
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
