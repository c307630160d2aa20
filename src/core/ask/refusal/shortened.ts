const MOST_QUOTED = 64;

/** What is quoted of a question in the sentence that says why it is not answered. */
export function shortened(text: string): string {
  const letters = Array.from(text);
  return letters.length <= MOST_QUOTED ? text : `${letters.slice(0, MOST_QUOTED).join("")}…`;
}
