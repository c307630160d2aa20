/** The reasons for not answering, and when they apply. */
import type { Query } from "../../query/model.ts";
import { windowDays } from "../../query/windows.ts";
import { stemOf } from "../../stem.ts";
import type { KeywordReason, Piece } from "../fragments/fragments.ts";
import { dimensionOf, hasA, isA, isEvent, measureName } from "../fragments/pieces.ts";
import type { Reading } from "../fragments/readings.ts";
import { AUXILIARIES } from "../lexicon/lexicon.ts";
import type { Mention } from "../words/mentions.ts";
import type { Candidate } from "../words/match-names.ts";
import type { Vocabulary } from "../words/vocabulary.ts";
import { foldedOf, rawOf, type Word } from "../words/split-words.ts";
import { detailOf, noDataBefore } from "./details.ts";
import { ambiguousIn, closeEvents, MAX_PROPOSED, uniqueOf } from "./similar-names.ts";
import { isAttribute, isKnownAction, isTask, isUnknownAction, unknownName } from "./unknown-words.ts";

type ReaderReason =
  | KeywordReason
  | "no_such_subject"
  | "ambiguous_subject"
  | "no_data_in_window"
  | "needs_previous"
  | "unresolved_words";

export interface Refusal {
  reason: ReaderReason;
  detail: string;
  /** The accounts and users that an ambiguous or unknown name may mean. */
  candidates?: readonly Candidate[];
  /** The question with each of these names in full, as far as it then has a query. */
  options?: readonly Query[];
  /** The closest events to an unknown activity. */
  events?: readonly string[];
  /** A query close to the question that can be answered. */
  nearest?: Query;
  /** The words of the question without a meaning, as typed. */
  unknown?: readonly string[];
}

type DetailedReason = Parameters<typeof detailOf>[0];

interface Question extends Vocabulary {
  text: string;
  words: readonly Word[];
  readings: readonly Reading[];
  /** The reading with the fewest unknown words. */
  best: Reading;
}

export interface RefusalMatch extends Refusal {
  /** The name or event to propose instead. */
  meant?: Mention | undefined;
  /** Only the place of unknown words says what they are. */
  isGuess?: boolean;
}

/** Returns whether a reason applies, or further parts of the refusal. */
type RefusalRule = (question: Question, reason: DetailedReason) => boolean | Partial<RefusalMatch> | null;

const hasKeyword: RefusalRule = ({ text, words, best: { fragments } }, reason) => {
  const said = fragments.find((each) => isA(each, "reason", reason));
  return said !== undefined && { detail: detailOf(reason, [rawOf(text, words, said)]) };
};

/** "Who should I call at Halcyon": open items don't say so. */
const advice: RefusalRule = ({ best: { fragments, unknown } }) => unknown.length === 0 && hasA(fragments, "attention");

/** Only health has recorded reasons. */
const cause: RefusalRule = ({ words, best: { fragments, unknown } }) => {
  const isOfHealth =
    !fragments.some(isEvent) &&
    fragments.some((each) => /^(?:health|score)$/.test(dimensionOf(each) ?? measureName(each) ?? ""));
  return hasA(fragments, "form", "why") && (unknown.length > 0 || (words.length > 3 && !isOfHealth));
};

/** "Worth offering them a discount", "the best way to sell it", "too cheap". */
const judgment: RefusalRule = ({ words, best: { unknown, mentions } }) => {
  const isNamed = (at: number) => mentions.some(({ from, to, name }) => from <= at && at < to && name !== undefined);
  const said = words.flatMap(({ folded }, at) => (isNamed(at) ? [] : [folded])).join(" ");
  return JUDGED.test(said) || unknown.some((at) => words[at - 1]?.folded === "too" && words[at]?.folded !== "much");
};

const JUDGED = /\bworth (?:it|(?!knowing)\w{3,}ing)\b|\bbest (?:\w+ )?\w+ to (?!least|worst)/;

/** "What's the difference between DAU and MAU again": about words, not about data. */
const definition: RefusalRule = ({ words, best: { fragments } }) => {
  const isOfData = fragments.some(({ type }) => /^(?:value|window|find)$/.test(type));
  return !isOfData && words.some(({ folded }, at) => folded === "difference" && words[at + 1]?.folded === "between");
};

