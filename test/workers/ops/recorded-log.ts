/** Records what the real service logs in a test, and asks the queries of `ops` about it. */
import { afterEach, beforeAll, beforeEach, vi } from "vitest";

import { Alert, bodyOf, firings, type Measure, type Result } from "../../../ops/alert.ts";
import { type Changes, envWith, sendWith, splitIsolates } from "../support/faulty-env.ts";
import { capture } from "../support/messages.ts";
import { eraseAllWorkspaces } from "../support/workspace.ts";
import { signedIn } from "../console/support/signed-in.ts";
import { type LoggedLine, queryLog } from "./query-log.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const EVENTS = "/api/v1/events";
export const SERVICE = "behavior-ingest";

const files = import.meta.glob("../../../ops/alerts/*.json", { eager: true, import: "default" });
export const ALERTS = Object.entries(files).map(([path, json]) => ({ path, alert: Alert.parse(json) }));

/** What the service has logged since `start`, which is when the test began. */
export const log: { lines: LoggedLine[]; start: number } = { lines: [], start: 0 };
/** Sets the clock. It only goes forward, so that windows of limits end and cached keys are looked up again. */
export const at = (ms: number) => vi.setSystemTime(log.start + ms);

/** Records the log in each test of a file. */
export function recordLog(): void {
  beforeAll(() => {
    splitIsolates();
  });
  beforeEach(async () => {
    await eraseAllWorkspaces();
    log.start = Date.now();
    at(0);
    log.lines = [];
    for (const level of ["log", "info", "warn", "error", "debug"] as const) {
      vi.spyOn(console, level).mockImplementation(
        (line: string) => void log.lines.push({ timestamp: Date.now(), fields: JSON.parse(line) }),
      );
    }
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
}

/** Runs a query on the log, now. */
export const ask = (measure: Measure): Result => queryLog(log.lines, bodyOf(measure, SERVICE, Date.now()), SERVICE);

/** The alerts that fired in a test of the file. */
export const everFired = new Set<string>();

/** Evaluates all alerts now. @returns the names of those that fire, each with its groups */
export function firing(): Record<string, string[]> {
  const found = ALERTS.map(({ alert }) => {
    const base = alert.base && ask(alert.base);
    return [alert.name, firings(alert, ask(alert.measured), base).map(({ group }) => group)] as const;
  });
  const fired = found.filter(([, groups]) => groups.length > 0);
  for (const [name] of fired) everFired.add(name);
  return Object.fromEntries(fired);
}

type Method = "GET" | "POST";
export const sendTo = (changes: Changes, key: string, method: Method, path: string, body?: unknown) =>
  sendWith(envWith(changes), method, path, body, { headers: { Authorization: `Bearer ${key}` } });
export const post = ({ key }: { key: string }, changes: Changes = {}, body: unknown = capture()) =>
  sendTo(changes, key, "POST", EVENTS, body);
export const times = async (count: number, send: () => Promise<unknown>) => {
  for (let sent = 0; sent < count; sent += 1) await send();
};

export const isMarked = async () => (await (await signedIn()).get("/console/databases")).html.includes("badge bad");
