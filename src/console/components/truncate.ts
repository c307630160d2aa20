/** Shortens what senders named, so that a page stays small however long it is, and whatever it is written in. */

/** As much as tells a name from others; names may be long, and are said again and again. */
const NAME_CHARACTERS = 80;
const MAX_BYTES_PER_CHARACTER = 2;

/** What characters become in HTML. */
const ESCAPED_BYTES: Readonly<Record<string, number>> = { '"': 6, "'": 5, "&": 5, "<": 4, ">": 4 };

/**
 * As much of a text as has no more characters than that, and no more than twice as many bytes once it stands in a page:
 * a quotation mark takes 6 there, and many scripts take 3 for each character.
 */
export function shortened(text: string, maxCharacters = NAME_CHARACTERS): string {
  let characters = 0;
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    characters += 1;
    bytes += bytesOf(character);
    if (characters > maxCharacters || bytes > MAX_BYTES_PER_CHARACTER * maxCharacters) return `${text.slice(0, end)}…`;
    end += character.length;
  }
  return text;
}

function bytesOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return ESCAPED_BYTES[character] ?? 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}
