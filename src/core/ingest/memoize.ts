/**
 * A pure function of a text, and the answers it gave before: senders use few names and keys, and repeat them. What is
 * remembered is dropped when it has grown to `maxEntries`, so that a flood of names costs no memory.
 *
 * @param maxLength longer texts are not remembered
 */
export function remembering<T>(
  answer: (text: string) => T,
  maxEntries: number,
  maxLength: number,
): (text: string) => T {
  const known = new Map<string, { answer: T }>();
  return (text) => {
    const hit = known.get(text);
    if (hit !== undefined) return hit.answer;
    const given = answer(text);
    if (text.length <= maxLength) {
      if (known.size >= maxEntries) known.clear();
      known.set(text, { answer: given });
    }
    return given;
  };
}
