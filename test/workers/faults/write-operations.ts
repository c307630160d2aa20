/** The operations that write and are charged. */
import { IDENTITY, jsonBearer } from "../identity/identified-workspace.ts";
import { batch, capture, track } from "../support/messages.ts";

export interface WriteOperation {
  what: string;
  path: string;
  body: unknown;
  headers?: Record<string, string>;
  /** What the write limit counts. */
  cost: number;
  /** Round trips to D1 with a warm key; the last of them writes. */
  trips: number;
  /** The round trips before the call of the object. */
  tripsBeforeAdmission: number;
  /** Whether a repeat stores nothing more. */
  deduplicates: boolean;
  /** The response to the first request. */
  answer: Record<string, unknown>;
  /** The response to a repeat, if it differs. */
  answerToRepeat?: Record<string, unknown>;
}

const MESSAGES = batch([
  { type: "group", messageId: "m1", userId: "u2", groupId: "globex", traits: { colour: "red", plan: "pro" } },
  track({ messageId: "m2", userId: "u2" }),
  { type: "identify", messageId: "m3", userId: "u3", traits: { role: "admin", seats: 3, accountPlan: "pro" } },
  track({ messageId: "m2", userId: "u2" }),
  track({ messageId: "m4", event: null }),
  { type: "page", messageId: "m5" },
]);
const IDENTITIES = { accountId: "acme", userId: "u1", traits: { company: "Acme Corp", name: "Jo Doe" } };

/** Six messages: three new ones, a repeat and two rejected ones. */
export const BATCH: WriteOperation = {
  what: "a batch",
  path: "/v1/batch",
  body: MESSAGES,
  cost: 6,
  trips: 1,
  tripsBeforeAdmission: 0,
  deduplicates: true,
  answer: { deduped: false, stored: 3, duplicates: 1, rejected: [{ index: 4 }, { index: 5 }] },
  answerToRepeat: { deduped: true, stored: 0, duplicates: 4, rejected: [{ index: 4 }, { index: 5 }] },
};

const CAPTURE: WriteOperation = {
  what: "a capture with an Idempotency-Key",
  path: "/api/v1/events",
  body: capture({ accountPlan: "pro", properties: { n: 1 } }),
  headers: { "Idempotency-Key": "key-1" },
  cost: 1,
  trips: 1,
  tripsBeforeAdmission: 0,
  deduplicates: true,
  answer: { deduped: false, account: { externalId: "acme" }, user: { externalId: "u1" } },
  answerToRepeat: { deduped: true, account: { externalId: "acme" }, user: { externalId: "u1" } },
};

export const WRITE_OPERATIONS: WriteOperation[] = [
  {
    what: "a capture without an Idempotency-Key",
    path: "/api/v1/events",
    body: capture({ accountPlan: "pro", properties: { n: 1 } }),
    cost: 1,
    trips: 1,
    tripsBeforeAdmission: 0,
    deduplicates: false,
    answer: { deduped: false, account: { externalId: "acme" }, user: { externalId: "u1" } },
  },
  CAPTURE,
  // Without attributes, of a cached user: one statement.
  { ...CAPTURE, what: "a capture of a known user", body: capture({ properties: { n: 1 } }) },
  {
    what: "a single track",
    path: "/v1/track",
    body: track({ messageId: "m1", properties: { n: 1 } }),
    cost: 1,
    trips: 1,
    tripsBeforeAdmission: 0,
    deduplicates: true,
    answer: { deduped: false, stored: 1, duplicates: 0 },
    answerToRepeat: { deduped: true, stored: 0, duplicates: 1 },
  },
  BATCH,
  {
    what: "identity traits",
    path: IDENTITY,
    body: IDENTITIES,
    cost: 1,
    // The first two read the agreement, and the account and user.
    trips: 3,
    tripsBeforeAdmission: 1,
    deduplicates: true,
    answer: { attached: ["company", "name"], account: { externalId: "acme" }, user: { externalId: "u1" } },
  },
];

export const initOf = ({ headers = {} }: WriteOperation, key: string) => ({
  headers: { ...jsonBearer(key).headers, ...headers },
});
