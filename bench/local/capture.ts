/** Creates captures as the edge passes them on. Their users and accounts are known, as nearly all are in the long run. */
import { mapNativeCapture } from "../../src/core/ingest/from-native.ts";
import type { IngestBatch } from "../../src/core/ingest/message.ts";

const USERS = 100;
const ACCOUNTS = 20;
const EVENTS = ["report.exported", "board.shared", "member.invited", "filter.applied"];
const RECEIVED_AT = Date.UTC(2026, 10, 1, 12);

let created = 0;
const newMessageId = () => `message-${++created}`;

/** Users take turns, and each stays in one account. */
function senderOf(n: number) {
  const user = n % USERS;
  return { userId: `user-${user}`, accountId: `account-${user % ACCOUNTS}`, event: EVENTS[n % EVENTS.length] };
}

export const capture = {
  next(): IngestBatch {
    const body = { ...senderOf(created), properties: { format: "pdf" } };
    const mapped = mapNativeCapture(body, { receivedAt: RECEIVED_AT, versioned: true, messageId: newMessageId() });
    if (!mapped.ok) throw new Error("The capture is invalid.");
    return { source: "native", receivedAt: RECEIVED_AT, messages: [mapped.message], rejections: [] };
  },
};
