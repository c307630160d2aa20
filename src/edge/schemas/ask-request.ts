/** The request body of a question: docs/wire/ask.md §15.1. */
import * as z from "zod";

import { MAX_QUESTION_CHARS } from "../../config.ts";
import { querySchema } from "../../core/ask/query/model.ts";
import { DAY_MS } from "../../core/durations.ts";
import type { Day } from "../../core/health/model.ts";
import { nullableIdentifier } from "../../core/ingest/identifiers.ts";
import { isLongerThan } from "../../core/ingest/text.ts";
import { timeZone } from "./time-zone.ts";

const question = z
  .string()
  .transform((text) => text.toWellFormed().trim())
  .refine(
    (text) => text !== "" && !isLongerThan(text, MAX_QUESTION_CHARS),
    `must have 1 to ${MAX_QUESTION_CHARS} characters`,
  )
  .meta({ minLength: 1, maxLength: MAX_QUESTION_CHARS, description: "A question in plain English." });

const timezone = timeZone.meta({
  description: 'Time zone of "today", such as `Europe/Madrid`. Default: UTC. Offsets are refused.',
});

export const askRequest = z.strictObject({
  question,
  accountId: nullableIdentifier(
    'The account meant by "this account" or "they": an external or internal id.',
  ).optional(),
  userId: nullableIdentifier('The user meant by "this user": an external or internal id.').optional(),
  feature: nullableIdentifier('The feature meant by "it": an event name.').optional(),
  previous: querySchema
    .optional()
    .describe('The `query` of the answer before: what "and in amer?", "how many?" and "they" are about.'),
  timezone: timezone.optional(),
});

/** Returns the day of a time in a time zone. Swedish dates are in ISO 8601. */
export function dayIn(zone: string, now: number): Day {
  const calendar = { calendar: "gregory", numberingSystem: "latn" };
  return Date.parse(new Intl.DateTimeFormat("sv-SE", { timeZone: zone, ...calendar }).format(now)) / DAY_MS;
}
