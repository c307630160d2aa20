/** Asks about what the query before found, or about the account or user that it names: "how healthy are they". */
import { isSame, showsPast, usesWindow } from "../../query/canonical.ts";
import { isAccountDimension } from "../../query/dimensions.ts";
import { withoutChurned } from "../../query/implied.ts";
import type { Filter, Query } from "../../query/model.ts";
import { assemble } from "../draft/assemble.ts";
import type { DraftContext } from "../draft/context.ts";
import type { Fragment, Piece } from "../fragments/fragments.ts";
import { isA, isEvent } from "../fragments/pieces.ts";
import type { Word } from "../words/split-words.ts";
import { inOwnTime, namesEntity, withFilters } from "./overlay.ts";

/** Returns the noun of what a query finds. */
export const nounOf = ({ find }: Query, at: number): Piece | null =>
  find === "events" ? null : { type: "find", find, from: at, to: at };

const PART = /^(?:most|least|half|some|none|few|each|both|majority)$/;

/** "How healthy are they": the question with what was found in place of "they". */
export function ofFound(
  pieces: readonly Piece[],
  words: readonly Word[],
  [at = 0]: readonly number[],
  previous: Query,
  context: DraftContext,
): Query[] {
  // "Most of them": no query says so of a part.
  if (words[at - 1]?.folded === "of" && PART.test(words[at - 2]?.folded ?? "")) return [];
  const own = pieces.find(({ from, to }) => from <= at && at < to);
  const from = own === undefined || isA(own, "pointer") ? at : own.to;
  const rest = pieces.filter(({ type }) => type !== "pointer");
  const next = rest.find((piece) => piece.from >= from);
  // "Those users", "their users".
  const isNoun = isA(next, "find") && next.from === at + 1;
  const withSubject = (fragment: Fragment | null): Query | null => {
    if (fragment === null) return assemble(rest, words, context);
    const index = next === undefined ? rest.length : rest.indexOf(next);
    return assemble(rest.toSpliced(index, 0, { ...fragment, from, to: from }), words, context);
  };
  const named = previous.where.filter(({ dimension, is }) => namesEntity({ dimension, is }));
  const isOfOne = /^(?:it|its|he|his|she|her|this|that|there|here)$/.test(words[at]?.folded ?? "");
  const found = named.flatMap(({ dimension, is }): Query[] => {
    const query = withSubject({ type: "value", dimension, values: [String(is)] });
    return query === null ? [] : inTimeOf(previous, query, words);
  });
  const isNamed = named.some(({ dimension }) => `${dimension}s` === previous.find);
  // "Their exports" are counted, and choose none of them.
  const isTheirs = words[at]?.folded === "their" && isEvent(next) && next.from === at + 1;
  if (isTheirs || isNamed || isOfOne || previous.find === "events") return found;
  const noun: Fragment = { type: "find", find: previous.find };
  const query = withSubject(isNoun ? null : noun);
  // "Are they healthy": all of them, or any.
  const isAny = words.some(({ folded }) => folded.startsWith("any"));
  if (query?.show === "yes_no" && !isAny) return found;
  return [...found, ...ofSet(previous, query, true).flatMap((each) => inTimeOf(previous, each, words))];
}

/** "How many?", "which ones": another form of the question about what was found. */
export function ofForm(
  pieces: readonly Piece[],
  words: readonly Word[],
  previous: Query,
  context: DraftContext,
): Query[] {
  const form = pieces.find((piece) => isA(piece, "form"));
  const noun = nounOf(previous, form?.to ?? 0);
  if (form === undefined || noun === null) return [];
  // "Who has", after "has Lumen exported": others than the one that it names.
  if (previous.show === "yes_no" && form.show === "list" && previous.where.some(namesEntity)) return [];
  const asked = assemble([form, noun, ...pieces.filter((piece) => piece !== form)], words, context);
  return ofSet(previous, asked, false);
}

/** A new measure is counted in the same time. A state is that of now, or of then: "how healthy were they". */
function inTimeOf({ window, ...previous }: Query, query: Query, words: readonly Word[]): Query[] {
  if (window === undefined || query.window !== undefined) return [query];
  const then = { ...query, window };
  if (usesWindow(query) || (showsPast(then) && showsPast({ ...previous, window }))) return [then];
  const isPast = words.some(({ folded }) => /^(?:was|were|did|had)$/.test(folded));
  return isPast && showsPast(then) ? [query, then] : [query];
}

/** What a query says about accounts holds for their users and events too. */
const isTransferable = ({ dimension }: Filter): boolean => isAccountDimension(dimension);

/**
 * Asks about the accounts, users, features or items that a query found.
 * @param isAll conditions are added to those of the query, and never replace them
 */
function ofSet(previous: Query, asked: Query | null, isAll: boolean): Query[] {
  const { find, show, per, compare, measure, limit, window, order } = previous;
  if (asked === null || per !== undefined || compare !== undefined || measure === "mrr_lost" || find === "events")
    return [];
  const set = inOwnTime([...(previous.of ?? []), ...withoutChurned(previous).where], window);
  if (asked.find !== find && !set.every(isTransferable)) return [];
  if (limit !== undefined && show === "list") {
    const { find: _, where, show: form, measure: shown = measure, with: columns, window: time, ...others } = asked;
    const by = order ?? (measure === undefined ? undefined : { by: measure, direction: "down" as const });
    const isListed = form === "list" || (form === "value" && shown !== measure);
    if (!isListed || by === undefined || asked.find !== find || where.length > 0 || Object.keys(others).length > 0)
      return [];
    const query: Query = {
      ...previous,
      where: set,
      order: by,
      limit,
      ...(shown && { measure: shown }),
      ...(columns && { with: columns }),
    };
    // The ranking keeps its time, so another one can't be shown beside it.
    return time === undefined ? [query] : [];
  }
  const base: Query = { ...asked, where: set };
  if (asked.window !== undefined && !usesWindow({ ...base, where: asked.where }) && !showsPast(base)) return [];
  // "Who are they", after a number: each with its own.
  if (asked.show === "list" && show === "value" && asked.measure === undefined && measure !== undefined)
    base.measure = measure;
  if (!isAll) return [withFilters(base, asked.where)].filter((query) => query !== null);
  const where = narrowed(set, asked.where);
  return where === null ? [] : [{ ...base, where }];
}

/** Adds conditions. @returns `null` if nothing can meet them */
function narrowed(set: readonly Filter[], added: readonly Filter[]): Filter[] | null {
  const isOld = (filter: Filter): boolean => set.some((each) => isSame(each, filter));
  const isWider = ({ dimension, in: several }: Filter): boolean =>
    added.some((each) => each.dimension === dimension && each.is !== undefined && several?.includes(each.is) === true);
  const isOther = added.some(({ dimension, is }) =>
    set.some((each) => each.dimension === dimension && is !== undefined && (each.is ?? is) !== is),
  );
  return isOther ? null : [...set.filter((each) => !isWider(each)), ...added.filter((filter) => !isOld(filter))];
}
