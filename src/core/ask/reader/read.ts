/** Reads a question. The result is one query, several to choose from, or a reason for not answering. */
import type { Day } from "../../health/model.ts";
import type { Dimension } from "../query/dimensions.ts";
import type { Query, WindowName } from "../query/model.ts";
import { daysOf } from "../query/windows.ts";
import { assemble } from "./assemble.ts";
import { corrected } from "./corrections.ts";
import type { Placed } from "./fragments.ts";
import { eventsIn, type Mention, namesIn, valuesIn } from "./mentions.ts";
import type { Candidate, NameMatch } from "./names.ts";
import { canLeaveOut, type Refusal, refusalOf } from "./refuse.ts";
import { readRestated } from "./restated.ts";
import { type Tiling, tilingsOf } from "./tile.ts";
import { type Word, wordsOf } from "./words.ts";

export interface Vocabulary {
  /** What the look-ups of the question have found. */
  names: readonly NameMatch[];
  /** All event names of the workspace. */
  events: readonly string[];
  dimensions: readonly Dimension[];
  today: Day;
  /** The first day that anything was recorded. */
  firstDay?: Day;
}

/** What a question was sent with: the account, user or feature that is looked at. */
export interface Hints {
  account?: string;
  user?: string;
  feature?: string;
}

/** What an answer says about how a question was understood. */
export type Note = { kind: "name"; asked: string; candidate: Candidate };

export type Read =
  | { kind: "query"; query: Query; notes: readonly Note[] }
  /** `candidates`: what the options differ in, if that is whom or what a name means. */
  | { kind: "options"; options: readonly Query[]; candidates?: readonly Candidate[] }
  | ({ kind: "refusal" } & Refusal);

const MAX_OPTIONS = 4;
export const MAX_WORDS = 120;

export function read(text: string, vocabulary: Vocabulary, hints: Hints = {}): Read {
  const { dimensions, events, names, today } = vocabulary;
  const restated = readRestated(text, vocabulary);
  if (restated?.isKnown === true) return { kind: "query", query: restated.query, notes: [] };
  const typed = wordsOf(text).slice(0, MAX_WORDS + 1);
  if (typed.length > MAX_WORDS) return unresolved("A question has at most 120 words.");
  const mentions = [...namesIn(typed, names), ...valuesIn(typed, dimensions), ...eventsIn(typed, events)];
  const words = corrected(typed, mentions);
  const context = { dimensions, today };
  const queriesOf = (tilings: readonly Tiling[]) =>
    differentIn(tilings, ({ fragments }) => assemble(pointedAt(fragments, hints), words, context));
  const tilings = tilingsOf(words, mentions, dimensions, today);
  const found = queriesOf(tilings.filter(({ unknown }) => unknown.length === 0));
  const refusal = refusalOf(text, words, tilings, vocabulary, found.length > 0);
  if (refusal !== null) {
    const { meant, ...told } = refusal;
    return {
      kind: "refusal",
      ...told,
      ...(meant && nearestOf(queriesOf(tilingsOf(words, [...mentions, meant], dimensions, today)), vocabulary)),
    };
  }
  const [first] = found;
  if (first === undefined)
    return {
      ...unresolved("These words don't come to a question about the workspace's data."),
      ...nearestOf(queriesOf(tilings.filter((tiling) => canLeaveOut(words, tiling))), vocabulary),
    };
  if (restated !== null) return unresolved("It has a value that nothing here has.");
  if (found.length > 1) {
    const options = found.slice(0, MAX_OPTIONS).map(({ query }) => query);
    return { kind: "options", options, ...namesApart(found.map(({ tiling }) => tiling)) };
  }
  if (isBeforeRecording(first.query, vocabulary)) {
    const { window: _, ...query } = first.query;
    const detail = "Nothing had been recorded then.";
    return { kind: "refusal", reason: "no_data_in_window", detail, ...nearestOf([{ query }], vocabulary) };
  }
  return { kind: "query", query: first.query, notes: notesOf(text, words, first.tiling.mentions) };
}