const tooEarly: RefusalRule = ({ best: { fragments }, today, firstDay = -Infinity }) => {
  const windows = fragments.filter((each) => isA(each, "window")).filter(({ isBound }) => isBound === undefined);
  const isEarly = windows.length > 0 && windows.every(({ window }) => windowDays(window, today).to < firstDay);
  return isEarly && { detail: noDataBefore(firstDay) };
};

const severalNames: RefusalRule = ({ readings }) => {
  const candidates = ambiguousIn(readings);
  return candidates && { candidates };
};

const unknownSubject: RefusalRule = ({ text, words, best, names }) => {
  const unknown = unknownName(text, words, best, hasA(best.fragments, "reason", "opinion", "prediction"));
  if (unknown === null) return null;
  const candidates = names
    .filter(({ from, to }) => from < unknown.to && unknown.from < to)
    .map(({ type, externalId, name, isPersonal }): Candidate => ({ type, externalId, name, isPersonal }));
  const proposed = uniqueOf(candidates).slice(0, MAX_PROPOSED);
  const [only, ...others] = proposed;
  const isMeant = only !== undefined && others.length === 0;
  // All of an id: "globex-1".
  const rest = /^(?:[-_.@][\p{L}\p{N}]+)*/u.exec(text.slice(words[unknown.to - 1]?.end))?.[0] ?? "";
  return {
    detail: detailOf("no_such_subject", [rawOf(text, words, unknown) + rest]),
    candidates: proposed,
    isGuess: unknown.isGuess,
    meant: isMeant
      ? { from: unknown.from, to: unknown.to, dimension: only.type, value: only.externalId, distance: 0, name: only }
      : undefined,
  };
};

const missingSubject: RefusalRule = ({ best: { fragments, unknown } }) =>
  unknown.length === 0 && fragments.some((fragment) => fragment.type === "pointer" && fragment.at !== "any")
    ? { detail: "The question doesn't say which account or user it is about; name one." }
    : null;

const unknownEvent: RefusalRule = ({ text, words, best, events }, reason) => {
  const action = best.unknown.find((at) => isUnknownAction(words, at, best));
  if (action === undefined) return null;
  const close = closeEvents(words, best, events);
  const [only, ...others] = close;
  const isMeant = only !== undefined && others.length === 0 && !best.fragments.some(isEvent);
  return {
    detail: detailOf(reason, [rawOf(text, words, { from: action, to: action + 1 })]),
    events: close,
    isGuess: !isKnownAction(words, action, best.unknown),
    meant: isMeant ? { from: action, to: action + 1, dimension: "event", value: only, distance: 0 } : undefined,
  };
};

/** "Who shared dashboards": words of two events without "and" or "or" between them name a third event. */
const mixedEvent: RefusalRule = ({ text, words, best: { mentions } }, reason) => {
  const parts = mentions
    .filter(({ dimension, distance }) => dimension === "event" && distance > 0)
    .toSorted((a, b) => a.from - b.from);
  const at = parts.findIndex(({ value, to }, index) => {
    const next = parts[index + 1];
    if (next === undefined || next.value === value) return false;
    const isJoined = words.slice(to, next.from).some(({ folded }) => JOINING.test(folded));
    return !isJoined && !words.slice(to, next.to).some(({ isAfterStop }) => isAfterStop);
  });
  const said = parts.slice(at, at + 2);
  const run = { from: said[0]?.from ?? 0, to: said[1]?.to ?? 0 };
  return at >= 0 && { detail: detailOf(reason, [rawOf(text, words, run)]), events: said.map(({ value }) => value) };
};

const JOINING =
  /^(?:and|or|nor|but|not|never|no|vs|versus|than|against|also|while|without|with|to|as|then|plus|&|\+|who|that|which|per|by)$/;

/** "How many dashboards does Lumen have": the records count actions, not things. */
const inventory: RefusalRule = ({ words, best: { fragments, mentions } }) => {
  const counted = fragments.findIndex((piece) => isA(piece, "form", "count"));
  const next = fragments[counted + 1];
  const thing = mentions.find(
    ({ dimension, distance, from }) => dimension === "event" && distance > 0 && from === next?.from,
  );
  const verb = stemOf(thing?.value.split(".").at(-1) ?? "");
  const isThing =
    thing !== undefined && !words.slice(thing.from, thing.to).some(({ folded }) => stemOf(folded) === verb);
  const end = foldedOf(words, { from: Math.max(words.length - 2, 0), to: words.length });
  // "How many forecast users do we have".
  const isAsked = counted >= 0 && isThing && HELD.test(end) && !isA(fragments[counted + 2], "find", "users");
  return isAsked && { detail: ONLY_COUNTED };
};
const HELD = /(?:^| )(?:have|has|got|are there|exist|set up)$/;

