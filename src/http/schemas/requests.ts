/** Path parameters, and request bodies that only the API has. Others are in core and in src/edge/schemas. */
import * as z from "zod";

import { MAX_SNOOZE_DAYS } from "../../config.ts";
import { DAY_MS } from "../../core/durations.ts";
import { IDENTIFIER_FORM, readIdentifier } from "../../core/ingest/identifiers.ts";
import { readIsoTime } from "../../core/ingest/iso-time.ts";
import { request } from "./registry.ts";

/** An external or internal id in a path; `null` if no account or user can have that id. */
export const externalIdParam = (description: string) =>
  z.object({
    externalId: z
      .string()
      .transform((text) => {
        const id = readIdentifier(text);
        return id.ok ? id.value : null;
      })
      .meta({ minLength: 1, description }),
  });

export const idParam = (description: string) => z.string().min(1).meta({ description });

/** Docs/wire.md §6.2. */
export const eraseUserRequest = request(
  "EraseUserRequest",
  z.strictObject({
    userId: z
      .unknown()
      .transform((value, context): string => {
        const id = readIdentifier(value);
        if (id.ok && id.value !== null) return id.value;
        context.addIssue({ code: "custom", message: id.ok ? "is required" : id.problem });
        return z.NEVER;
      })
      .meta({ ...IDENTIFIER_FORM, description: "External id, or internal id (`usr_…`)." }),
  }),
);

/** Docs/wire.md §14. */
export const snoozeRequest = request(
  "SnoozeRequest",
  z.strictObject({
    until: z
      .string()
      .transform((text, context) => {
        const until = readIsoTime(text, false);
        const now = Date.now();
        if (until !== null && until > now && until <= now + MAX_SNOOZE_DAYS * DAY_MS) return until;
        const message =
          until === null
            ? "must be an ISO 8601 time with an offset or Z"
            : "must be in the future, at most a year ahead";
        context.addIssue({ code: "custom", message });
        return z.NEVER;
      })
      .meta({ format: "date-time", description: "A time in the future, at most a year ahead." }),
  }),
);
