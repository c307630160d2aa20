/** Shortens texts that senders chose, so that a page stays small, whatever their length and script. */

const NAME_CHARACTERS = 80;
const MAX_BYTES_PER_CHARACTER = 2;

const ESCAPED_BYTES: Readonly<Record<string, number>> = { '"': 6, "'": 5, "&": 5, "<": 4, ">": 4 };

/**
 * Cuts a text to a number of characters, and to twice as many bytes of HTML: a quotation mark takes 6 bytes there, and a
 * character of many scripts takes 3.
 */
export function truncate(text: string, maxCharacters = NAME_CHARACTERS): string {
  let characters = 0;
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    characters += 1;
    bytes += htmlBytes(character);
    if (characters > maxCharacters || bytes > MAX_BYTES_PER_CHARACTER * maxCharacters) return `${text.slice(0, end)}…`;
    end += character.length;
  }
  return text;
}

function htmlBytes(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return ESCAPED_BYTES[character] ?? 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}

const encoder = new TextEncoder();

export function takeBytes<Element extends { toString(): string }>(
  elements: readonly Element[],
  maxBytes: number,
): Element[] {
  let left = maxBytes;
  const end = elements.findIndex((element) => (left -= encoder.encode(element.toString()).byteLength) < 0);
  return elements.slice(0, end === -1 ? elements.length : end);
}
