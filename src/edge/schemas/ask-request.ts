/** The request body of a question: docs/wire/ask.md §15.1. */
import * as z from "zod";

import { MAX_QUESTION_CHARS } from "../../config.ts";
import { DAY_MS } from "../../core/durations.ts";
import type { Day } from "../../core/health/model.ts";
import { nullableIdentifier } from "../../core/ingest/identifiers.ts";
import { isLongerThan } from "../../core/ingest/text.ts";

const question = z
  .string()
  .transform((text) => text.toWellFormed().trim())
  .refine(
    (text) => text !== "" && !isLongerThan(text, MAX_QUESTION_CHARS),
    `must have 1 to ${MAX_QUESTION_CHARS} characters`,
  )
  .meta({ minLength: 1, maxLength: MAX_QUESTION_CHARS, description: "A question in plain English." });

/** A name such as `Europe/Madrid`. An offset is not enough: it changes with daylight saving time. */
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+/-]*$/;

const timezone = z
  .string()
  .refine(isTimeZone, "must be the name of an IANA time zone")
  .meta({ description: 'Time zone of "today", such as `Europe/Madrid`. Default: UTC. Offsets are refused.' });

export const askRequest = z.strictObject({
  question,
  accountId: nullableIdentifier(
    'The account meant by "this account" or "they": an external or internal id.',
  ).optional(),
  userId: nullableIdentifier('The user meant by "this user": an external or internal id.').optional(),
  feature: nullableIdentifier('The feature meant by "it": an event name.').optional(),
  timezone: timezone.optional(),
});

function isTimeZone(name: string): boolean {
  if (!ZONE_NAME.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** Returns the day of a time in a time zone. Swedish dates are in ISO 8601. */
export function dayIn(timeZone: string, now: number): Day {
  const calendar = { calendar: "gregory", numberingSystem: "latn" };
  return Date.parse(new Intl.DateTimeFormat("sv-SE", { timeZone, ...calendar }).format(now)) / DAY_MS;
}
