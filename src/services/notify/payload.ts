/** Writes JSON that a receiver accepts: always valid, and never larger than promised (docs/wire/notifications.md §23). */
import { iso } from "../present/iso.ts";

const MAX_BYTES = 20_000;
/** Longer lists and texts are cut to these lengths, one after the other, until the payload fits. */
const CUTS = [
  { entries: Infinity, characters: Infinity },
  { entries: 12, characters: 1_000 },
  { entries: 6, characters: 300 },
  { entries: 3, characters: 100 },
  { entries: 0, characters: 50 },
];

/** @param at when the news arose, in milliseconds since the epoch */
export function payloadOf(type: string, at: number, data: object): string {
  let text = "";
  for (const { entries, characters } of CUTS) {
    text = JSON.stringify({ type, timestamp: iso(at), data }, (_key, value: unknown) => {
      if (Array.isArray(value)) return value.slice(0, entries);
      return typeof value === "string" && value.length > characters
        ? `${value.slice(0, characters).toWellFormed()}…`
        : value;
    });
    if (new TextEncoder().encode(text).length <= MAX_BYTES) break;
  }
  return text;
}