const unresolved = (detail: string): Read & { kind: "refusal" } => ({
  kind: "refusal",
  reason: "unresolved_words",
  detail,
});

/** The different queries of tilings. Of those that differ only in what words of the lexicon mean, the first counts. */
function differentIn(tilings: readonly Tiling[], queryOf: (tiling: Tiling) => Query | null) {
  const found = new Map<string, { query: Query; tiling: Tiling }>();
  const settled = new Set<number>();
  for (const tiling of tilings) {
    const query = settled.has(tiling.choice) ? null : queryOf(tiling);
    if (query === null) continue;
    settled.add(tiling.choice);
    found.set(JSON.stringify(query), { query, tiling });
  }
  return withoutPersonal([...found.values()]);
}

/** A user and the personal account have the same id. What is said of both is meant of the user. */
function withoutPersonal<Found extends { tiling: Tiling }>(found: Found[]): Found[] {
  const isOfUser = (id: string) =>
    found.some(({ tiling }) => tiling.mentions.some(({ dimension, value }) => dimension === "user" && value === id));
  const kept = found.filter(
    ({ tiling }) => !tiling.mentions.some(({ name }) => name?.isPersonal === true && isOfUser(name.externalId)),
  );
  return kept.length > 0 ? kept : found;
}

/** The one query that comes close to a question without an answer. */
function nearestOf(found: readonly { query: Query }[], vocabulary: Vocabulary): Pick<Refusal, "nearest"> {
  const [only, ...others] = found;
  const isOne = only !== undefined && others.length === 0 && !isBeforeRecording(only.query, vocabulary);
  return isOne ? { nearest: only.query } : {};
}

/** The names that not all of the readings have. */
function namesApart(tilings: readonly Tiling[]): { candidates?: Candidate[] } {
  const named = tilings.map(
    ({ mentions }) =>
      new Map(mentions.flatMap(({ name }) => (name ? [[`${name.type} ${name.externalId}`, name]] : []))),
  );
  const all = new Map(named.flatMap((names) => [...names]));
  const apart = [...all].filter(([key]) => !named.every((names) => names.has(key)));
  return apart.length > 1 ? { candidates: apart.map(([, name]) => name) } : {};
}

/** Replaces "it" and "this account" by what the question has named, or was sent with. */
function pointedAt(fragments: readonly Placed[], { account, user, feature }: Hints): Placed[] {
  const named = new Set(fragments.flatMap((fragment) => (fragment.type === "value" ? [fragment.dimension] : [])));
  const hints: readonly (readonly [dimension: string, value: string | undefined])[] = [
    ["account", account],
    ["user", user],
    ["event", feature],
  ];
  return fragments.flatMap((fragment): Placed[] => {
    if (fragment.type !== "pointer") return [fragment];
    const { at, from, to } = fragment;
    if (at === "any" ? named.has("account") || named.has("user") : named.has(at)) return [];
    const hint = hints.find(
      ([type, value]) => value !== undefined && !named.has(type) && (at === "any" || at === type),
    );
    if (hint?.[1] === undefined) return [fragment];
    return [{ type: "value", dimension: hint[0], values: [hint[1]], from, to }];
  });
}

const notesOf = (text: string, words: readonly Word[], mentions: readonly Mention[]): Note[] =>
  mentions.flatMap(({ distance, name, from, to }): Note[] =>
    distance < 2 || name === undefined
      ? []
      : [{ kind: "name", asked: text.slice(words[from]?.start, words[to - 1]?.end), candidate: name }],
  );

/** Whether a window of the query, or of what it is compared with, ended before anything was recorded. */
function isBeforeRecording({ window, where, compare }: Query, { today, firstDay }: Vocabulary): boolean {
  if (firstDay === undefined) return false;
  const isOver = (each: WindowName | undefined): boolean => each !== undefined && daysOf(each, today).to < firstDay;
  const to = compare?.to;
  const compared =
    typeof to === "object" && !("account" in to) && !("user" in to) && !("feature" in to) ? to : undefined;
  return isOver(window) || isOver(compared) || where.some((filter) => isOver(filter.window));
}
