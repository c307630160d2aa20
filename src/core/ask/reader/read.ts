/** Reads a question. The result is one query, several to choose from, or a reason for not answering. */
import type { Day } from "../../health/model.ts";
import type { Dimension } from "../query/dimensions.ts";
import type { Query, WindowName } from "../query/model.ts";
import { daysOf } from "../query/windows.ts";
import { assemble } from "./assemble.ts";
import { corrected } from "./corrections.ts";
import type { Fragment, Placed } from "./fragments.ts";
import { type Candidate, eventsIn, type Mention, type NameMatch, namesIn, valuesIn } from "./mentions.ts";
import { type Refusal, refusalOf } from "./refuse.ts";
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
  | { kind: "options"; options: readonly Query[] }
  | ({ kind: "refusal" } & Refusal);

const MAX_OPTIONS = 4;
export const MAX_WORDS = 120;

export function read(text: string, vocabulary: Vocabulary, hints: Hints = {}): Read {
  const words = wordsOf(text).slice(0, MAX_WORDS + 1);
  if (words.length > MAX_WORDS) return refused("A question has at most 120 words.");
  const { queries, isKnown } = readRestated(text, vocabulary);
  if (!isKnown) return refused("It has a value that nothing here has.");
  const result = queries.length > 0 ? chosenOf(queries, []) : readFreely(text, words, vocabulary, hints);
  return result.kind === "query" && isBeforeRecording(result.query, vocabulary)
    ? { kind: "refusal", reason: "no_data_in_window", detail: "Nothing had been recorded then." }
    : result;
}

const refused = (detail: string): Read => ({ kind: "refusal", reason: "unresolved_words", detail });

function chosenOf(queries: readonly Query[], notes: readonly Note[]): Read {
  const [query, ...others] = queries;
  if (query === undefined) return refused("These words don't come to a question about the workspace's data.");
  return others.length > 0
    ? { kind: "options", options: queries.slice(0, MAX_OPTIONS) }
    : { kind: "query", query, notes };
}

/** Reads what people write: fragments in any order. */
function readFreely(text: string, typed: readonly Word[], vocabulary: Vocabulary, hints: Hints): Read {
  const { dimensions, events, names, today } = vocabulary;
  const mentions = [...namesIn(typed, names), ...valuesIn(typed, dimensions), ...eventsIn(typed, events)];
  const words = corrected(typed, mentions);
  const tilings = tilingsOf(words, mentions, dimensions, today);
  const found = new Map<string, { query: Query; tiling: Tiling }>();
  const settled = new Set<number>();
  for (const tiling of tilings) {
    if (tiling.unknown.length > 0 || settled.has(tiling.choice)) continue;
    const query = assemble(pointedAt(tiling.fragments, hints), words, { dimensions, today });
    if (query === null) continue;
    settled.add(tiling.choice);
    found.set(JSON.stringify(query), { query, tiling });
  }
  const refusal = refusalOf(text, words, tilings, vocabulary, found.size > 0);
  if (refusal !== null) return { kind: "refusal", ...refusal };
  const [first] = found.values();
  return chosenOf(
    Array.from(found.values(), ({ query }) => query),
    first === undefined ? [] : notesOf(text, words, first.tiling.mentions),
  );
}

/** Replaces "it" and "this account" by what the question was sent with. */
function pointedAt(fragments: readonly Placed[], { account, user, feature }: Hints): Placed[] {
  const isNamed = fragments.some(
    (fragment) => fragment.type === "value" && ["account", "user", "event"].includes(fragment.dimension),
  );
  return fragments.flatMap((fragment): Placed[] => {
    if (fragment.type !== "pointer") return [fragment];
    if (isNamed) return [];
    const hinted: readonly (readonly [dimension: string, value: string | undefined])[] = [
      ["account", account],
      ["user", user],
      ["event", feature],
    ];
    const match = hinted.find(
      ([dimension, value]) => value !== undefined && (fragment.at === "any" || fragment.at === dimension),
    );
    if (match?.[1] === undefined) return [fragment];
    const value: Fragment = { type: "value", dimension: match[0], values: [match[1]] };
    return [{ ...value, from: fragment.from, to: fragment.to }];
  });
}

const notesOf = (text: string, words: readonly Word[], mentions: readonly Mention[]): Note[] =>
  mentions.flatMap(({ distance, name, from, to }): Note[] =>
    distance === 0 || name === undefined
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
