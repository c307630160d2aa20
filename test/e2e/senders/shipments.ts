/** Creates a stream of requests. Each knows its events and whether it was acknowledged, and can be sent again unchanged. */
import { randomUUID } from "node:crypto";

import type { StoredEvent } from "./stored.ts";

const TRACKS_IN_BATCH = 12;
const COMPANIES = 7;

export interface Shipment {
  path: string;
  headers: Record<string, string>;
  body: string;
  /** The `id` property of each event. */
  ids: string[];
  account: string;
  user: string;
  /** The number of messages, of all types. */
  messages: number;
  /** True once a 200 has come back. */
  acknowledged: boolean;
}

/**
 * Creates the n-th request: in turn a batch, a single compatibility message and a native capture. The events of a batch
 * get their account from the group message before them, so that a half-stored batch is noticed.
 */
export function shipment(n: number): Shipment {
  const account = `company-${n % COMPANIES}`;
  const user = `user-${n}`;
  const ids = Array.from({ length: n % 3 === 0 ? TRACKS_IN_BATCH : 1 }, () => randomUUID());
  const common = { ids, account, user, messages: ids.length, acknowledged: false };
  if (n % 3 === 2) {
    const headers = { "idempotency-key": ids.join() };
    const body = { accountId: account, userId: user, event: "report.exported", properties: { id: ids.join() } };
    return { ...common, path: "/api/v1/events", headers, body: JSON.stringify(body) };
  }
  const tracks = ids.map((id) => {
    return { type: "track", messageId: id, userId: user, event: "Report Exported", properties: { id } };
  });
  if (n % 3 === 1) {
    const body = { ...tracks[0], context: { groupId: account } };
    return { ...common, path: "/v1/track", headers: {}, body: JSON.stringify(body) };
  }
  const group = { type: "group", messageId: randomUUID(), userId: user, groupId: account };
  const body = JSON.stringify({ batch: [group, ...tracks] });
  return { ...common, path: "/v1/batch", headers: {}, body, messages: ids.length + 1 };
}

/** Compares what is stored with what was sent. All lists are empty when they match. */
export function discrepancies(sent: readonly Shipment[], stored: readonly StoredEvent[]) {
  const times = new Map<string, number>();
  const origins = new Map(sent.flatMap((one) => one.ids.map((id) => [id, one] as const)));
  const misplaced: StoredEvent[] = [];
  for (const event of stored) {
    const id = String(event.properties["id"]);
    times.set(id, (times.get(id) ?? 0) + 1);
    const origin = origins.get(id);
    if (origin?.account !== event.account?.externalId || origin?.user !== event.user?.externalId) misplaced.push(event);
  }
  const isStored = (id: string) => times.has(id);
  return {
    lost: sent.filter(({ acknowledged, ids }) => acknowledged && !ids.every(isStored)),
    half: sent.filter(({ ids }) => ids.some(isStored) && !ids.every(isStored)),
    repeated: [...times].filter(([, count]) => count > 1),
    /** Stored under another account or user, or never sent. */
    misplaced,
  };
}

export const NO_DISCREPANCIES: ReturnType<typeof discrepancies> = {
  lost: [],
  half: [],
  repeated: [],
  misplaced: [],
};