const unknownAttribute: RefusalRule = ({ text, words, best }, reason) => {
  const at = best.unknown.find((index) => isAttribute(words, index, best));
  return at !== undefined && { detail: detailOf(reason, [rawOf(text, words, { from: at, to: at + 1 })]) };
};

/** "Which dashboards did Lumen open", "whom did she share it with": the objects of events aren't recorded. */
const eventContent: RefusalRule = ({ words, best: { fragments } }) => {
  const verb = words.findIndex(({ folded }) => AUXILIARIES.has(folded));
  if (fragments.some(isEvent) && CONTENT.test(foldedOf(words, { from: 0, to: words.length })))
    return { detail: ONLY_COUNTED };
  const [subject, ...rest] = fragments.filter(({ type }) => !/^(?:form|negation)$/.test(type));
  const isDone =
    !isEvent(subject) &&
    subject?.type !== "use" &&
    (subject?.from ?? 0) > verb &&
    rest.some(isEvent) &&
    !fragments.some(isOther);
  const isContent =
    (isDone && OBJECT.test(foldedOf(words, { from: 0, to: verb + 1 }))) ||
    fragments.some((piece, at) => {
      const lead = foldedOf(words, { from: Math.max(piece.from - 3, 0), to: piece.from });
      const isFollowed =
        fragments[at + 1]?.from === piece.to &&
        /^(?:find|measure|dimension|per|change)$/.test(fragments[at + 1]?.type ?? "");
      return isEvent(piece) && WHICH.test(lead) && !isFollowed;
    });
  return isContent && { detail: ONLY_COUNTED };
};
const ONLY_COUNTED = "Events are counted, but not the things they are about.";

const isOther = ({ type, ...each }: Piece): boolean =>
  /^(?:measure|change)$/.test(type) || ("show" in each && each.show !== "list");

const WHICH = /(?:^| )(?:what|which)(?: (?:last|latest|new|other|(?:kind|kinds|type|types|sort) of))?$/;

const CONTENT = /^what (?:is|was) (?:in|the (?:name|title|text) of) /;

const OBJECT = /^(?:with )?(?:what|whom?|which \w+(?: \w+)?) (?:did|do|does|has|have)$/;

/** The first rule that applies gives the reason. Those with `always` apply even if there is a query. */
const ORDER: readonly (readonly [reason: DetailedReason, rule: RefusalRule, always?: "always"])[] = [
  ["out_of_scope", hasKeyword],
  ["out_of_scope", definition],
  ["out_of_scope", ({ words, best }) => isTask(words, best), "always"],
  ["ambiguous_subject", severalNames, "always"],
  ["no_such_subject", unknownSubject, "always"],
  ["causal_claim", cause],
  ["opinion", hasKeyword],
  ["opinion", judgment, "always"],
  ["opinion", advice],
  ["prediction", hasKeyword],
  ["causal_claim", hasKeyword],
  ["unmeasured_attribute", hasKeyword],
  // Neither logins nor the app used are recorded. People who were active may not have logged in.
  ["no_such_event", hasKeyword, "always"],
  ["ambiguous_subject", missingSubject],
  ["unmeasured_attribute", eventContent, "always"],
  ["unmeasured_attribute", inventory, "always"],
  ["no_such_event", mixedEvent, "always"],
  ["no_such_event", unknownEvent],
  ["unmeasured_attribute", unknownAttribute],
  ["no_data_in_window", tooEarly],
];

/**
 * Finds the most specific reason why a question has no answer.
 * @param isRead whether the question has a query
 */
export function refusalOf(
  text: string,
  words: readonly Word[],
  readings: readonly Reading[],
  known: Vocabulary,
  isRead: boolean,
): RefusalMatch | null {
  const [best] = readings.toSorted((a, b) => a.unknown.length - b.unknown.length);
  if (best === undefined) return null;
  for (const [reason, rule, always] of ORDER) {
    const found = isRead && always === undefined ? null : rule({ text, words, readings, best, ...known }, reason);
    if (found) return { reason, detail: detailOf(reason), ...(found === true ? {} : found) };
  }
  return null;
}
