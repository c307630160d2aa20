/**
 * Measures and cuts text in characters (code points). Senders count characters, and a cut must not leave half of a
 * surrogate pair.
 */

/** Returns whether `text` has more than `max` characters. */
export function isLongerThan(text: string, max: number): boolean {
  if (text.length <= max) return false;
  return text.length > 2 * max || charactersOf(text).length > max;
}

/** Returns the first `max` characters of `text`. */
export function cutText(text: string, max: number): string {
  // A character has at most two UTF-16 units.
  return text.length <= max
    ? text
    : charactersOf(text.slice(0, 2 * max))
        .slice(0, max)
        .join("");
}

const charactersOf = (text: string): string[] => Array.from(text);
