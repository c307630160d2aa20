/**
 * Finds small talk around a question: "thanks", "my boss wants to know", "I have a call with
 * Lumen on Friday". Names in it count. Numbers and times count, unless they say when a meeting is.
 */
import { GREETINGS, LEXICON, STOP_WORDS } from "../lexicon/lexicon.ts";
import { NUMBER_WORDS } from "../times/calendar.ts";
import type { Mention } from "./mentions.ts";
import { wordSet, type Word } from "./split-words.ts";

/**
 * A letter for each kind of word; the first that lists a word counts. Also `N` (name), `s` (stop word) and `x` (any other
 * word). `q` are question words, `p` "for", `b` "before", `m` the first person, `w` wanting and asking. `T` is courtesy,
 * `A` praise and urgency, `P` the person who asks, `O` the occasion, `t` its time, `a` what else is around them.
 */
const KINDS = `
q how which wich what whats who whos whose whom when why
p for
b before
m i im ive got we weve my our us me just go going am
w want wants wanted need needs needed ask asks asked asking wonder wonders wondered wondering know knowing see interested curious
T thanks thank lot sorry apologies hope hi hello hey hiya help question questions asap bother friends friend
A urgent urgently great perfect cool awesome super nice excellent
P boss ceo cfo coo cto vp board exec execs leadership management investor investors director sales colleague colleagues
O call calls meeting meetings qbr qbrs ebr ebrs visit demo chat review standup kickoff offsite presentation deck decks slide slides pitch study workshop interview conversation leave holiday vacation prep preparing prepping visiting calling called presenting negotiating talking speaking negotiation
t morning afternoon evening weekend today tomorrow tonight later now monday tuesday wednesday thursday friday saturday sunday minutes minute mins min hour hours hrs oclock o clock
a went love glad good one two three more next last week day yesterday another other first late early time much them they it this half soon 5 10 15 20 30 45 60
`
  .trim()
  .split("\n")
  .map((line) => [line[0] ?? "", wordSet(line.slice(2))] as const);
/** All words of small talk. */
export const SMALL_TALK_WORDS: ReadonlySet<string> = new Set(KINDS.flatMap(([, words]) => [...words]));

/** Words before an occasion: "quarterly review". */
const OF_OCCASIONS = wordSet(
  "case renewal contract customer client account quarterly weekly monthly upcoming next tomorrow today monday tuesday wednesday thursday friday",
);

/** An occasion, with the name or the time that follows it. */
const OCCASION = "O+(?:[smpwN]*[NtT]+)?";
/** "Before the meeting last week" is a time. */
const LEAD = new RegExp(`^(?:[smpwN]*(?:T|P[smN]*(?:w|tt)|${OCCASION})(?:[smp]*w)?|[smpbwN]*${OCCASION}(?!a))`);
const PURPOSE = new RegExp(`p[smP]*(?:P|T|${OCCASION})`, "g");
/** "Give me a summary before my call at 3". What was done before a meeting is another question. */
const BEFOREHAND = new RegExp(`b[sm]*P?${OCCASION}[stA]*T?$`);
const ASKED = wordSet("prep brief briefing recap summary summarize overview update rundown snapshot everything");
const WHOLE = /^[smpwNPTOAta]*[PTOA][smpwNPTOAta]*$/;
/** "Active users by plan, yesterday thanks": the time belongs to the question. */
const COURTESY = /^[stTa]*$/;
const DAY = /^(?:today|yesterday|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day)$/;

/** Returns the positions of words of small talk; none if all words are. */
export function findSmallTalk(words: readonly Word[], mentions: readonly Mention[]): Set<number> {
  const kinds = words.map((_, at) => kindOf(words, at, mentions));
  const talk = new Set<number>();
  for (let from = 0, to = 1; from < words.length; from = to) {
    to = from + 1;
    while (to < words.length && words[to]?.isAfterStop === false) to += 1;
    const clause = kinds.slice(from, to).join("");
    const add = (start: number, text: string): void => {
      // "Calls per week" may name an event. Small talk also has a name, or a word such as "my" or "for".
      // So do minutes: "1 min to the call".
      if (!/[TAmpNPb]|^tts/.test(text)) return;
      for (const at of Array.from(text).keys()) talk.add(from + start + at);
    };
    const isTimed = COURTESY.test(clause) && words.slice(from, to).some(({ folded }) => DAY.test(folded));
    if (WHOLE.test(clause) && !isTimed) add(0, clause);
    else {
      add(0, LEAD.exec(clause)?.[0] ?? "");
      for (const { index, 0: text } of clause.matchAll(PURPOSE)) add(index, text);
      const before = BEFOREHAND.exec(clause);
      const asked = words.slice(from, from + (before?.index ?? 0));
      const isFirst = /^[sa]*$/.test(clause.slice(0, before?.index));
      if (before !== null && (isFirst || asked.some(({ folded }) => ASKED.has(folded)))) add(before.index, before[0]);
    }
  }
  return talk.size === words.length ? new Set() : talk;
}

function kindOf(words: readonly Word[], at: number, mentions: readonly Mention[]): string {
  const { folded = "", quote = null, isPossessive = false } = words[at] ?? {};
  const mention = mentions.find(({ from, to }) => from <= at && at < to);
  if (/^(?:team|all|everyone|folks|guys)$/.test(folded) && GREETINGS.has(words[at - 1]?.folded ?? "")) return "s";
  // "Cobalt's phone" is something that belongs to Cobalt.
  if (mention !== undefined) return mention.name === undefined || isPossessive ? "x" : "N";
  if (quote !== null) return "x";
  const next = words[at + 1]?.folded ?? "";
  const [kind, nextKind] = [folded, next].map((each) => KINDS.find(([, own]) => own.has(each))?.[0]);
  if (OF_OCCASIONS.has(folded) && nextKind === "O") return "s";
  if (/^(?:customer|client|user|someone|somebody|admin)$/.test(folded) && /^(?:from|at|of)$/.test(next)) return "P";
  if (at === 0 && (GREETINGS.has(folded) || next === "here")) return "T";
  if (/^(?:phone|line)$/.test(folded) && /^(?:on|the)$/.test(words[at - 1]?.folded ?? "")) return "O";
  // "In ten minutes", "a 3pm with Lumen", "my 10 o'clock".
  const isNumber = /^\d{1,2}$/.test(folded) || NUMBER_WORDS.has(folded);
  if (/^\d{1,2}(?:am|pm)$/.test(folded) || (isNumber && next === "o")) return "O";
  const isClock = words[at - 1]?.folded === "at" && (next === "" || words[at + 1]?.isAfterStop === true);
  if (isNumber && (isClock || /^(?:minutes|mins|min|hours|hrs|am|pm)$/.test(next))) return "t";
  return kind ?? (STOP_WORDS.has(folded) && !LEXICON.has(folded) ? "s" : "x");
}
