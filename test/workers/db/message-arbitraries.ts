/** Few names, ids and times, so that generated messages meet, repeat and tie. */
import * as fc from "fast-check";

import type { JsonObject } from "../../../src/core/json.ts";
import {
  ACCOUNT_FIELDS,
  type AccountAttributes,
  type IngestBatch,
  type Mapping,
  type Message,
  type Rejection,
  type Source,
} from "../../../src/core/ingest/message.ts";

export const RECEIVED_AT = 9_000;

/** Includes ids that JSON escapes, because ids become names in objects. */
const externalId = fc.constantFrom("1", "o'brien", 'é\\u0061"');
/** More users than accounts, so that some users have no account for a while. */
const userExternalId = fc.constantFrom("1", "o'brien", 'é\\u0061"', "__proto__", "😀");
const key = fc.constantFrom("a", "b", "$.x", 'say "hi"', "__proto__", "size");
const value = fc.constantFrom<[JsonObject[string]]>(
  [1],
  [0.1],
  ["x"],
  [null],
  [true],
  [{ deep: ["'", 1e300] }],
  ["\u0000"],
);
const object = fc
  .dictionary(key, value, { maxKeys: 3, noNullPrototype: true })
  .map((some): JsonObject => Object.fromEntries(Object.entries(some).map(([name, [one]]) => [name, one])));
const traits = object.map((some) => (Object.keys(some).length === 0 ? null : some));
const attributes = fc
  .record(
    {
      stage: fc.constantFrom("trial", "paid", null),
      seats: fc.constantFrom(1, 5, null),
      mrr: fc.constantFrom(0, 99.5, null),
      plan: fc.constantFrom("pro", "null", ""),
    },
    { requiredKeys: [] },
  )
  .map((some): AccountAttributes | null => (Object.keys(some).length === 0 ? null : some));

/** Mappings change nothing else, so any may come with any message. */
export const mapping: fc.Arbitrary<Mapping> = fc.record(
  {
    sentName: fc.constantFrom("Report Exported", 'say "hi"', "o'brien", "0", "é😀\u0000", "[redacted]"),
    accountField: fc.constantFrom(...ACCOUNT_FIELDS),
    timeField: fc.constantFrom("timestamp", "originalTimestamp"),
    clockSlowMs: fc.constantFrom(5_000, -5_000, 62_135_596_800_000),
    replaced: fc.constantFrom("future", "past"),
    unsetField: fc.constantFrom("timestamp", "originalTimestamp"),
  },
  { requiredKeys: [], noNullPrototype: true },
);

/** Messages as the mapping makes them: a group, or a message without a user, names an account. */
export const message: fc.Arbitrary<Message> = fc
  .record({
    type: fc.constantFrom<Message["type"][]>("track", "track", "track", "identify", "identify", "group", "group"),
    messageId: fc.integer({ min: 1, max: 60 }).map((id) => `m${id}`),
    userId: fc.option(userExternalId, { freq: 9 }),
    accountId: fc.oneof({ arbitrary: fc.constant(null), weight: 3 }, { arbitrary: externalId, weight: 1 }),
    attributes: fc.option(attributes, { freq: 3 }),
    properties: fc.option(object, { freq: 3 }),
    traits: fc.option(traits, { freq: 3 }),
    accountTraits: fc.option(traits, { freq: 1 }),
    occurredAt: fc.integer({ min: 1_000, max: 1_003 }),
    mapping,
  })
  .map((some) => ({
    ...some,
    index: 0,
    accountId:
      some.accountId ?? (some.type === "group" || some.userId === null || some.accountTraits !== null ? "1" : null),
    event: some.type === "track" ? "report.exported" : null,
    properties: some.type === "track" ? some.properties : null,
    traits: some.type === "track" || some.userId === null ? null : some.traits,
    accountTraits: some.type === "track" ? null : some.accountTraits,
  }));

/** Makes a message, by default a track of `u1` that names no account. */
export const messageWith = (fields: Partial<Message>): Message => ({
  index: 0,
  type: "track",
  messageId: "m1",
  userId: "u1",
  accountId: null,
  event: "report.exported",
  properties: null,
  traits: null,
  accountTraits: null,
  attributes: null,
  occurredAt: 1_000,
  mapping: {},
  ...fields,
});

const rejection: fc.Arbitrary<Rejection> = fc
  .record({
    code: fc.constantFrom<Rejection["code"][]>("invalid_message", "message_too_large", "unsupported_type"),
    messageId: fc.option(fc.integer({ min: 1, max: 40 }).map((id) => `m${id}`)),
    userId: fc.option(externalId),
    traits: fc.option(object),
  })
  .map(({ code, messageId, userId, traits: kept }) => ({
    index: 0,
    automatic: false,
    messageId,
    code,
    message: "It is not valid.",
    path: null,
    kept:
      code === "unsupported_type"
        ? null
        : { type: "track", messageId, userId, accountId: null, event: null, properties: null, traits: kept },
  }));

const source = fc.constantFrom<Source[]>("cdp", "cdp", "native");

export const batchOf = (
  messages: readonly Message[],
  rejections: readonly Rejection[] = [],
  from: Source = "cdp",
): IngestBatch => ({
  source: from,
  receivedAt: RECEIVED_AT,
  messages,
  rejections,
});

/** A request with valid and invalid messages. */
export const request: fc.Arbitrary<IngestBatch> = fc
  .tuple(fc.array(message, { maxLength: 20 }), fc.array(rejection, { maxLength: 2 }), source)
  .map(([messages, rejections, from]) => batchOf(messages, rejections, from));
