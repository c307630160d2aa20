/** Creates requests as the edge passes them on. Their users and accounts are known, as nearly all are in the long run. */
import { mapCdpBody } from "../../src/core/ingest/cdp-body.ts";
import { mapNativeCapture } from "../../src/core/ingest/from-native.ts";
import type { IngestBatch } from "../../src/core/ingest/message.ts";

const USERS = 100;
const ACCOUNTS = 20;
const EVENTS = ["report.exported", "board.shared", "member.invited", "filter.applied"];
const RECEIVED_AT = Date.UTC(2026, 10, 1, 12);

export interface Workload {
  name: string;
  /** Messages in a request. */
  size: number;
  next(): IngestBatch;
}

let created = 0;
const newMessageId = () => `message-${++created}`;

/** Users take turns, and each stays in one account. */
function senderOf(n: number) {
  const user = n % USERS;
  return { userId: `user-${user}`, accountId: `account-${user % ACCOUNTS}`, event: EVENTS[n % EVENTS.length] };
}

export const capture: Workload = {
  name: "captures",
  size: 1,
  next() {
    const body = { ...senderOf(created), properties: { format: "pdf" } };
    const mapped = mapNativeCapture(body, { receivedAt: RECEIVED_AT, versioned: true, messageId: newMessageId() });
    if (!mapped.ok) throw new Error("The capture is invalid.");
    return { source: "native", receivedAt: RECEIVED_AT, messages: [mapped.message], rejections: [] };
  },
};

/** Tracks that name no account, and belong to the account of their user. */
export const tracks = (size: number): Workload => ({
  name: size === 1 ? "single tracks" : `batches of ${size.toLocaleString("en-US")}`,
  size,
  next() {
    const batch = Array.from({ length: size }, () => {
      const messageId = newMessageId();
      const { userId, event } = senderOf(created);
      return { type: "track", messageId, userId, event, properties: { format: "pdf" } };
    });
    const body = { lone: false, items: batch, sentAt: null, context: null };
    const { messages, rejections } = mapCdpBody(body, { receivedAt: RECEIVED_AT, pathType: null, newMessageId });
    return { source: "cdp", receivedAt: RECEIVED_AT, messages, rejections };
  },
});
