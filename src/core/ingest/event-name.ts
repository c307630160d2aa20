/**
 * The mapping of event names to the dotted lower-case form: see docs/wire.md, Event names.
 *
 * What counts as a capital is what changes when lowered (`\p{CWL}`), not `\p{Lu}`: capitals without a lower-case form
 * exist (mathematical letters), and would be split off again on a second mapping.
 */
import { memoize } from "./memoize.ts";
import { isLongerThan } from "./text.ts";

export const MAX_EVENT_CHARACTERS = 128;

const CAMEL_BOUNDARY = /(?<=[\p{Ll}\p{N}])(?=\p{CWL})|(?<=\p{CWL})(?=\p{CWL}\p{Ll})/gu;
const ACCENTS_ON_LATIN = /(?<=\p{Script=Latin})\p{M}+/gu;
/** Variation selectors and the like choose how the letter before them looks: no part of a name, and no end of a word. */
const INVISIBLE_MARKS = /[\p{M}&&\p{Default_Ignorable_Code_Point}]+/gv;
/** Letters and digits with the marks on them. A mark on anything else, an enclosing one and a blank letter separate. */
const WORDS = /(?:[[\p{L}\p{N}]--\p{Default_Ignorable_Code_Point}][\p{M}--\p{Me}]*|_)+/gv;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const ALREADY_MAPPED = /^[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)*$/;

const REMEMBERED_NAMES = 2_000;
const REMEMBERED_LENGTH = 256;

/**
 * Maps an event name: `reportExported`, `Report Exported` and `report-exported` are `report.exported`. Idempotent.
 *
 * @returns `null` when no letter or digit is left, or more than 128 characters
 */
export const mapEventName: (raw: string) => string | null = memoize(map, REMEMBERED_NAMES, REMEMBERED_LENGTH);

function map(raw: string): string | null {
  const name = ALREADY_MAPPED.test(raw) ? raw : words(raw).join(".");
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
