/**
 * The names in a question: which of its words stand for what the workspace knows. A name is matched as a whole, up to
 * where words are divided; the longest comes first, and of equally long ones that which is written most exactly.
 */
import type { Found, SubjectType } from "../model.ts";
import { overlap, sizeOf, type Span, spansOf, spokenSplits, startOf, textOf } from "../question/spans.ts";
import type { Question } from "../question/tokens.ts";
import { type Candidate, candidatesOf, formsOf, isSame, spokenCandidates, tierOf } from "./candidates.ts";
import { areConcepts, isAsking, isBareFrame, isDay, isOptional } from "./plain-words.ts";

export interface Mention {
  span: Span;
  /** As it was typed. */
  said: string;
  /** Of each type those that match best, for there a question's grammar decides. */
  byType: Readonly<Partial<Record<SubjectType, readonly Candidate[]>>>;
  /** Whether the words mean something by themselves too, so that they may be no name here. */
  isOptional: boolean;
  /** The same by a shorter name, where the words that this leaves have a meaning of their own ("Nimbus Health"). */
  shorter?: Mention;
}

/** The mentions of known names, none over another. */
export function mentionsOf(question: Question, found: Found): Mention[] {
  const forms = formsOf(found.names);
  const whole = spansOf(question.tokens).flatMap(
    (span) => mentionAt(question, span, candidatesOf(question, span, forms)) ?? [],
  );
  const split = spokenSplits(question.tokens).flatMap(
    (span) => mentionAt(question, span, spokenCandidates(textOf(question, span), forms)) ?? [],
  );
  const all = [...whole, ...split];
  return withoutOverlap(all.toSorted(likelierFirst)).map((mention) => {
    const shorter = all.find((other) => isShorter(question, other, mention));
    return shorter === undefined ? mention : { ...mention, shorter };
  });
}

function mentionAt(question: Question, span: Span, candidates: readonly Candidate[]): Mention | null {
  if (candidates.length === 0 || isBareFrame(question, span) || isDay(question, span)) return null;
  const isExact = candidates.some(({ match }) => match === "external_id" || match === "name");
  if (isAsking(question, span) && !isExact) return null;
  const byType: Partial<Record<SubjectType, Candidate[]>> = {};
  for (const candidate of candidates) {
    const there = byType[candidate.entity.type] ?? [];
    byType[candidate.entity.type] = bestOf([...there, candidate]);
  }
  return { span, said: textOf(question, span), byType, isOptional: isOptional(question, span) };
}

/** Those that match best, each entity once. */
function bestOf(candidates: readonly Candidate[]): Candidate[] {
  const best = Math.min(...candidates.map(({ match }) => tierOf(match)));
  const kept = candidates.filter(({ match }) => tierOf(match) === best);
  return kept.filter(({ entity }, at) => kept.findIndex((other) => isSame(other.entity, entity)) === at);
}

/** Whether a name of the same entities leaves words that questions are made of. */
function isShorter({ tokens }: Question, shorter: Mention, mention: Mention): boolean {
  const [inner, outer] = [shorter.span.parts[0], mention.span.parts[0]];
  if (inner === undefined || outer === undefined || shorter.span.parts.length + mention.span.parts.length > 2)
    return false;
  const isWithin = inner.from >= outer.from && inner.to <= outer.to && sizeOf(shorter.span) < sizeOf(mention.span);
  if (!isWithin || idsOf(shorter) !== idsOf(mention)) return false;
  return areConcepts([...tokens.slice(outer.from, inner.from), ...tokens.slice(inner.to + 1, outer.to + 1)]);
}

const idsOf = ({ byType }: Mention): string =>
  Object.values(byType)
    .flatMap((candidates) => candidates.map(({ entity }) => entity.id))
    .toSorted()
    .join(" ");

/** Names that can be nothing else come first, then the longer, the more exact, and those in one piece. */
const likelierFirst = (a: Mention, b: Mention): number =>
  Number(a.isOptional) - Number(b.isOptional) ||
  sizeOf(b.span) - sizeOf(a.span) ||
  bestTier(a) - bestTier(b) ||
  a.span.parts.length - b.span.parts.length;

/** Those that come first, in the order in which they stand in the question. */
export function withoutOverlap(mentions: readonly Mention[]): Mention[] {
  const kept: Mention[] = [];
  for (const mention of mentions) {
    if (!kept.some(({ span }) => overlap(span, mention.span))) kept.push(mention);
  }
  return kept.toSorted((a, b) => startOf(a.span) - startOf(b.span));
}

/** How exactly it is written, as far as one of what it may be is. */
export const bestTier = ({ byType }: Mention): number =>
  Math.min(...Object.values(byType).flatMap((candidates) => candidates.map(({ match }) => tierOf(match))));
