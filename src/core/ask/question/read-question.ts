/** A question as it is read: what is said around it taken off, and the rest cut into words. */
import { type Question, quotationsOf, tokensOf } from "./tokens.ts";

/** Reads any text. @param text of at most 500 characters, as the operation sees to */
export function readQuestion(text: string): Question {
  const formed = withoutGreeting(text.toWellFormed().normalize("NFC"));
  return { text: formed, tokens: tokensOf(formed, quotationsOf(formed)) };
}

const GREETING =
  /^\s*(?:hi|hiya|hey|hello|dear|good (?:morning|afternoon|evening))(?:\s+(?!(?:how|what|who|which|when|is|are|did|does)\b)\p{L}+){0,2}\s*[,!:–—-]+\s+/iu;
const OCCASION =
  /^\s*(?:(?:so |ok |okay |sorry,? )?(?:quick (?:one|question)|one more(?: thing)?|before (?:my|the|our|a)|for (?:my|the|our|a)|ahead of (?:my|the|our)|going into (?:my|the|our))(?:\s+[\p{L}\p{N}'’]+){0,5}?)\s*[,:–—]\s+/iu;
const MUSING = /^\s*i (?:was|am|'m|’m) (?:just )?(?:wondering|curious|thinking|hoping)\s+(?=\p{L})/iu;

/** Who is greeted and what for says nothing of what is asked: "Hi Ben, quick one before my call: how is Acme?" */
const withoutGreeting = (text: string): string => text.replace(GREETING, "").replace(OCCASION, "").replace(MUSING, "");
