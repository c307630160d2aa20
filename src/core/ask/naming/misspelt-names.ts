/** Misspelt names: words that nothing else explains, and that are a slip or two away from one name and from no other. */
import type { Entity, Found, KnownName } from "../model.ts";
import { editDistanceWithin, foldName, fuzzyReach } from "../names.ts";
import { overlap, rawForms, sizeOf, type Span, spansOf } from "../question/spans.ts";
import type { Question } from "../question/tokens.ts";
import { type Mention, withoutOverlap } from "./mentions.ts";
import { hasOuterFrame, hasUnknownWord } from "./plain-words.ts";

const MIN_FUZZY_NAME = 4;
const HAS_DIGIT = /\p{N}/u;

interface Slip {
  mention: Mention;
  distance: number;
}

/** @param taken what names are known to stand in the question */
export function fuzzyMentionsOf(question: Question, found: Found, taken: readonly Mention[]): Mention[] {
  const free = spansOf(question.tokens).filter(
    (span) => !taken.some((mention) => overlap(mention.span, span)) && hasUnknownWord(question, span),
  );
  const slips = free.flatMap((span) => slipAt(question, span, found.names) ?? []);
  const ordered = slips.toSorted((a, b) => a.distance - b.distance || sizeOf(b.mention.span) - sizeOf(a.mention.span));
  return withoutOverlap(ordered.map(({ mention }) => mention));
}

function slipAt(question: Question, span: Span, names: readonly KnownName[]): Slip | null {
  const [part] = span.parts;
  const [raw = ""] = part === undefined ? [] : rawForms(question.text, question.tokens, part);
  const said = foldName(raw);
  const reach = fuzzyReach(Array.from(said).length);
  // Ids that differ in a digit are different ids, not slips of each other.
  if (reach === 0 || HAS_DIGIT.test(said) || hasOuterFrame(question, span)) return null;
  const [best, next] = nearestTo(said, reach, names);
  if (best === undefined || best.distance > reach || (next !== undefined && next.distance - best.distance < 1))
    return null;
  const byType: Mention["byType"] = { [best.entity.type]: [{ entity: best.entity, match: "fuzzy" }] };
  return { mention: { span, said: raw, byType, isOptional: false }, distance: best.distance };
}

/** One edit more than is in reach is looked for, to see whether the next best is far enough. */
function nearestTo(said: string, reach: number, names: readonly KnownName[]) {
  const near = new Map<string, { entity: Entity; distance: number }>();
  for (const { entity, text, source } of names) {
    const name = foldName(text);
    if (source === "internal_id" || HAS_DIGIT.test(name) || Array.from(name).length < MIN_FUZZY_NAME) continue;
    const distance = isSlipByWord(said, name) ? editDistanceWithin(said, name, reach + 1) : null;
    const key = `${entity.type} ${entity.id}`;
    if (distance !== null && distance < (near.get(key)?.distance ?? Infinity)) near.set(key, { entity, distance });
  }
  return [...near.values()].toSorted((a, b) => a.distance - b.distance);
}

/** "Unexported" is no slip of "exported". */
const isContrary = (a: string, b: string): boolean =>
  ["un", "in", "de", "re", "dis", "non", "mis"].some((prefix) => a === prefix + b);

/**
 * Whether each word may be misspelt by itself, where both have as many: "report imported" is no slip of "report
 * exported", though two edits in so many letters would be.
 */
function isSlipByWord(said: string, name: string): boolean {
  const [words, others] = [said.split(" "), name.split(" ")];
  if (words.length !== others.length) return true;
  if (words.some((word, at) => isContrary(word, others[at] ?? "") || isContrary(others[at] ?? "", word))) return false;
  return words.every(
    (word, at) => editDistanceWithin(word, others[at] ?? "", Math.max(1, fuzzyReach(Array.from(word).length))) !== null,
  );
}
