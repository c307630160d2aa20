/** What a snooze comes with: docs/wire.md §14. */
import * as z from "zod";

import { MAX_SNOOZE_DAYS } from "../../config.ts";
import { DAY_MS } from "../../core/durations.ts";
import { readIsoTime } from "../../core/ingest/iso-time.ts";

export const snoozeRequest = z.strictObject({
  until: z
    .string()
    .transform((text, issues) => {
      const until = readIsoTime(text, false);
      const now = Date.now();
      if (until !== null && until > now && until <= now + MAX_SNOOZE_DAYS * DAY_MS) return until;
      const message =
        until === null
          ? "must be an ISO 8601 time with an offset or Z"
          : "must lie in the future, and at most a year ahead";
      issues.addIssue({ code: "custom", message });
      return z.NEVER;
    })
    .meta({ format: "date-time", description: "In the future, and at most a year ahead." }),
});
