/** Where an unknown name may stand, and of what it would be one there: of who does something, or of what is used. */
import { KINDS, QUESTION_AUXILIARIES, USE_VERBS } from "../lexicon/grammar-words.ts";
import { type Run, textOf } from "../question/spans.ts";
import type { Question, Token } from "../question/tokens.ts";
import type { Unit } from "../reading/units.ts";

/** What stands before a condition rather than a name. */
const CONDITIONAL: ReadonlySet<string> = new Set(
  "on with via except excluding without per through during than like as only under over above below around near".split(
    " ",
  ),
);
const BEFORE_PLACES: ReadonlySet<string> = new Set("by in from into".split(" "));
const ARTICLES: ReadonlySet<string> = new Set("the a an my your this that".split(" "));
const TYPE_WORDS: ReadonlySet<string> = new Set([...KINDS, "events"]);
export const POINTERS: readonly string[] = "it this that them its".split(" ");
/** What stands before the name of something that is used. */
export const OBJECT_VERBS: ReadonlySet<string> = new Set([
  ...USE_VERBS,
  ..."type called named touch touched trigger triggered".split(" "),
]);
const AFTER_FEATURES: ReadonlySet<string> = new Set("used use usage adoption adopted users".split(" "));
const BEING: ReadonlySet<string> = new Set("is was are were".split(" "));
const DOERS: ReadonlySet<string> = new Set("accounts users customers companies people who".split(" "));
const ASKING: ReadonlySet<string> = new Set([...QUESTION_AUXILIARIES, "how", "which", "who"]);
const MOST_DEED_WORDS = 3;
/** What "of" stands after before something that is used. */
const OF_WORDS: ReadonlySet<string> = new Set(
  "adoption use usage uptake penetration users trend type popularity share accounts customers".split(" "),
);
const NOT_BEFORE_FEATURES: ReadonlySet<string> = new Set(
  "on via by per except excluding without than as like from in at for if we before after".split(" "),
);

/** In the middle of a question a capital makes a name. */
export const isCapitalised = (raw: string | undefined, at: number): boolean =>
  at > 0 && raw !== undefined && /^\p{Lu}\p{L}/u.test(raw);

/** Whether a run may be the name of an account or a user: it is written as one, or stands where no condition would. */
export function mayBeSubject({ tokens }: Question, { from, to }: Run): boolean {
  const before = tokens[from - 1]?.folded ?? "";
  const isNamed =
    tokens.slice(from, to + 1).some(({ raw, quote }) => quote !== null || /^\p{Lu}|\p{N}/u.test(raw)) ||
    tokens[from]?.unit === tokens[to + 1]?.unit;
  if (CONDITIONAL.has(before)) return false;
  if (isNamed || TYPE_WORDS.has(tokens[to + 1]?.folded ?? "")) return true;
  return !BEFORE_PLACES.has(before) && !ARTICLES.has(before);
}

/** Whether a run stands where something that is used is named, or is written as events are. */
export function isUsed(question: Question, units: readonly Unit[], run: Run): boolean {
  const { tokens } = question;
  if (NOT_BEFORE_FEATURES.has(tokens[run.from - 1]?.folded ?? "")) return false;
  return (
    isWrittenAsEvent(question, run) ||
    AFTER_FEATURES.has(tokens[run.to + 1]?.folded ?? "") ||
    isDeed(tokens, units, run)
  );
}

/** "used X", "of type X", "adoption of X" */
export function isObject(tokens: readonly Token[], from: number): boolean {
  let before = from - 1;
  while (before > 0 && ARTICLES.has(tokens[before]?.folded ?? "")) before -= 1;
  const [word, last] = [tokens[before]?.folded ?? "", tokens[before - 1]?.folded ?? ""];
  if (word === "of") return OF_WORDS.has(last);
  if (BEING.has(word)) return tokens.slice(from).some(({ folded }) => OBJECT_VERBS.has(folded));
  return OBJECT_VERBS.has(word);
}

/** "did acme X": what stands last and is no name of a place or a condition. */
function isDeed(tokens: readonly Token[], units: readonly Unit[], { from, to }: Run): boolean {
  const before = units.findLast((unit) => unit.at < from);
  const isAfterDoer = before?.kind === "name" || DOERS.has(tokens[from - 1]?.folded ?? "");
  return (
    isAfterDoer &&
    tokens.slice(0, from).some(({ folded }) => ASKING.has(folded)) &&
    !isCapitalised(tokens[from]?.raw, from) &&
    to - from < MOST_DEED_WORDS
  );
}

/** `report.exported`, "the event 'export'", "of type export" */
export function isWrittenAsEvent(question: Question, { from, to }: Run): boolean {
  const { tokens } = question;
  const raw = textOf(question, { parts: [{ from, to }] });
  const isNamed = ["event", "events", "feature"].some(
    (word) => tokens[from - 1]?.folded === word || tokens[to + 1]?.folded === word,
  );
  return (
    /^[a-z0-9]+(?:[._][a-z0-9]+)+$/.test(raw) || (isNamed && tokens[from]?.quote !== null) || isObject(tokens, from)
  );
}

/** "how many REPORTS did acme EXPORT" */
export const hasAuxiliaryBetween = (tokens: readonly Token[], a: Run, b: Run): boolean =>
  tokens.slice(a.to + 1, b.from).some(({ folded }) => QUESTION_AUXILIARIES.has(folded));
