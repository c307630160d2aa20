/**
 * What the compatibility path takes: docs/wire.md §4.1, §4.2. Messages are read by hand (src/core/ingest/from-cdp.ts), 1,000 in
 * a request, so there is no schema that reads them: these only describe what to send. The service takes more than that.
 */
import * as z from "zod";

import { MAX_BATCH_MESSAGES } from "../../../core/ingest/cdp-body.ts";
import { MAX_RAW_EVENT_CHARACTERS } from "../../../core/ingest/from-cdp.ts";
import { OPTIONAL_IDENTIFIER_FORM } from "../../../core/ingest/identifiers.ts";

const identifier = (description?: string) =>
  z
    .unknown()
    .optional()
    .meta({ ...OPTIONAL_IDENTIFIER_FORM, ...(description && { description }) });
const time = (description?: string) =>
  z
    .string()
    .optional()
    .meta({ ...(description && { description }) });
const amount = z.union([z.number(), z.string(), z.null()]).optional();
const word = z.string().nullable().optional();

/** Where an account may be named, the first found counts. */
const naming = {
  accountId: identifier("The account. `company_id`, `account_id` and `group_id` say the same."),
  company_id: identifier(),
  account_id: identifier(),
  group_id: identifier(),
};

const attributes = {
  accountStage: word,
  trialEndsAt: word,
  accountPlan: word,
  accountSeats: amount,
  accountMrr: amount,
  accountCurrency: word,
};

const properties = z
  .looseObject({ ...naming, ...attributes })
  .nullable()
  .optional();

const common = {
  messageId: identifier("Makes it safe to send the message again: without one it can't be deduplicated."),
  anonymousId: identifier("Names nobody."),
  timestamp: time("When it happened: ISO 8601, in UTC without an offset. The time of receipt if absent."),
  originalTimestamp: time("By the sender's clock, which `sentAt` is there to correct."),
  sentAt: time("When it was sent, by the sender's clock."),
  receivedAt: time("Set by a CDP that corrected `timestamp` before."),
  context: z
    .looseObject({ groupId: identifier() })
    .nullable()
    .optional()
    .describe("Read for the account, never stored."),
  integrations: z.looseObject({}).nullable().optional().describe("Not read."),
  writeKey: z.string().optional().describe("The API key, where no header can be set; never stored."),
  ...naming,
  ...attributes,
};

const track = z.object({
  type: z.literal("track"),
  event: z
    .string()
    .min(1)
    .max(MAX_RAW_EVENT_CHARACTERS)
    .describe('What happened. "Report Exported" and "reportExported" are stored as `report.exported`.'),
  userId: identifier("The person. Without one the account has to be named."),
  properties: properties.describe("Whatever the sender wants to tell. Personal data is removed."),
  traits: properties.describe("Read for the account and its attributes."),
  ...common,
});

const identify = z.object({
  type: z.literal("identify"),
  userId: identifier("The person. Without one the traits are the account's, which has to be named."),
  traits: properties.describe("Merged key by key; `null` removes one. Personal data is removed."),
  properties,
  ...common,
});

const group = z.object({
  type: z.literal("group"),
  userId: identifier("Who becomes a member of the account."),
  groupId: identifier("The account, which this or another field has to name."),
  traits: z
    .looseObject({ ...naming, ...attributes, stage: word, plan: word, seats: amount, mrr: amount, currency: word })
    .nullable()
    .optional()
    .describe("The account's: its attributes, and whatever else. `null` removes one."),
  properties,
  ...common,
});

/** Client libraries send these by themselves: they are taken, stored nowhere and listed in `rejected`. */
const unasked = z.object({
  type: z.enum(["page", "screen", "alias"]),
  userId: identifier(),
  properties: z.looseObject({}).nullable().optional(),
  ...common,
});

const bodyOf = <Message extends z.ZodType>(message: Message) =>
  z.union([
    message,
    z.object({
      batch: z.array(message).max(MAX_BATCH_MESSAGES),
      sentAt: common.sentAt,
      context: common.context,
      integrations: common.integrations,
      writeKey: common.writeKey,
    }),
    z.array(message).max(MAX_BATCH_MESSAGES),
  ]);

export const messages = { track, identify, group, unasked };
export const message = z.discriminatedUnion("type", [track, identify, group, unasked]);
export const messageBody = bodyOf(message);

/** On a path that names it the type may be left out. */
export const trackBody = bodyOf(track.extend({ type: track.shape.type.optional() }));
export const identifyBody = bodyOf(identify.extend({ type: identify.shape.type.optional() }));
export const groupBody = bodyOf(group.extend({ type: group.shape.type.optional() }));
export const unaskedBody = bodyOf(unasked.extend({ type: unasked.shape.type.optional() }));
