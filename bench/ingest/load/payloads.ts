/** Creates bodies as client libraries post them. */
import type { Payload } from "./job.ts";

const USERS = 100;
const ACCOUNTS = 20;
const EVENTS = ["Report Exported", "Board Shared", "Member Invited", "Filter Applied"];

let created = 0;

/** Returns the next body. Its messages are new, except for `duplicate`. */
export function nextBody({ form, messages }: Payload): string {
  if (form === "capture") return capture(++created);
  if (form === "track") return track(++created);
  const ids = form === "duplicate" ? "again" : `new-${++created}`;
  const batch = Array.from({ length: messages }, (_, place) => track(place, ids));
  return `{"batch":[${batch.join(",")}],"sentAt":"${new Date().toISOString()}"}`;
}

const capture = (n: number): string =>
  `{"accountId":"account-${n % ACCOUNTS}","userId":"user-${n % USERS}","event":"report.exported",` +
  `"timestamp":"2026-11-01T09:00:00.000Z","properties":${properties(n)}}`;

const track = (n: number, ids = "lone"): string =>
  `{"type":"track","messageId":"node-next-1762000000000-${process.pid}-${ids}-${n}","userId":"user-${n % USERS}",` +
  `"event":"${EVENTS[n % EVENTS.length]}","timestamp":"2026-11-01T09:00:00.000Z","properties":${properties(n)},` +
  `"context":{"library":{"name":"@segment/analytics-node","version":"3.1.0"}},"integrations":{},"_metadata":{"nodeVersion":"24.0.0"}}`;

const properties = (n: number): string =>
  `{"accountId":"account-${n % ACCOUNTS}","format":"pdf","pages":${n % 40},"source":"dashboard"}`;
