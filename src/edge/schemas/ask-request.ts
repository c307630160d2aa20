/** What a question comes with, read by the rules of docs/ask.md §15.1. */
import * as z from "zod";

import { MAX_QUESTION_CHARS } from "../../config.ts";
import { DAY_MS } from "../../core/durations.ts";
import type { Day } from "../../core/health/model.ts";
import { OPTIONAL_IDENTIFIER_FORM, readIdentifier } from "../../core/ingest/identifiers.ts";
import { isLongerThan } from "../../core/ingest/text.ts";

/** An external or an internal id, or a name; nothing where it is absent, `null` or blank. */
const identifier = (description: string) =>
  z
    .unknown()
    .transform((value, issues) => {
      const read = readIdentifier(value);
      if (read.ok) return read.value;
      issues.addIssue({ code: "custom", message: read.problem });
      return z.NEVER;
    })
    .optional()
    .meta({ ...OPTIONAL_IDENTIFIER_FORM, description });

const question = z
  .string()
  .transform((text, issues) => {
    const asked = text.toWellFormed().trim();
    if (asked !== "" && !isLongerThan(asked, MAX_QUESTION_CHARS)) return asked;
    issues.addIssue({ code: "custom", message: `must have 1 to ${MAX_QUESTION_CHARS} characters` });
    return z.NEVER;
  })
  .meta({ minLength: 1, maxLength: MAX_QUESTION_CHARS, description: "A question in English, in plain words." });

/** By name, as `Europe/Madrid`: an offset says nothing of the other half of the year. */
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+/-]*$/;

const timezone = z
  .string()
  .refine(isTimeZone, "must be the name of an IANA time zone")
  .meta({ description: "Where today is meant, as `Europe/Madrid`; UTC if absent. An offset is refused." });

export const askRequest = z.strictObject({
  question,
  accountId: identifier('What "this account" and "they" stand for: an external or an internal id.'),
  userId: identifier('What "this user" stands for: an external or an internal id.'),
  feature: identifier('What "it" stands for: an event name.'),
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

/** The date that a moment falls on in a time zone, as a day. */
export function dayIn(timeZone: string, now: number): Day {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    year: "numeric",
    month: "numeric",
    day: "numeric",
  }).formatToParts(now);
  const partOf = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value);
  return Date.UTC(partOf("year"), partOf("month") - 1, partOf("day")) / DAY_MS;
}
