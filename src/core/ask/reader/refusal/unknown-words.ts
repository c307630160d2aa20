/** Decides by form and place what unknown words mean: a name, something people do, an attribute, or a task. */
import { editDistanceWithin, foldName } from "../../normalize-names.ts";
import { stemOf } from "../../stem.ts";
import type { Piece } from "../fragments/fragments.ts";
import { isA, isEntityName, isEvent } from "../fragments/pieces.ts";
import type { Reading } from "../fragments/readings.ts";
import { AUXILIARIES, LEXICON, STOP_WORDS } from "../lexicon/lexicon.ts";
import { type Run, wordSet, stemSet, type Word } from "../words/split-words.ts";

const BEFORE_NAMES = wordSet("account customer company client user person is has did does dr mr mrs ms called named");
const AFTER_NAMES = wordSet("account status user company customer score plan s using summary");
const CORPORATE = wordSet("inc corp corporation llc ltd gmbh ag plc holdings enterprises industries partners");
/** Words in the place of a name, an action or an attribute that say nothing. */
const VAGUE = wordSet(
  "same usual interesting weird strange odd special important relevant useful normal typical stuff thing things everything data number numbers figure figures metric metrics kpi kpis stat stats meeting sales marketing evening morning during time weekday sort way history",
);
/** Stems for parts of a tool and for what people do in it. */
const ACTIONS = stemSet(
  "archive attend block bookmark click connect copy delete deploy disable download duplicate embed enable erase import install integrate integration invite invitation mode feature newsletter paste plugin print publish read register reply remove rename reset restore rollback search subscribe switch tag tutorial unsubscribe upload verify vote button chat chatbot extension page popup screen wizard webinar widget app webhook",
);
/** Verbs of orders, besides actions. */
const ORDERS = wordSet(
  "add assign bump call cancel change close contact create dismiss edit email extend mail mark message move notify ping raise reopen resolve send set snooze start stop upgrade downgrade",
);
const POLITE = wordSet("please pls plz can could would you i want to kindly hi hello hey ok now and then just");
const OBJECT =
  /^(?:a|an|list|every|each|the|this|that|these|those|it|all|my|our|me|him|her|them|user|account|everyone|everybody|everything)$/;

/** Returns the fragment that begins after a word, apart from words without a meaning. */
const nextOf = ({ fragments }: Reading, words: readonly Word[], to: number): Piece | undefined =>
  fragments.find(({ from }) => from >= to && words.slice(to, from).every(({ folded }) => STOP_WORDS.has(folded)));

/** "Deleted", "uploads", "webinar": what people do. "Acme Print" is a name. */
const isAction = (word: Word | undefined): boolean =>
  word !== undefined &&
  (word.isAfterStop || word.start === 0 || !/^\p{Lu}.*[^sdg]$/u.test(word.raw)) &&
  ACTIONS.has(stemOf(word.folded));

/** "Report Printed": written as events are. */
const isEventName = (words: readonly Word[], { from, to }: Run): boolean =>
  /^\p{Lu}\p{Ll}+ed$/u.test(words[to - 1]?.raw ?? "") && (to - from > 1 || /^\p{Lu}/u.test(words[from - 1]?.raw ?? ""));

/** Types of fragments that follow the name of a subject. */
const STATED = /^(?:measure|dimension|filter|use)$/;

const HOLIDAY = /^(?:christmas|xmas|easter|thanksgiving|halloween)$/;
const TIME_OR_MANNER = /day|night|noon|week|month|hour|time|ly$/;

/** Words that seem to be a name or an activity. */
export interface UnknownRun extends Run {
  /** Only their place says so, as in "for silverpine": another word may stand there as well. */
  isGuess: boolean;
}

/**
 * Finds a run of unknown words that is written like a name, or stands where a name would. A known name beside it is part
 * of it.
 * @param onlyWritten ignores the place, as in an opinion: "is it any good"
 */
