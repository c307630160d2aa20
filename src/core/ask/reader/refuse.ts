/** Why a question has no answer, the most telling reason first. */
import type { Query } from "../query/model.ts";
import type { ToldReason } from "./fragments.ts";
import type { Mention } from "./mentions.ts";
import type { Candidate, NameMatch } from "./names.ts";
import type { Tiling } from "./tile.ts";
import type { Run, Word } from "./words.ts";

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
  /** For a name that fits several, or none: what may be meant. */
  candidates?: readonly Candidate[];
  /** For an event that isn't there: the closest. */
  events?: readonly string[];
  /** A similar question that has an answer. */
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
}

/** @param isRead whether the question has a query; an ambiguous name counts even then */
export function refusalOf(
  text: string,
  words: readonly Word[],
  tilings: readonly Tiling[],
  { names }: Known,
  isRead: boolean,
): Refusal | null {
  const [best] = tilings.toSorted((a, b) => a.unknown.length - b.unknown.length);
  if (best === undefined) return null;
  const told = toldBy(words, best);
  const several = ambiguousIn(tilings);
  if (several !== null && told !== "out_of_scope")
    return { reason: "ambiguous_subject", detail: "Several have a name like this.", candidates: several };
  const unknown = told === "out_of_scope" || told === "opinion" ? null : unknownName(words, best);
  if (unknown !== null) {
    const candidates = names
      .filter(({ from, to }) => from < unknown.to && unknown.from < to)
      .map(({ type, externalId, name }): Candidate => ({ type, externalId, name }));
    const asked = text.slice(words[unknown.from]?.start, words[unknown.to - 1]?.end);
    return {
      reason: "no_such_subject",
      detail: `Nothing here is called "${asked}".`,
      candidates: uniqueOf(candidates).slice(0, 5),
    };
  }
  if (isRead) return null;
  if (told !== null) return { reason: told, detail: DETAILS[told] };
  if (
    best.unknown.length === 0 &&
    best.fragments.some((fragment) => fragment.type === "pointer" && fragment.at !== "any")
  )
    return { reason: "ambiguous_subject", detail: "The question doesn't say which account or user it is about." };
  if (best.unknown.some((at) => isDoing(words, at)))
    return { reason: "no_such_event", detail: "No event of this name is recorded." };
  return null;
}

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
  const byRun = new Map<string, Mention[]>();
  for (const { mentions } of tilings)
    for (const mention of mentions)
      if (mention.name !== undefined && mention.distance > 0)
        byRun.set(`${mention.from} ${mention.to}`, [...(byRun.get(`${mention.from} ${mention.to}`) ?? []), mention]);
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
const DEEDS = new Set(
  "integration integrations mode feature switched clicked deleted reset button page webinar".split(" "),
);

/** A run of unknown words that is written, or stands, like a name. A known name beside it is part of it. */
function unknownName(words: readonly Word[], { unknown, mentions }: Tiling): Run | null {
  for (const at of unknown) {
    let to = at + 1;
    while (unknown.includes(to) && words[to]?.isAfterStop !== true) to += 1;
    const run = words.slice(at, to);
    const [word, before, after] = [words[at], words[at - 1], words[to]];
    const isWritten =
      /^\p{Lu}\p{Ll}/u.test(word?.raw ?? "") &&
      at > 0 &&
      (word?.isAfterStop === false || /^\p{Lu}/u.test(run[1]?.raw ?? ""));
    const isAtStart = at === 0 && /^\p{Lu}/u.test(run[1]?.raw ?? "");
    const isPlaced =
      run.length > 1 &&
      !run.slice(0, 2).some(({ folded }) => PARTICLES.has(folded)) &&
      (BEFORE_NAMES.has(before?.folded ?? "") || AFTER_NAMES.has(after?.folded ?? ""));
    if ((isWritten || isAtStart || isPlaced) && ![...run, after].some((each) => DEEDS.has(each?.folded ?? "")))
      return { from: at, to };
  }
  const sorted = mentions
    .filter(({ name, distance }) => name !== undefined && distance > 0)
    .toSorted((a, b) => a.from - b.from);
  for (const [place, mention] of sorted.entries()) {
    const next = sorted[place + 1];
    if (
      next === undefined ||
      next.from !== mention.to ||
      next.value === mention.value ||
      mention.dimension !== next.dimension
    )
      continue;
    if (words[next.from]?.isAfterStop !== true) return { from: mention.from, to: next.to };
  }
  return null;
}

/** Whether an unknown word stands where an event is named: it is used, or done. */
function isDoing(words: readonly Word[], at: number): boolean {
  const { folded } = words[at] ?? { folded: "" };
  const before = words[at - 1]?.folded ?? "";
  const beforeThat = words[at - 2]?.folded ?? "";
  const object = /^(?:the|their|our|a|an|new)$/.test(before) ? beforeThat : before;
  const isUsed = /^(?:use|uses|used|using)$/.test(object);
  return (
    isUsed || DEEDS.has(folded) || DEEDS.has(words[at + 1]?.folded ?? "") || (before === "who" && folded.endsWith("ed"))
  );
}
