/** Request bodies of destinations: docs/wire/notifications.md §23. */
import * as z from "zod";

import { ITEM_KINDS, SEVERITIES } from "../../core/inbox/model.ts";
import { DESTINATION_KINDS, SUBSCRIBED_EVENTS, WEEKDAYS } from "../../core/notify/model.ts";
import { ownerName } from "./owner.ts";

const url = z.string("must be a URL").meta({ format: "uri", description: "https, port 443, a public DNS name." });

const events = z
  .array(z.enum(SUBSCRIBED_EVENTS))
  .min(1)
  .refine((names) => new Set(names).size === names.length, "must not repeat an event")
  .meta({ uniqueItems: true, description: "What is sent. `digest` needs the field `digest`." });

const filter = z
  .strictObject({
    kinds: z.array(z.enum(ITEM_KINDS)).min(1).optional(),
    minSeverity: z.enum(SEVERITIES).optional(),
    minMrr: z.number().min(0).optional().meta({ description: "In the account's own currency." }),
    owner: ownerName.optional(),
  })
  .meta({ description: "All that are given must hold. `kinds` and `minSeverity` concern items only." });

const digest = z
  .strictObject({
    every: z.enum(["day", "week"]),
    at: z
      .string()
      .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "must be a time of day, such as 09:00")
      .meta({ description: "A time of day in the workspace's time zone." }),
    weekday: z.enum(WEEKDAYS).optional().meta({ description: "Of weekly digests. Default: `monday`." }),
  })
  .refine(({ every, weekday }) => every === "week" || weekday === undefined, {
    path: ["weekday"],
    message: "needs `every` to be `week`",
  });

const includeIdentity = z.boolean().meta({
  description: "Whether payloads have identity traits. Needs a key that also has the scope `identity`.",
});

export const newDestination = z.strictObject({
  kind: z.enum(DESTINATION_KINDS),
  url,
  events,
  filter: filter.default({}),
  includeIdentity: includeIdentity.default(false),
  digest: digest.nullable().default(null),
});

export const destinationChange = z.strictObject({
  url: url.optional(),
  events: events.optional(),
  filter: filter.optional(),
  includeIdentity: includeIdentity.optional(),
  digest: digest.nullable().optional(),
  disabled: z.boolean().optional().meta({ description: "`false` enables a destination that was disabled." }),
});
