/** Finds the most specific reason why a question has no answer. */
import { editDistanceWithin, foldName, fuzzyReach } from "../names.ts";
import type { Query } from "../query/model.ts";
import { stemOf } from "../stem.ts";
import type { ToldReason } from "./fragments.ts";
import { STOP_WORDS } from "./lexicon.ts";
import type { Mention } from "./mentions.ts";
import type { Candidate, NameMatch } from "./names.ts";
import type { Tiling } from "./tile.ts";
import { rawOf, type Run, type Word } from "./words.ts";

export type Reason =
  | ToldReason
  | "no_such_subject"
  | "no_such_event"
  | "ambiguous_subject"
  | "no_data_in_window"
  | "unresolved_words";

export interface Refusal {
  reason: Reason;
  detail: string;
  /** What a name that fits several or none may mean. */
  candidates?: readonly Candidate[];
  /** The closest events to an unknown activity. */
  events?: readonly string[];
  /** A query close to the question that can be answered. */
  nearest?: Query;
}

const DETAILS: Readonly<Record<ToldReason, string>> = {
  causal_claim: "What is recorded shows what happened, not why.",
  prediction: "Only what has happened is known, not what will.",
  opinion: "Only what was recorded is told, not what should be done or is good.",
  unmeasured_attribute: "This isn't measured here.",
  out_of_scope: "Only questions about accounts, their users and what they do are answered.",
};

/** In order: the first that applies is the reason. */
const ORDER: readonly ToldReason[] = ["out_of_scope", "opinion", "prediction", "causal_claim", "unmeasured_attribute"];

interface Known {
  names: readonly NameMatch[];
  events: readonly string[];
}

const MAX_PROPOSED = 5;

/** @param isRead whether the question has a query. Ambiguous names are refused even then */
export function refusalOf(
  text: string,
  words: readonly Word[],
  tilings: readonly Tiling[],
  { names, events }: Known,
  isRead: boolean,
): (Refusal & { meant?: Mention }) | null {
  const [best] = tilings.toSorted((a, b) => a.unknown.length - b.unknown.length);
  if (best === undefined) return null;
  const told = toldBy(words, best);
  const several = ambiguousIn(tilings);
  if (several !== null && told !== "out_of_scope")
    return { reason: "ambiguous_subject", detail: "Several have a name like this.", candidates: several };
  const unknown = told === "out_of_scope" || told === "opinion" ? null : unknownName(text, words, best);
  if (unknown !== null) {
    const candidates = names
      .filter(({ from, to }) => from < unknown.to && unknown.from < to)
      .map(({ type, externalId, name, isPersonal }): Candidate => ({ type, externalId, name, isPersonal }));
    const proposed = uniqueOf(candidates).slice(0, MAX_PROPOSED);
    const [only] = proposed;
    // All of an id: "globex-1".
    const rest = /^(?:[-_.@][\p{L}\p{N}]+)*/u.exec(text.slice(words[unknown.to - 1]?.end))?.[0] ?? "";
    const asked = rawOf(text, words, unknown) + rest;
    return {
      reason: "no_such_subject",
      detail: `Nothing here is called "${asked}".`,
      candidates: proposed,
      ...(only !== undefined &&
        proposed.length === 1 && {
          meant: { ...unknown, dimension: only.type, value: only.externalId, distance: 0, name: only },
        }),
    };
  }
  if (isRead) return null;
  if (told !== null) return { reason: told, detail: DETAILS[told] };
  const isPointing = best.fragments.some((fragment) => fragment.type === "pointer" && fragment.at !== "any");
  if (isPointing && best.unknown.length === 0)
    return { reason: "ambiguous_subject", detail: "The question doesn't say which account or user it is about." };
  const deed = best.unknown.find((at) => isDoing(words, at, best));
  if (deed === undefined) return null;
  const close = closeEvents(words, best, events);
  const [only] = close;
  return {
    reason: "no_such_event",
    detail: "No event of this name is recorded.",
    events: close,
    ...(only !== undefined &&
      close.length === 1 &&
      !best.fragments.some((each) => each.type === "value" && each.dimension === "event") && {
        meant: { from: deed, to: deed + 1, dimension: "event", value: only, distance: 0 },
      }),
  };
}

