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

/** Returns the requests that are stored in part, and those that were acknowledged and are not stored. */
export function notWhole(sent: readonly Shipment[], stored: readonly StoredEvent[]): Shipment[] {
  const ids = new Set(stored.map(idOf));
  return sent.filter((one) => {
    const found = one.ids.filter((id) => ids.has(id)).length;
    return found < one.ids.length && (found > 0 || one.acknowledged);
  });
}

/** Lists the events of requests or of the service, each with its account and user, in one order for both. */
export const eventsOf = (sent: readonly Shipment[]): string[] =>
  sent.flatMap(({ ids, account, user }) => ids.map((id) => `${id} ${account} ${user}`)).toSorted();
export const storedEvents = (stored: readonly StoredEvent[]): string[] =>
  stored.map((one) => `${idOf(one)} ${one.account?.externalId} ${one.user?.externalId}`).toSorted();

const idOf = ({ properties }: StoredEvent): string => String(properties["id"]);
