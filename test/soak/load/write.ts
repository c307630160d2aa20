/** A write: a request, with what has to be answered to it. */
import { gzipSync } from "node:zlib";

import { chance, pick, type Random } from "../../../evals/simulator/random.ts";
import type { Kind } from "../tally.ts";
import type { Request } from "./client.ts";
import type { World } from "./content.ts";
import type { Ledger, Numbers, Outcome } from "./ledger.ts";

/** A request that is sent until it is answered with anything but a refusal or a fault. */
export interface Write extends Request {
  status: number;
  /** Messages that the limiter is asked for; 0: it is not asked. */
  cost: number;
  /** What of it is stored then. */
  numbers: Numbers;
}

/** Writes that are sent at once, and what comes of all of them together. */
export interface Writes {
  requests: Write[];
  expected: Outcome;
}

export interface Writer {
  world: World;
  key: string;
  /** Whether the workspace has accepted the agreement. */
  agreed: boolean;
  ledger: Ledger;
  random: Random;
}

interface Parts {
  kind?: Kind;
  path: string;
  body: object;
  cost: number;
  status?: number;
  headers?: Record<string, string>;
  numbers?: Numbers;
}

export function write({ key, random }: Writer, parts: Parts): Write {
  const { kind = "single", path, cost, status = 200, numbers = { source: "cdp", numbers: [] } } = parts;
  const text = JSON.stringify(parts.body);
  const zipped = !path.includes("identity") && chance(random, 0.05);
  const headers = {
    "content-type": "application/json",
    ...(zipped ? { "content-encoding": "gzip" } : {}),
    ...(path.startsWith("/v1/") ? credentials(random, key) : bearer(key)),
    ...parts.headers,
  };
  const body = zipped ? gzipSync(text) : text;
  return { kind, method: "POST", path, headers, body, cost, status, numbers };
}

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** Where client libraries put the key. */
const credentials = (random: Random, key: string): Record<string, string> =>
  pick<Record<string, string>>(random, [
    bearer(key),
    { authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}` },
    { "x-write-key": key },
  ]);

export const one = (request: Write, expected: Outcome): Writes => ({ requests: [request], expected });