/** The closest events to unknown words and words of events: first by shared stems, then by spelling. */
function closeEvents(words: readonly Word[], { unknown, mentions }: Tiling, events: readonly string[]): string[] {
  const named = mentions.flatMap(({ dimension, from, to }) => (dimension === "event" ? words.slice(from, to) : []));
  const said = [...unknown.map((at) => words[at]), ...named].map((word) => stemOf(word?.folded ?? ""));
  const stems = [...new Set(said)].slice(0, MAX_STEMS);
  return events
    .map((event) => {
      const own = new Set(foldName(event).split(" ").map(stemOf));
      const distances = stems.flatMap((stem) =>
        Array.from(own, (each) => editDistanceWithin(stem, each, fuzzyReach(stem.length)) ?? Infinity),
      );
      return { event, shared: stems.filter((stem) => own.has(stem)).length, distance: Math.min(...distances) };
    })
    .filter(({ distance }) => distance !== Infinity)
    .toSorted((a, b) => b.shared - a.shared || a.distance - b.distance)
    .slice(0, MAX_PROPOSED)
    .map(({ event }) => event);
}

const MAX_LEFT_OUT = 3;
const MAX_STEMS = 4;
const TURNING = new Set(
  "but unless instead rather almost nearly barely hardly half double twice until till hence neither none never without beyond".split(
    " ",
  ),
);

/** Whether a question can be proposed without its unknown words: they are few, and none reverses the meaning. */
export const canLeaveOut = (words: readonly Word[], { unknown }: Tiling): boolean =>
  unknown.length <= MAX_LEFT_OUT &&
  unknown.every(
    (at) =>
      !TURNING.has(words[at]?.folded ?? "") &&
      !/^\p{Lu}/u.test(words[at]?.raw ?? "") &&
      !/^(?:at|by|for|from|in|of|on|with)$/.test(words[at - 1]?.folded ?? ""),
  );

function toldBy(words: readonly Word[], { fragments, unknown }: Tiling): ToldReason | null {
  const told = new Set(fragments.flatMap((fragment) => (fragment.type === "reason" ? [fragment.reason] : [])));
  const isWhy = fragments.some((fragment) => fragment.type === "form" && fragment.show === "why");
  const first = ORDER.find((reason) => told.has(reason));
  if (isWhy && (first === undefined || first === "unmeasured_attribute") && (unknown.length > 0 || words.length > 3))
    return "causal_claim";
  return first ?? null;
}

/** Parts of names that match several entities. */
function ambiguousIn(tilings: readonly Tiling[]): Candidate[] | null {
  const parts = tilings.flatMap(({ mentions }) => mentions.filter(({ distance }) => distance > 0));
  const byRun = Map.groupBy(parts, ({ from, to }) => `${from} ${to}`);
  for (const mentions of byRun.values()) {
    const candidates = uniqueOf(mentions.flatMap(({ name }) => name ?? []));
    if (candidates.length > 1) return candidates;
  }
  return null;
}

const uniqueOf = (candidates: readonly Candidate[]): Candidate[] => [
  ...new Map(candidates.map((each) => [`${each.type} ${each.externalId}`, each])).values(),
];

const BEFORE_NAMES = new Set(
  "account customer company client user person is has did does dr mr mrs ms called named".split(" "),
);
const AFTER_NAMES = new Set("account status user company customer score plan s using summary".split(" "));
const PARTICLES = new Set("up down out off back over makes make".split(" "));
const UNDONE = new Set(
  "doubled halved tripled depending making spending located called based during according evening morning".split(" "),
);
const DEEDS = new Set(
  "integration integrations mode feature switched clicked deleted reset button page webinar".split(" "),
);

/** Types of fragments that follow the name of a subject. */
const STATED = /^(?:measure|dimension|filter|use)$/;

