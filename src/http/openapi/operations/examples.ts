/** Examples of what is sent and answered. A test sends those of requests, and holds all of them against their schemas. */
const MADE = "0123456789abcdef01234567";
const account = { id: `acc_${MADE}`, externalId: "acme" };
const user = { id: `usr_${MADE}`, externalId: "u1" };

export const MESSAGES = {
  group: { type: "group", messageId: "m1", userId: "u1", groupId: "acme", traits: { plan: "pro", seats: "25" } },
  identify: { type: "identify", messageId: "m2", userId: "u1", traits: { role: "admin" } },
  track: {
    type: "track",
    messageId: "m3",
    userId: "u1",
    event: "Report Exported",
    properties: { format: "pdf" },
  },
  page: { type: "page", messageId: "m4", userId: "u1" },
};

export const CAPTURED = { ok: true, deduped: false, account, user };

export const INGESTED = {
  ok: true,
  deduped: false,
  source: "cdp",
  account,
  user,
  stored: 3,
  duplicates: 0,
  rejected: [
    {
      index: 3,
      messageId: "m4",
      code: "unsupported_type",
      message: "type must be track, identify or group.",
      path: "type",
    },
  ],
  redacted: [],
};

export const ACCOUNTS = {
  ok: true,
  asOf: "2026-11-12T00:05:00.000Z",
  accounts: [
    {
      ...account,
      kind: "company",
      attributes: { stage: "active", plan: "pro", seats: 25, mrr: 490, currency: "EUR" },
      health: {
        score: 58.5,
        state: "watch",
        confidence: "high",
        provisional: false,
        trend: -6.25,
        asOf: "2026-11-11",
        modelVersion: 1,
      },
      firstSeenAt: "2026-02-03T09:12:44.000Z",
      lastSeenAt: "2026-11-11T16:40:02.000Z",
    },
  ],
  nextCursor: null,
};

const days = { from: "2026-10-24", to: "2026-11-22" };
const freshness = { lastEventAt: "2026-11-22T08:15:30.000Z", lastRecomputeAt: "2026-11-22T08:15:00.000Z" };
const interpretation = {
  intent: "activity",
  measure: "event_count",
  subject: null,
  restated: "How many events were there?",
};

export const KNOWN = {
  ok: true,
  knows: true,
  answer: "There were 310 events from 2026-10-24 to 2026-11-22.",
  value: 310,
  interpretation,
  window: { ...days, phrase: "in the last 30 days", defaulted: false },
  evidence: [
    {
      id: "e1",
      kind: "rollup",
      measure: "events",
      value: 310,
      window: days,
      asOf: "2026-11-22T08:15:30.000Z",
    },
  ],
  freshness,
  confidence: "high",
  reason: null,
};

export const UNKNOWN = {
  ok: true,
  knows: false,
  answer: null,
  interpretation: null,
  window: null,
  evidence: [],
  freshness,
  confidence: null,
  reason: "unresolved_words",
  detail: "Not understood: during, lunch.",
};
