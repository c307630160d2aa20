/** Inbox items: docs/wire/inbox.md §14. */
import * as z from "zod";

import { CONFIDENCES } from "../../core/health/model.ts";
import { DISMISS_REASONS } from "../../core/inbox/marks.ts";
import { ITEM_KINDS, RESOLUTIONS, SEVERITIES } from "../../core/inbox/model.ts";
import { response } from "../named-schemas.ts";
import { account, asOf, count, date, moment, nextCursor, ok, owner, text, window } from "./fields.ts";

export const confidence = z.enum(CONFIDENCES);
export const modelVersion = z.int().min(1).describe("Version of the scoring model.");

const by = text.describe("The name of the API key, else its id; `administrator` for the administrator in the console.");

export const item = response(
  "InboxItem",
  z.strictObject({
    id: z.string().regex(/^itm_/),
    kind: z.enum(ITEM_KINDS),
    severity: z.enum(SEVERITIES),
    account: account.nullable().describe("`null` for an item about the whole workspace."),
    owner: owner.describe("Who looks after the account."),
    subject: z
      .discriminatedUnion("type", [
        z.strictObject({ type: z.literal("user"), id: text.nullable(), externalId: text.nullable() }),
        z.strictObject({ type: z.literal("feature"), name: text }),
        z.strictObject({ type: z.literal("trial_end"), at: moment }),
        z.strictObject({ type: z.literal("contract_end"), at: moment }),
        z.strictObject({ type: z.literal("seats"), seats: count }),
        z.strictObject({ type: z.literal("attribute"), name: text }),
      ])
      .optional()
      .describe("The part of the account that the item is about, for kinds that have one."),
    title: text.describe("Plain text that contains names as senders gave them. Not markup."),
    why: text,
    evidence: z.array(
      z.strictObject({
        code: text,
        value: z.union([z.number(), date]),
        expected: z.number().optional(),
        window: window.optional(),
      }),
    ),
    since: moment,
    lastConfirmedAt: moment,
    resolvedAt: moment.nullable(),
    resolution: z.enum(RESOLUTIONS).nullable(),
    dueAt: moment.optional(),
    suggestedAction: text,
    closesWhen: text,
    confidence,
    status: z
      .enum(["open", "resolved"])
      .describe(
        "Whether the problem still exists. Dismissing or snoozing an item doesn't change it: see `dismissedAt` and `snoozedUntil`.",
      ),
    dismissedAt: moment.nullable(),
    dismissReason: z.enum(DISMISS_REASONS).nullable(),
    snoozedUntil: moment.nullable(),
    contactedAt: moment.nullable(),
    contactedBy: by.nullable(),
    note: response("Note", z.strictObject({ text, by, at: moment })).nullable(),
    occurrence: count.min(1),
    modelVersion,
  }),
);

export const inbox = response("InboxResponse", z.strictObject({ ok, asOf, items: z.array(item), nextCursor }));
export const marked = response("InboxItemResponse", z.strictObject({ ok, item }));
