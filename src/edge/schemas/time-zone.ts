/** Names of time zones. */
import * as z from "zod";

/** A name such as `Europe/Madrid`. An offset is not enough: it changes with daylight saving time. */
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+/-]*$/;

export const timeZone = z.string().refine(isTimeZone, "must be the name of an IANA time zone");

function isTimeZone(name: string): boolean {
  if (!ZONE_NAME.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
