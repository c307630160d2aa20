/**
 * Measures and cuts text in characters (code points). Senders count characters, and a cut must not leave half of a
 * surrogate pair.
 */

/** Returns whether `text` has more than `max` characters. Reads at most `max + 1` of them. */
export function isLongerThan(text: string, max: number): boolean {
  if (text.length <= max) return false;
  return text.length > 2 * max || offsetOf(text, max) < text.length;
}

/** Returns the first `max` characters of `text`. */
export function cutText(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, offsetOf(text, max));
}

/** Returns where, in UTF-16 units, the character with this number begins. */
function offsetOf(text: string, characters: number): number {
  let offset = 0;
  for (let count = 0; count < characters && offset < text.length; count += 1) {
    const code = text.codePointAt(offset) ?? 0;
    offset += code > 0xff_ff ? 2 : 1;
  }
  return offset;
}
