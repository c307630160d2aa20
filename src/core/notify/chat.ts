/** A notification for people, before Slack or Teams formats it. Names are plain text here. */

/** A list of a digest or a summary. */
export interface ChatGroup {
  /** Words of the service: it isn't escaped, so it can't have a name. */
  title: string;
  lines: readonly string[];
  /** All entries, also those that are no line. */
  count: number;
}

export interface ChatMessage {
  title: string;
  /** At most three. */
  paragraphs: readonly string[];
  /** Pairs of a label and a value. */
  facts: readonly (readonly [label: string, value: string])[];
  /** At most four. */
  groups: readonly ChatGroup[];
  /** A page of the console; `null` if the service doesn't know its own address. */
  link: string | null;
}

/** The most characters of each part, once escaped. Together they stay below what Slack and Teams accept. */
const MAX_CHARS = { title: 150, paragraph: 600, fact: 150, line: 240, group: 1_400 } as const;
const MAX_FACTS = 6;

/** Cuts and escapes all texts. @param escape gets a character and the text before it */
export function formatParts(message: ChatMessage, escape: (character: string, before: string) => string) {
  const cut = (text: string, max: number) => cutEscaped(text, max, escape);
  return {
    title: cut(message.title, MAX_CHARS.title),
    paragraphs: message.paragraphs.map((each) => cut(each, MAX_CHARS.paragraph)),
    facts: message.facts.slice(0, MAX_FACTS).map(([label, value]) => [label, cut(value, MAX_CHARS.fact)] as const),
    groups: message.groups.map(({ title, lines, count }) => ({ title, lines: groupLines(lines, count, cut) })),
    link: message.link,
  };
}

/** Takes as many lines as fit, and counts the others. */
function groupLines(lines: readonly string[], count: number, cut: (text: string, max: number) => string): string[] {
  const taken: string[] = [];
  let left: number = MAX_CHARS.group;
  for (const line of lines.map((each) => cut(each, MAX_CHARS.line))) {
    if ((left -= line.length + 1) < 0) break;
    taken.push(line);
  }
  const more = count - taken.length;
  return more > 0 ? [...taken, `and ${more} more`] : taken;
}

function cutEscaped(text: string, max: number, escape: (character: string, before: string) => string): string {
  // A name can't begin a line of its own, and can't turn or hide what stands beside it.
  const plain = text
    .toWellFormed()
    .replaceAll(/(?![\u200c\u200d])\p{Cf}/gu, "")
    .replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, " ")
    .trim();
  let escaped = "";
  let before = "";
  for (const character of plain) {
    const next = escape(character, before);
    if (escaped.length + next.length > max - 1) return `${escaped}…`;
    escaped += next;
    before += character;
  }
  return escaped;
}