export function unknownName(
  text: string,
  words: readonly Word[],
  reading: Reading,
  onlyWritten: boolean,
): UnknownRun | null {
  const { fragments, unknown, mentions } = reading;
  let done = 0;
  for (const at of unknown) {
    if (at < done) continue;
    let to = at + 1;
    while (unknown.includes(to) && words[to]?.isAfterStop !== true) to += 1;
    const run = words.slice(at, to);
    const [after, lead] = [words[to], words[at - 1]?.folded ?? ""];
    const { raw = "", folded = "", isAfterStop = true } = words[at] ?? {};
    if (HOLIDAY.test(folded) || (!/^\p{Lu}/u.test(raw) && TIME_OR_MANNER.test(folded))) continue;
    if (isEventName(words, { from: at, to }) || run.some((each) => VAGUE.has(each.folded))) continue;
    // "Did Gulliver Shipping connect".
    const named = at === 0 || isAfterStop ? 0 : run.findIndex((each) => !isCapitalized(each));
    if (named > 1 && isAction(run[named])) return { from: at, to: at + named, isGuess: false };
    if (isVerb(words, at, reading) || [...run, after].some(isAction)) {
      done = to;
      continue;
    }
    const isTitle = at === 0 && run.length === 1 && after?.isAfterStop === true;
    const isWritten =
      (/^\p{Lu}\p{Ll}/u.test(raw) && ((at > 0 && !isAfterStop) || isTitle)) || /^\p{Lu}/u.test(run[1]?.raw ?? "");
    // "For silverpine logistics": its last word is a value.
    const value = fragments.find((each) => each.type === "value" && each.from === to);
    const end = value === undefined || isEntityName(value) || after?.isAfterStop === true ? to : value.to;
    const isLed =
      /^(?:at|of|for|with|about|from)$/.test(lead) &&
      (words[end]?.isAfterStop !== false || nextOf(reading, words, end)?.type === "window");
    const isStated = STATED.test(nextOf(reading, words, to)?.type ?? "");
    const isPlaced =
      isLed ||
      fragments.some((each) => each.type === "compare" && each.to === at) ||
      // "Halcyon and umbrella corp".
      (/^(?:and|or)$/.test(lead) && isEntityName(fragments.find((each) => each.to === at - 1))) ||
      /^(?:does|did)$/.test(lead) ||
      (/^(?:is|was|has)$/.test(lead) && (after === undefined || isStated)) ||
      // "User globex-1".
      (/^[-_.@][\p{L}\p{N}]/u.test(text.slice(words[to - 1]?.end)) && BEFORE_NAMES.has(lead)) ||
      run.some(({ isPossessive }) => isPossessive) ||
      run.length === words.length ||
      (at === 0 && isStated) ||
      [run.slice(1).at(-1), after].some((each) => CORPORATE.has(each?.raw.toLowerCase() ?? "")) ||
      (run.length > 1 && (BEFORE_NAMES.has(lead) || AFTER_NAMES.has(after?.folded ?? "")));
    if (isWritten || (isPlaced && !onlyWritten)) return { from: at, to: isLed ? end : to, isGuess: !isWritten };
  }
  const sorted = mentions
    .filter(({ name, distance }) => name !== undefined && distance > 0)
    .toSorted((a, b) => a.from - b.from);
  for (const [index, next] of sorted.slice(1).entries()) {
    const mention = sorted[index];
    const isOther = mention?.dimension === next.dimension && mention.value !== next.value;
    if (isOther && mention.to === next.from && words[next.from]?.isAfterStop !== true)
      return { from: mention.from, to: next.to, isGuess: false };
  }
  // "Lumen Finance" isn't Lumen Energy.
  for (const { from, to } of sorted) {
    const next = mentions.find((each) => each.from === to && each.name === undefined && each.dimension !== "event");
    const [last, first] = [words[to - 1], words[to]];
    const isOneName = last?.isPossessive === false && first?.isAfterStop === false && first.quote === null;
    if (next !== undefined && isOneName && isCapitalized(last) && isCapitalized(first))
      return { from, to: next.to, isGuess: false };
  }
  return null;
}

/** Written as names are: "Finance", but not "MRR". */
const isCapitalized = ({ raw }: Word): boolean => /^\p{Lu}\p{Ll}/u.test(raw);

/** Tests whether a word follows one of these, or its article does. */
const isAfter = (words: readonly Word[], at: number, lead: RegExp): boolean =>
  lead.test(words[/^(?:the|their|our|an?|new|any)$/.test(words[at - 1]?.folded ?? "") ? at - 2 : at - 1]?.folded ?? "");

/** "Did Lumen archive", "does anyone print". */
function isVerb(words: readonly Word[], at: number, { fragments }: Reading): boolean {
  const subject = fragments.findLast(({ to }) => to <= at);
  const isNamed = subject?.to === at && /^(?:value|find)$/.test(subject.type);
  return isNamed && /^(?:did|does|do)$/.test(words[subject.from - 1]?.folded ?? "");
}

