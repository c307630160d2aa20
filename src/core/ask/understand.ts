/**
 * From a question and the names found for it to a plan, or to why there is none. A question may be read in several ways;
 * it is answered only where all that fit mean the same:
 *
 * 1. `naming/`: which of its words are names that are known, and of plans.
 * 2. `reading/`: what its words are by each choice of them, names first, then times (`time/`), then what the closed
 *    `lexicon/` has; and what of that fits one of the `rules/`, with no word left over.
 * 3. `decide.ts`: whether all that fits is one plan, which is told (`telling/`) in our own words.
 * 4. Once more with misspelt names and words put right, if nothing fitted, and then as a question for a trait.
 * 5. `refusal/`: why nothing fits.
 */
import { decide } from "./decide.ts";
import type { Found, Hints, Understood } from "./model.ts";
import { tierOf } from "./naming/candidates.ts";
import { bestTier, type Mention, mentionsOf } from "./naming/mentions.ts";
import { fuzzyMentionsOf } from "./naming/misspelt-names.ts";
import { planNamesOf } from "./naming/plan-names.ts";
import type { Question } from "./question/tokens.ts";
import { choicesOf } from "./reading/choices.ts";
import { correctionsOf } from "./reading/corrections.ts";
import { readUnits } from "./reading/read-units.ts";
import { traitIn } from "./reading/trait.ts";
import type { Reading } from "./reading/units.ts";
import { refusalOf } from "./refusal/refuse.ts";
import { areSeveralQuestions } from "./refusal/several-questions.ts";
import { understoodAs } from "./telling/interpret.ts";
import type { Clock } from "./time/time-context.ts";

/** Each name more is a choice more of what the words mean: a question of nothing but names took seconds. */
const MAX_MENTIONS = 24;

export function understand(question: Question, found: Found, hints: Hints, clock: Clock): Understood {
  const mentions = mentionsOf(question, found);
  if (areSeveralQuestions(question, mentions)) {
    return { ok: false, refusal: { reason: "unresolved_words", detail: "Only one question is answered at a time." } };
  }
  if (mentions.length > MAX_MENTIONS) {
    const detail = `It names more than ${MAX_MENTIONS} accounts, users and events.`;
    return { ok: false, refusal: { reason: "unresolved_words", detail } };
  }
  const plans = planNamesOf(question, found.plans);
  const read = (names: readonly Mention[], corrections: ReadonlyMap<number, string> = new Map()): Reading[] =>
    choicesOf(names, plans, corrections).map((choice) => readUnits(question, choice, clock));

  const exact = read(mentions);
  const withoutWeak = exact.filter((reading) => !reading.mentions.some(isWeak));
  const decided = decide(withoutWeak, hints, clock) ?? decide(exact, hints, clock);
  if (decided !== null) return decided;

  const slips = fuzzyMentionsOf(question, found, mentions);
  const names = [...mentions, ...slips];
  const corrections = correctionsOf(question, mentions);
  const [isMisspelt, isCorrected] = [slips.length > 0, corrections.size > 0];
  const withSlips = isMisspelt ? read(names) : [];
  const corrected = isCorrected ? read(mentions, corrections) : [];
  const both = isMisspelt && isCorrected ? read(names, correctionsOf(question, names)) : [];
  const decidedLoosely = decide([...withSlips, ...corrected, ...both], hints, clock);
  if (decidedLoosely !== null) return decidedLoosely;

  const trait = traitIn(question, [...exact, ...withSlips], hints, clock);
  if (trait !== null) return understoodAs(trait);
  return { ok: false, refusal: refusalOf(question, [...corrected, ...exact], found, hints, clock) };
}

/** Event names that are not written as such, of words that mean something by themselves ("active users"), are tried last. */
const isWeak = (mention: Mention): boolean =>
  mention.isOptional && mention.byType.feature !== undefined && bestTier(mention) >= tierOf("folded");
