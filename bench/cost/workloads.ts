/** Requests as the edge hands them to the ingest core. Their users and accounts are known: in the long run nearly all are. */
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

let made = 0;
const newMessageId = () => `message-${++made}`;

/** The same ones in turn: a user stays in an account. */
function who(n: number) {
  const user = n % USERS;
  return { userId: `user-${user}`, accountId: `account-${user % ACCOUNTS}`, event: EVENTS[n % EVENTS.length] };
}

export const capture: Workload = {
  name: "captures",
  size: 1,
  next() {
    const body = { ...who(made), properties: { format: "pdf" } };
    const mapped = mapNativeCapture(body, { receivedAt: RECEIVED_AT, versioned: true, messageId: newMessageId() });
    if (!mapped.ok) throw new Error("not a capture");
    return { source: "native", receivedAt: RECEIVED_AT, messages: [mapped.message], rejections: [] };
  },
};

/** Tracks without an account of their own, which belong to that of their user. */
export const tracks = (size: number): Workload => ({
  name: size === 1 ? "single tracks" : `batches of ${size.toLocaleString("en-US")}`,
  size,
  next() {
    const batch = Array.from({ length: size }, () => {
      const messageId = newMessageId();
      const { userId, event } = who(made);
      return { type: "track", messageId, userId, event, properties: { format: "pdf" } };
    });
    const body = { lone: false, items: batch, sentAt: null, measured: null };
    const { messages, rejections } = mapCdpBody(body, { receivedAt: RECEIVED_AT, pathType: null, newMessageId });
    return { source: "cdp", receivedAt: RECEIVED_AT, messages, rejections };
  },
});
