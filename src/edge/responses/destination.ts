/** Destinations and the attempts to deliver to them: docs/wire/notifications.md §23. */
import * as z from "zod";

import {
  ATTEMPT_OUTCOMES,
  DESTINATION_KINDS,
  DISABLED_REASONS,
  NOTIFICATION_TYPES,
  SUBSCRIBED_EVENTS,
  WEEKDAYS,
} from "../../core/notify/model.ts";
import { ITEM_KINDS, SEVERITIES } from "../../core/inbox/model.ts";
import type { Attempt } from "../../db/destinations/deliveries.ts";
import type { Destination } from "../../db/destinations/destinations.ts";
import { iso, isoOrNull } from "../../services/present/iso.ts";
import { response, type ResponseBody } from "../named-schemas.ts";
import { moment, ok, text } from "./fields.ts";

const destination = response(
  "Destination",
  z.strictObject({
    id: z.string().regex(/^dst_[0-9a-f]{24}$/),
    kind: z.enum(DESTINATION_KINDS),
    url: text.describe("The URL of a webhook. Of Slack and Teams only the origin."),
    events: z.array(z.enum(SUBSCRIBED_EVENTS)),
    filter: z
      .strictObject({
        kinds: z.array(z.enum(ITEM_KINDS)),
        minSeverity: z.enum(SEVERITIES),
        minMrr: z.number(),
        owner: text,
      })
      .partial(),
    includeIdentity: z.boolean(),
    digest: z
      .strictObject({ every: z.enum(["day", "week"]), at: text, weekday: z.enum(WEEKDAYS).optional() })
      .nullable(),
    nextDigestAt: moment.nullable(),
    createdAt: moment,
    disabled: z.boolean(),
    disabledReason: z
      .enum(DISABLED_REASONS)
      .nullable()
      .describe(
        "`gone`: the receiver said so. `failing`: nothing could be delivered for 3 days. `requested`: by a request. `restored`: by a restore from a backup.",
      ),
    failingSince: moment.nullable().describe("When deliveries began to fail; `null` after a success."),
  }),
);

export const destinations = response(
  "DestinationsResponse",
  z.strictObject({ ok, destinations: z.array(destination).max(20) }),
);
export const oneDestination = response("DestinationResponse", z.strictObject({ ok, destination }));
export const createdDestination = response(
  "CreatedDestinationResponse",
  z.strictObject({
    ok,
    destination: destination.extend({
      secret: z
        .string()
        .regex(/^whsec_/)
        .nullable()
        .describe("Signs the notifications of a webhook. It is shown only once. `null` for Slack and Teams."),
    }),
  }),
);

const attempt = response(
  "DeliveryAttempt",
  z.strictObject({
    id: z.string().regex(/^att_[0-9a-f]{24}$/),
    notificationId: text.describe("The `webhook-id`, which all attempts of a notification share."),
    type: z.enum(NOTIFICATION_TYPES),
    at: moment,
    status: z.int().nullable().describe("The status of the response; `null` without one."),
    outcome: z.enum(ATTEMPT_OUTCOMES),
  }),
);
export const attempts = response(
  "DeliveryAttemptsResponse",
  z.strictObject({ ok, attempts: z.array(attempt).max(100) }),
);
export const oneAttempt = response("DeliveryAttemptResponse", z.strictObject({ ok, attempt }));

export const presentDestination = (stored: Destination): ResponseBody<typeof destination> => ({
  id: stored.id,
  kind: stored.kind,
  url: stored.shownUrl,
  events: stored.events,
  filter: stored.filter,
  includeIdentity: stored.includeIdentity,
  digest: stored.digest,
  nextDigestAt: isoOrNull(stored.digestDueAt),
  createdAt: iso(stored.createdAt),
  disabled: stored.disabledAt !== null,
  disabledReason: stored.disabledReason,
  failingSince: isoOrNull(stored.failingSince),
});

export const presentAttempt = ({
  at,
  id,
  notificationId,
  type,
  status,
  outcome,
}: Attempt): ResponseBody<typeof attempt> => ({
  id,
  notificationId,
  type,
  at: iso(at),
  status,
  outcome,
});
