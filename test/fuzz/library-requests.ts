/** Requests as libraries really send them, recorded once and cut to what differs between them. */
import type { Json, Seed } from "./request.ts";

/** Stands for the sender's key, in the body too. */
export const WRITE_KEY = "WRITE_KEY";

const BASIC = { "Content-Type": "application/json", Authorization: `Basic ${WRITE_KEY}` };
const [TIMESTAMP, SENT_AT] = ["2026-11-02T09:30:00.250Z", "2026-11-02T10:30:00.250Z"];
const properties = { pages: 12, accountId: "acme" };
const traits = { plan: "pro", seats: 25, name: "Acme Corp" };

const messages = (common: Record<string, Json>): Json[] => [
  { ...common, type: "group", messageId: "m1", userId: "u1", groupId: "acme", traits },
  { ...common, type: "identify", messageId: "m2", userId: "u1", traits: { role: "admin", mrr: "490" } },
  { ...common, type: "track", messageId: "m3", userId: "u1", event: "Report Exported", properties },
  { ...common, type: "track", messageId: "m4", userId: "u2", event: "seatAdded", context: { groupId: "globex" } },
  { ...common, type: "page", messageId: "m5", userId: "u1", properties: {} },
];
const segmentMessages = messages({ timestamp: TIMESTAMP, integrations: {}, _metadata: { nodeVersion: "24.21.0" } });

const segmentNode: Seed = {
  method: "POST",
  target: "/v1/batch",
  headers: { ...BASIC, "User-Agent": "analytics-node-next/latest" },
  body: { batch: segmentMessages, sentAt: SENT_AT },
};

/** Version 2 sends its key in the body. */
const segmentNode2: Seed = {
  ...segmentNode,
  headers: { "Content-Type": "application/json" },
  body: { batch: segmentMessages, writeKey: WRITE_KEY, sentAt: SENT_AT },
};

const rudderNode: Seed = {
  ...segmentNode,
  headers: { ...BASIC, "Content-Type": "application/x-www-form-urlencoded" },
  body: { batch: messages({ originalTimestamp: TIMESTAMP, sentAt: SENT_AT, channel: "server" }), sentAt: SENT_AT },
  gzip: true,
};

const segmentBrowser: Seed = {
  method: "POST",
  target: "/v1/t",
  headers: { "Content-Type": "text/plain", Origin: "https://app.example" },
  body: {
    timestamp: TIMESTAMP,
    sentAt: SENT_AT,
    messageId: "m1",
    anonymousId: "a1",
    userId: "u1",
    event: "Report Exported",
    properties,
    context: { page: { url: "https://app.example/" }, userAgent: "Mozilla/5.0", locale: "en" },
    writeKey: WRITE_KEY,
  },
};

/** A destination of a CDP forwards messages that it received earlier, each in a wrapper. */
const webhook: Seed = {
  method: "POST",
  target: "/api/v1/cdp",
  headers: { ...BASIC, "User-Agent": "Segment (webhooks)" },
  body: messages({
    context: { ip: "203.0.113.9", groupId: "acme" },
    originalTimestamp: TIMESTAMP,
    sentAt: SENT_AT,
    receivedAt: "2026-11-02T11:30:00.250Z",
    timestamp: TIMESTAMP,
  }).map((json) => ({ json })),
};

export const LIBRARY_REQUESTS = [segmentNode, segmentNode2, rudderNode, segmentBrowser, webhook];
