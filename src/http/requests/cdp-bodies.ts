/**
 * Bodies of the compatibility path: docs/wire/batches.md §4.1, docs/wire/messages.md §4.2. These schemas only describe
 * what to send: the core validates messages one by one (src/core/ingest/from-cdp.ts), up to 1,000 in a request, and
 * accepts more than this.
 */
import * as z from "zod";

import { MAX_BATCH_MESSAGES } from "../../core/ingest/cdp-body.ts";
import { MAX_RAW_EVENT_CHARACTERS } from "../../core/ingest/from-cdp.ts";
import { OPTIONAL_IDENTIFIER_FORM } from "../../core/ingest/identifiers.ts";
import { request } from "../../edge/named-schemas.ts";

const identifier = (description?: string) =>
  z
    .unknown()
    .optional()
    .meta({ ...OPTIONAL_IDENTIFIER_FORM, ...(description && { description }) });
const time = (description: string) => z.string().nullable().optional().meta({ description });
const amount = z.union([z.number(), z.string(), z.null()]).optional();
const word = z.string().nullable().optional();

/** Fields that may name the account. The first one found counts. */
const naming = {
  accountId: identifier("The account. The other spellings mean the same."),
  company_id: identifier(),
  account_id: identifier(),
  group_id: identifier(),
  groupId: identifier(),
  companyId: identifier(),
};

const attributes = {
  accountStage: word,
  trialEndsAt: word,
  accountPlan: word,
  accountSeats: amount,
  accountMrr: amount,
  accountCurrency: word,
  accountContractEndsAt: word,
};

const properties = z
  .looseObject({ ...naming, ...attributes })
  .nullable()
  .optional();

const common = {
  messageId: identifier("Makes retries safe: a message without an id can't be deduplicated."),
  anonymousId: identifier("Not used for identification."),
  timestamp: time(
    "When it happened, in ISO 8601; UTC if it has no offset. A time before 2000 counts as absent. Default: `originalTimestamp`, or else the time of receipt.",
  ),
  originalTimestamp: time("Time of the event on the sender's clock. `sentAt` corrects that clock."),
  sentAt: time("When it was sent, on the sender's clock."),
  receivedAt: time("Set by a CDP that has already corrected `timestamp`."),
  context: z
    .looseObject(naming)
    .nullable()
    .optional()
    .describe(
      "Its fields and its `traits` can name the account. In `identify` and `group`, its `traits` are also traits of the user. Nothing else is stored.",
    ),
  integrations: z.looseObject({}).nullable().optional().describe("Ignored."),
  writeKey: z.string().optional().describe("The API key, for clients that can't set headers. Never stored."),
  ...naming,
  ...attributes,
};

const track = request(
  "TrackMessage",
  z.object({
    type: z.literal("track"),
    event: z
      .string()
      .min(1)
      .max(MAX_RAW_EVENT_CHARACTERS)
      .describe('What happened. "Report Exported" and "reportExported" are stored as `report.exported`.'),
    userId: identifier("The user. Required if no account is given."),
    properties: properties.describe("Free-form data. Personal data is removed."),
    traits: properties.describe("Used to find the account and its attributes."),
    ...common,
  }),
);

const identify = request(
  "IdentifyMessage",
  z.object({
    type: z.literal("identify"),
    userId: identifier("The user. Without a user, the traits belong to the account, which is then required."),
    traits: properties.describe(
      "Merged key by key; `null` removes a trait. Personal data is removed. An object in `company` describes the account.",
    ),
    properties,
    ...common,
  }),
);

const group = request(
  "GroupMessage",
  z.object({
    type: z.literal("group"),
    userId: identifier("The user who becomes a member of the account."),
    traits: z
      .looseObject({
        ...naming,
        ...attributes,
        stage: word,
        plan: word,
        seats: amount,
        mrr: amount,
        currency: word,
        contractEndsAt: word.describe(
          "`renewalDate`, `contractEndsOn` and others mean the same: docs/wire/messages.md §4.2.",
        ),
      })
      .nullable()
      .optional()
      .describe("Attributes and free-form traits of the account. `null` removes a trait."),
    properties,
    ...common,
    groupId: identifier("The account. Required, here or in another field that names it."),
  }),
);

/** Client libraries send these automatically: they are accepted, not stored, and listed in `rejected`. */
const unsupported = request(
  "UnsupportedMessage",
  z.object({
    type: z.enum(["page", "screen", "alias"]),
    userId: identifier(),
    properties: z.looseObject({}).nullable().optional(),
    ...common,
  }),
);

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

const message = request("Message", z.discriminatedUnion("type", [track, identify, group, unsupported]));
export const messagesBody = request("MessagesRequest", bodyOf(message));

/** On a path that names the type, messages may omit it. */
const typedBody = <Type extends z.ZodType>(id: string, named: z.ZodObject<{ type: Type }>) =>
  request(id, bodyOf(named.extend({ type: named.shape.type.optional() })));

export const trackBody = typedBody("TrackRequest", track);
export const identifyBody = typedBody("IdentifyRequest", identify);
export const groupBody = typedBody("GroupRequest", group);
export const unsupportedBody = typedBody("UnsupportedRequest", unsupported);