/** "How many offices does Lumen have": it has them, and does nothing. */
const isHad = (words: readonly Word[]): boolean => /^(?:have|has|got)$/.test(words.at(-1)?.folded ?? "");

const isCounted = (at: number, { fragments }: Reading): boolean => {
  const previous = fragments.findLast(({ to }) => to <= at);
  return previous?.type === "form" && previous.show === "count";
};

/** Tests whether an unknown word is what people do: one of these, or by its form, or where it is used, done or counted. */
export function isUnknownAction(words: readonly Word[], at: number, reading: Reading): boolean {
  const { fragments, unknown } = reading;
  const { folded = "" } = words[at] ?? {};
  const isDone = /.{3}ed$/.test(folded) && !/^an?$/.test(words[at - 1]?.folded ?? "");
  // "Is printing", but not "the meeting".
  const isGoing = /.{3}ing$/.test(folded) && isAfter(words, at, /^(?:is|are|was|were|been|be)$/);
  const isPlaced = (isCounted(at, reading) && !isHad(words)) || isDone || isGoing || isVerb(words, at, reading);
  return (
    !VAGUE.has(folded) &&
    ((isPlaced && !fragments.some(isEvent)) ||
      isKnownAction(words, at, unknown) ||
      isAfter(words, at, /^(?:use|uses|used|using)$/) ||
      (words[at - 1]?.folded === "who" && isDone))
  );
}

/** "Deleted", "Report Printed", "slack integration": what people do, wherever it stands. */
export const isKnownAction = (words: readonly Word[], at: number, unknown: readonly number[]): boolean =>
  isAction(words[at]) ||
  isEventName(words, { from: at, to: at + 1 }) ||
  (unknown.includes(at + 1) && isAction(words[at + 1]));

/** "Halcyon's headquarters", "the hobbies of Maria", "have a logo", unless it is a misspelled word. */
export function isAttribute(words: readonly Word[], at: number, reading: Reading): boolean {
  const { folded = "", raw = "" } = words[at] ?? {};
  const after = words[at + 1]?.folded ?? "";
  const isOwned = words[at - 1]?.isPossessive === true && isEntityName(reading.fragments.find(({ to }) => to === at));
  const links = words[at - 1]?.folded === "the" ? /^(?:of|for|at|on|in|with)$/ : /^(?:of|for)$/;
  const isOf = links.test(after) && isEntityName(nextOf(reading, words, at + 2));
  const isAsked = isAfter(words, at, /^(?:what|which)$/) && AUXILIARIES.has(after);
  const isHeld = isAfter(words, at, /^(?:have|has)$/) || (isCounted(at, reading) && isHad(words));
  const isPlaced = isOwned || isOf || isAsked || isHeld;
  return isPlaced && !VAGUE.has(folded) && /^[a-z]{4,}$/.test(raw) && !isMisspelled(folded);
}

/** Tests whether it is one letter away from a word with a meaning. */
const isMisspelled = (folded: string): boolean =>
  [...LEXICON.keys()].some((phrase) => phrase[0] === folded[0] && editDistanceWithin(folded, phrase, 1) !== null);

const isGiven = (words: readonly Word[], { from }: Piece): boolean =>
  /^(?:with|to)$/.test(words[from - 1]?.folded ?? "");

/** "Delete Halcyon", "share it with Maria": the question begins with an order. */
export function isTask(words: readonly Word[], { fragments, unknown }: Reading): boolean {
  const at = words.findIndex(({ folded }) => !POLITE.has(folded));
  const [word, next] = [words[at], words[at + 1]];
  if (word === undefined || next === undefined || /(?:[^s]s|ed|ing|ion)$/.test(word.folded)) return false;
  // "API customers": the name of the event isn't a verb.
  const isVerbOf = (name: string): boolean => stemOf(foldName(name).split(" ").at(-1) ?? "") === stemOf(word.folded);
  const isEventVerb = fragments.some((each) => each.from === at && isEvent(each) && each.values.some(isVerbOf));
  const object = fragments.find(({ from }) => from === at + 1);
  const isObject =
    OBJECT.test(next.folded) ||
    (isEventVerb ? words[at - 1]?.folded === "you" || isA(object, "find", "accounts") : isEntityName(object));
  // "Please share the MRR" asks for it, but "share it with Maria" doesn't.
  const isSent =
    word.folded === "share" && fragments.some((each) => isA(each, "value", "user") && isGiven(words, each));
  return isObject && (isSent || isEventVerb || ORDERS.has(word.folded) || (unknown.includes(at) && isAction(word)));
}