/** A run of unknown words that is written, or stands, like a name. A known name beside it is part of it. */
function unknownName(text: string, words: readonly Word[], { fragments, unknown, mentions }: Tiling): Run | null {
  for (const at of unknown) {
    let to = at + 1;
    while (unknown.includes(to) && words[to]?.isAfterStop !== true) to += 1;
    const run = words.slice(at, to);
    const [word, before, after] = [words[at], words[at - 1], words[to]];
    const isInside = at > 0 && word?.isAfterStop === false;
    const isTitle = at === 0 && run.length === 1 && after?.isAfterStop === true;
    const isWritten =
      (/^\p{Lu}\p{Ll}/u.test(word?.raw ?? "") && (isInside || isTitle)) || /^\p{Lu}/u.test(run[1]?.raw ?? "");
    const follows =
      fragments.find(({ from }) => from >= to && words.slice(to, from).every(({ folded }) => STOP_WORDS.has(folded)))
        ?.type ?? "";
    if (/day|night|noon|week|month|hour|time|ly$/.test(word?.folded ?? "")) continue;
    const isLed =
      /^(?:at|of|for|with)$/.test(before?.folded ?? "") &&
      (after === undefined || after.isAfterStop || follows === "window");
    const isLead = fragments.some((each) => each.type === "compare" && each.to === at);
    const isSubject =
      /^(?:does|did)$/.test(before?.folded ?? "") ||
      (/^(?:is|was|has)$/.test(before?.folded ?? "") && (after === undefined || STATED.test(follows)));
    // "User globex-1".
    const isId = /^[-_.@][\p{L}\p{N}]/u.test(text.slice(words[to - 1]?.end)) && BEFORE_NAMES.has(before?.folded ?? "");
    const isPlaced =
      isId ||
      isLed ||
      isLead ||
      isSubject ||
      run.some(({ isPossessive }) => isPossessive) ||
      run.length === words.length ||
      (at === 0 && STATED.test(follows)) ||
      (run.length > 1 &&
        !run.slice(0, 2).some(({ folded }) => PARTICLES.has(folded)) &&
        (BEFORE_NAMES.has(before?.folded ?? "") || AFTER_NAMES.has(after?.folded ?? "")));
    if ((isWritten || isPlaced) && ![...run, after].some((each) => DEEDS.has(each?.folded ?? "")))
      return { from: at, to };
  }
  const sorted = mentions
    .filter(({ name, distance }) => name !== undefined && distance > 0)
    .toSorted((a, b) => a.from - b.from);
  for (const [place, next] of sorted.slice(1).entries()) {
    const mention = sorted[place];
    const isOther = mention?.dimension === next.dimension && mention.value !== next.value;
    if (isOther && mention.to === next.from && words[next.from]?.isAfterStop !== true)
      return { from: mention.from, to: next.to };
  }
  return null;
}

/** Whether an unknown word stands in the place of an event: it is used, done or counted. */
function isDoing(words: readonly Word[], at: number, { fragments }: Tiling): boolean {
  const { folded } = words[at] ?? { folded: "" };
  const before = words[at - 1]?.folded ?? "";
  const beforeThat = words[at - 2]?.folded ?? "";
  const object = /^(?:the|their|our|a|an|new)$/.test(before) ? beforeThat : before;
  const isUsed = /^(?:use|uses|used|using)$/.test(object);
  const isNamed = fragments.some((each) => each.type === "value" && each.dimension === "event");
  const previous = fragments.findLast(({ to }) => to <= at);
  const isCounted = previous?.type === "form" && previous.show === "count";
  const isAfterSubject =
    previous?.type === "value" &&
    previous.to === at &&
    /^(?:did|does|do)$/.test(words[previous.from - 1]?.folded ?? "");
  if (!isNamed && (isCounted || isAfterSubject || (/.{3}(?:ed|ing)$/.test(folded) && !UNDONE.has(folded)))) return true;
  return (
    isUsed || DEEDS.has(folded) || DEEDS.has(words[at + 1]?.folded ?? "") || (before === "who" && folded.endsWith("ed"))
  );
}
