/** Events: docs/wire/README.md §1. */
import * as z from "zod";

import { response } from "../named-schemas.ts";
import { account, moment, nextCursor, object, ok, text, userRef } from "./fields.ts";

export const event = response(
  "Event",
  z.strictObject({
    messageId: text,
    name: text,
    account: account.nullable(),
    user: userRef.nullable(),
    properties: object,
    occurredAt: moment,
    receivedAt: moment,
    source: z.enum(["cdp", "native"]),
  }),
);

export const events = response(
  "EventsResponse",
  z.strictObject({
    ok,
    events: z.array(event),
    nextCursor,
    archivedUntil: moment
      .nullable()
      .describe(
        "Messages received until this time are in the archive, not in this list. `null` if no messages are archived.",
      ),
  }),
);
