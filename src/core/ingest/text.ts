/**
 * Measures and cuts text in characters (code points). Senders count characters, and a cut must not leave half of a
 * surrogate pair.
 */

export function isLongerThan(text: string, max: number): boolean {
  // A character has at most two UTF-16 units.
  if (text.length <= max || text.length > 2 * max) return text.length > max;
  return Array.from(text).length > max;
}

export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const characters = Array.from(text.slice(0, 2 * max));
  return characters.slice(0, max).join("");
}
