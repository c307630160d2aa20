/** Each operation that writes and is charged, as it is sent to a workspace whose agreement stands and that knows acme and u1. */
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
  /** Of these, the ones before the object is asked. */
  tripsBeforeAdmission: number;
  /** Whether the same again stores nothing more. */
  deduplicates: boolean;
  /** What a 200 says the first time. */
  answer: Record<string, unknown>;
  /** And what it says of the same again, where that is another thing. */
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

/** Of six messages: three new ones, a repetition among them, and two that are rejected. */
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
  // Without attributes, of a user and an account that the isolate takes for settled: one statement.
  { ...CAPTURE, what: "a capture of a settled user", body: capture({ properties: { n: 1 } }) },
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
    // The agreement is asked for, and whom it is about.
    trips: 3,
    tripsBeforeAdmission: 1,
    deduplicates: true,
    answer: { attached: ["company", "name"], account: { externalId: "acme" }, user: { externalId: "u1" } },
  },
];

export const initOf = ({ headers = {} }: WriteOperation, key: string) => ({
  headers: { ...jsonBearer(key).headers, ...headers },
});
