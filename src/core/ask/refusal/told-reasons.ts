/** Why a question is not answered, as far as its own words tell: it asks for a cause, a guess, an opinion, or else. */
import type { Concept } from "../lexicon/concept-words.ts";
import { isFrameWord, isLexiconWord, type Phrase, phrasesAt } from "../lexicon/lexicon.ts";
import type { RefusalWord } from "../lexicon/refusal-words.ts";
import type { Hints, Reason } from "../model.ts";
import type { Question } from "../question/tokens.ts";
import { asksForAdvice, isCommand } from "../reading/unasked.ts";
import { type Reading, says, type Unit, wordsFrom } from "../reading/units.ts";

type ToldReason = Extract<Reason, "causal_claim" | "prediction" | "opinion" | "unmeasured_attribute" | "out_of_scope">;

const DETAILS: Readonly<Record<ToldReason, string>> = {
  causal_claim: "What is recorded shows what happened, not why.",
  prediction: "Only what has happened is known, not what will.",
  opinion: "Only what was recorded is told, not what should be done or is good.",
  unmeasured_attribute: "Not measured here",
  out_of_scope: "Only questions about accounts, their users and what they do are answered.",
};

export function detailOf(reason: ToldReason, units: readonly Unit[]): string {
  if (reason !== "unmeasured_attribute") return DETAILS[reason];
  for (const at of units.keys()) {
    const words = wordsFrom(units, at);
    const asked = phrasesAt(words, 0).find(({ refusals }) => refusals.includes("unmeasured"));
    if (asked !== undefined) return `${DETAILS[reason]}: ${words.slice(0, asked.length).join(" ")}.`;
  }
  return `${DETAILS[reason]}.`;
}

/** What makes a question one about accounts at all. */
const DOMAIN: ReadonlySet<Concept> = new Set<Concept>([
  "accountOne",
  "accountMany",
  "userOne",
  "userMany",
  "event",
  "feature",
  "activity",
  "active",
  "activeUsers",
  "dailyUsers",
  "weeklyUsers",
  "monthlyUsers",
  "activeDays",
  "lastSeen",
  "firstSeen",
  "silent",
  "health",
  "risk",
  "trial",
  "trialsMany",
  "plan",
  "seats",
  "seatUtilisation",
  "mrr",
  "stage",
  "churnedStage",
  "items",
  "adoption",
  "usage",
  "use",
  "stopped",
  "up",
  "down",
  "trend",
  "tenure",
]);
const CAUSAL_WORDS: readonly string[] =
  "make made effect impact influence lead due why cause causes caused causing reason reasons because explain explains explanation behind driver drivers drove driving made makes led responsible".split(
    " ",
  );

/** `null` where they tell none. */
export function reasonToldBy({ tokens }: Question, { units, mentions }: Reading, hints: Hints): ToldReason | null {
  const phrases = phrasesOf(units);
  const tells = new Set<RefusalWord>(phrases.flatMap(({ refusals }) => refusals));
  const isAboutAccounts =
    mentions.length > 0 ||
    Object.keys(hints).length > 0 ||
    phrases.some(({ concepts }) => concepts.some((concept) => DOMAIN.has(concept)));
  if (isCommand(units) || tells.has("foreign")) return "out_of_scope";
  const isCausal = says(units, CAUSAL_WORDS) || (says(units, ["how"]) && says(units, ["come"]));
  if (isCausal && isAboutAccounts) return "causal_claim";
  if (tells.has("guess")) return "prediction";
  if (tells.has("opinion") || asksForAdvice(units)) return "opinion";
  if (tells.has("prediction") || units.some(isAhead)) return "prediction";
  if (tells.has("unmeasured")) return "unmeasured_attribute";
  const isMade = tokens.some(({ folded }) => isLexiconWord(folded) && !isFrameWord(folded));
  const isKnown = isMade && tokens.every(({ folded, quote }) => quote === null && isLexiconWord(folded));
  return isAboutAccounts || isKnown ? null : "out_of_scope";
}

/** All that the words may mean, but for those within a frame: "could you" is no guess. */
function phrasesOf(units: readonly Unit[]): Phrase[] {
  const found: Phrase[] = [];
  let framedUntil = 0;
  for (const [at, unit] of units.entries()) {
    if (unit.kind !== "word" || at < framedUntil) continue;
    const phrases = phrasesAt(wordsFrom(units, at), 0);
    const [longest] = phrases;
    if (longest?.isFrame === true && longest.length > 1) framedUntil = at + longest.length;
    else found.push(...phrases);
  }
  return found;
}

function isAhead(unit: Unit): boolean {
  return unit.kind === "time" && /\b(?:next|tomorrow|coming|upcoming|following)\b/i.test(unit.text);
}
