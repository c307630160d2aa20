/** The request body of a snooze: docs/wire/inbox.md §14. */
import * as z from "zod";

import { MAX_SNOOZE_DAYS } from "../../config.ts";
import { DAY_MS } from "../../core/durations.ts";
import { readIsoTime } from "../../core/ingest/iso-time.ts";

export const snooze = z.strictObject({
  until: z
    .string()
    .transform((text) => readIsoTime(text, false))
    .pipe(z.number("must be an ISO 8601 time with an offset or Z"))
    .refine(
      (until) => until > Date.now() && until <= Date.now() + MAX_SNOOZE_DAYS * DAY_MS,
      "must be in the future, at most a year ahead",
    )
    .meta({ format: "date-time", description: "A time in the future, at most a year ahead." }),
});
