/**
 * Maps event names to the dotted lower-case form: see docs/wire/messages.md §4.2, Event names.
 *
 * A capital is a letter that changes in lower case (`\p{CWL}`), not any `\p{Lu}`. Mathematical capitals have no lower
 * case, and a second mapping would split them off again.
 */
import { memoizeByText } from "../ttl-cache.ts";
import { isLongerThan } from "./text.ts";

export const MAX_EVENT_CHARACTERS = 128;

const CAMEL_BOUNDARY = /(?<=[\p{Ll}\p{N}])(?=\p{CWL})|(?<=\p{CWL})(?=\p{CWL}\p{Ll})/gu;
const ACCENTS_ON_LATIN = /(?<=\p{Script=Latin})\p{M}+/gu;
/** Variation selectors and the like choose how the letter before them looks. They don't belong to a name and don't end a word. */
const INVISIBLE_MARKS = /[\p{M}&&\p{Default_Ignorable_Code_Point}]+/gv;
/** Letters and digits with their marks. A mark on anything else, an enclosing mark and a blank letter separate words. */
const WORDS = /(?:[[\p{L}\p{N}]--\p{Default_Ignorable_Code_Point}][\p{M}--\p{Me}]*|_)+/gv;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
/** The names that are stored as sent. */
export const MAPPED_NAME = /^[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)*$/;

const MEMOIZED_NAMES = 2_000;
const MEMOIZED_LENGTH = 256;

/**
 * Maps an event name: `reportExported`, `Report Exported` and `report-exported` become `report.exported`. Idempotent.
 *
 * @returns `null` if the name has no letter or digit, or more than 128 characters
 */
export const mapEventName: (raw: string) => string | null = memoizeByText(map, MEMOIZED_NAMES, MEMOIZED_LENGTH);

function map(raw: string): string | null {
  const name = MAPPED_NAME.test(raw) ? raw : words(raw).join(".");
  if (!LETTER_OR_DIGIT.test(name) || isLongerThan(name, MAX_EVENT_CHARACTERS)) return null;
  return name;
}

function words(raw: string): string[] {
  const text = raw
    .replace(INVISIBLE_MARKS, "")
    .normalize("NFC")
    .replace(CAMEL_BOUNDARY, ".")
    .toLowerCase()
    .normalize("NFD")
    .replace(ACCENTS_ON_LATIN, "")
    .normalize("NFC");
  return text.match(WORDS) ?? [];
}
