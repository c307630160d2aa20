/** Rules for states that have a history: health, stage and plan; how they changed, and since when they hold. */
import { STATES } from "../../query/dimensions.ts";
import type { Fragment, Piece } from "../fragments/fragments.ts";
import {
  BEFORE_WINDOW,
  between,
  dimensionOf,
  EVENT_MEASURES,
  hasA,
  isA,
  isActive,
  isEntityName,
  isEvent,
  isWho,
  touch,
} from "../fragments/pieces.ts";
import { foldedOf, type Word } from "../words/split-words.ts";
import { filter, swap, type RewriteRule, UNSUPPORTED } from "./rewrite.ts";

export type AccountState = { dimension: string; is: string };

const changedTo = ({ dimension, is }: AccountState): Fragment => filter({ dimension, became: is });

const earlier = (state: AccountState): Fragment => filter({ ...state, asOf: BEFORE_WINDOW });

/** Held before the window, and doesn't hold now. */
export const noLonger = (state: AccountState): Fragment[] => [
  filter({ dimension: state.dimension, isNot: state.is }),
  earlier(state),
];

/** Returns the health, stage or plan that a piece says: "healthy", "customers", "Business". */
export function stateOf(piece: Piece | undefined): AccountState | null {
  const own = isA(piece, "find") && piece.where?.length === 1 ? piece.where[0] : undefined;
  const dimension = own?.dimension ?? dimensionOf(piece) ?? "";
  const is = own === undefined ? onlyOf(piece) : own.is;
  return STATES.has(dimension) && typeof is === "string" ? { dimension, is } : null;
}

export function valuesOf(piece: Piece | undefined): readonly string[] {
  if (isA(piece, "value")) return piece.values;
  if (!isA(piece, "filter") || piece.filter.asOf !== undefined) return [];
  const { is, in: several = [] } = piece.filter;
  return typeof is === "string" ? [is] : several.map(String);
}

/** Returns the only value of a condition. */
export function onlyOf(piece: Piece | undefined): string | null {
  const [only, ...others] = valuesOf(piece);
  return others.length > 0 ? null : (only ?? null);
}

/** Tests whether a question asks about one account or user. */
export const namesOneEntity = (pieces: readonly Piece[]): boolean =>
  pieces.filter(isEntityName).length === 1 && !hasA(pieces, "form", "list");

/** "From healthy to watch": the second is the new state, and the first the one before the window. */
export const fromTo: RewriteRule = ([a, b], { words }) => {
  const [old, next] = [stateOf(a), stateOf(b)];
  if (a === undefined || b === undefined || old === null || !isFrom(words, a)) return null;
  if (old.dimension !== dimensionOf(b) && old.dimension !== next?.dimension) return null;
  if (!between(words, a, b).some((word) => /^(?:in)?to$/.test(word))) return null;
  return swap(2, next === null ? b : changedTo(next), earlier(old));
};

/** "became healthy", "upgraded to Business", "recovered from at risk", "went" before "from healthy to watch". */
export const moved: RewriteRule = ([a, b, c], { words }) => {
  // "Went from September to October" is about what is counted.
  if (isA(a, "moved") && isA(b, "window") && a.to === b.from && /^(?:go|went)/.test(words[a.from]?.folded ?? ""))
    return swap(1, { type: "change", direction: null });
  const state = stateOf(b);
  const isRecovery = isA(a, "filter") && a.filter.became !== undefined;
  if (!isA(a, "moved") && !isA(a, "change") && !isRecovery) return null;
  if (isA(b, "filter") && (b.filter.became ?? b.filter.in) && isA(c, "filter") && c.filter.asOf === BEFORE_WINDOW)
    return swap(2, b);
  if (b === undefined || state === null) return null;
  // "The MRR change of Enterprise accounts" is their own.
  if (isA(a, "change") && /^(?:of|for|at|in|from)$/.test(words[a.to]?.folded ?? "") && !isFrom(words, b)) return null;
  // "Climbed to healthy", "grew to Enterprise".
  const isTo = /^(?:in)?to$/.test(words[a.to]?.folded ?? "");
  const isMoved = isA(a, "moved") || (isA(a, "change") && (a.direction === null || isTo));
  if (!isFrom(words, b))
    return isMoved
      ? swap(2, changedTo(state), ...(isA(b, "find") ? [{ type: "find", find: b.find } as const] : []))
      : null;
  if (isRecovery) return a.filter.dimension === state.dimension ? swap(2, a, earlier(state)) : null;
  // A rise or fall from the state in the middle may lead to either of the others.
  const isClear = isMoved || (state.dimension === "health" && state.is !== "watch");
  return isClear ? swap(2, ...noLonger(state)) : null;
};

const isFrom = (words: readonly Word[], { from }: Piece): boolean =>
  words.slice(Math.max(0, from - 2), from).some(({ folded }) => folded === "from");

/** "Joined the Business plan", "new at-risk accounts": changed to this state. The accounts may be old. */
export const newState: RewriteRule = ([a, b], { words }) => {
  const state = stateOf(b);
  if (!isA(a, "new") || state === null || isA(b, "find")) return null;
  const isPlan = state.dimension === "plan" && words[a.from]?.folded.startsWith("join") === true;
  return isPlan || state.dimension === "health" ? swap(2, changedTo(state)) : null;
};

/** "Accounts that went silent", "who went silent this month": a notice says when the silence began; inactivity doesn't. */
export const wentSilent: RewriteRule = ([a, b], { pieces, words }) => {
  const isWent = isA(a, "filter", "active") && /^(?:went|gone|go|fell|fallen)$/.test(words[a.from]?.folded ?? "");
  const isOfOthers =
    hasA(pieces, "find", "users", "features", "events") ||
    pieces.some(isEntityName) ||
    hasA(pieces, "dimension", "champion");
  const isOfAccounts = hasA(pieces, "find", "accounts") || (pieces.some(isWho) && !pieces.some(isOfUsers));
  if (!isWent || isOfOthers || !isOfAccounts || pieces.some(isEvent) || hasA(pieces, "returned")) return null;
  // The time of the notice would be lost beside that of a measure.
  const isThen = isA(b, "window") && b.isBound === undefined;
  const silent = filter({ dimension: "item_kind", is: "gone_silent" });
  return swap(1, isThen && hasA(pieces, "measure") ? UNSUPPORTED : silent);
};
const isOfUsers = (piece: Piece): boolean => dimensionOf(piece)?.startsWith("user.") === true;

/** "Who churned most recently", "the latest churned accounts": no query ranks by the time of a change. */
export const latestState: RewriteRule = ([a, b]) =>
  (isLatest(a) && isState(b)) || (isState(a) && isLatest(b)) ? swap(2, UNSUPPORTED) : null;
const isLatest = (piece: Piece | undefined): boolean =>
  isA(piece, "dimension", "last_seen") || (isA(piece, "order") && piece.by === "time");
const isState = (piece: Piece | undefined): boolean =>
  isA(piece, "filter", "health", "stage") && piece.filter.is !== "trial";

/** "Who churned", "how many customers have churned": those that ever did, not all that are churned now. */
export const churnedEver: RewriteRule = ([a, b], { pieces, before, words }) => {
  const isDone = isA(a, "filter", "stage") && /^(?:churned|cancell?ed)$/.test(words[a.to - 1]?.folded ?? "");
  if (!isDone || a.filter.is !== "churned" || !(isA(before, "find", "accounts") || isWho(before))) return null;
  const said = foldedOf(words, { from: before.from, to: a.from });
  const isNow = /\b(?:is|are|as|already)\b/.test(said) || isA(b, "find");
  const isPlain = pieces.every((piece) => /^(?:form|find|filter|value)$/.test(piece.type) && !isEvent(piece));
  if (isNow || !isPlain || pieces.some(isEntityName)) return null;
  return swap(1, filter({ dimension: "stage", became: "churned" }));
};

/** "MRR with churned accounts", "MRR, churned ones too", "MRR churned too": those as well, and not only those. */
export const withChurned: RewriteRule = (next, { pieces, before, words }) => {
  const isIncluded = isA(next[0], "unsupported") && /^incl(?:uding)?$/.test(foldedOf(words, next[0]));
  const [a, b] = isIncluded ? next.slice(1) : next;
  if (a === undefined) return null;
  const said = foldedOf(words, { from: Math.max(0, a.from - 2), to: a.from });
  const isWith = isIncluded || /\b(?:with|also)(?: the)?$/.test(said);
  // "Which accounts churned too".
  const isToo = TOO.test(foldedOf(words, { from: a.to, to: a.to + 3 })) && !isWho(before) && !isA(before, "find");
  const all = filter({ dimension: "stage", in: ["active", "trial", "churned"] });
  if (isA(a, "measure", "mrr_lost") && isToo && words[a.to - 1]?.folded === "churned")
    return swap(1, { type: "measure", measure: "mrr" }, all);
  const isChurned = stateOf(a)?.is === "churned" && hasA(pieces, "measure");
  const count = (isIncluded ? 2 : 1) + (isA(b, "find", "accounts") && touch(a, b) ? 1 : 0);
  return isChurned && (isWith || isToo) ? swap(count, all) : null;
};
const TOO = /^(?:(?:accounts|customers|ones) )?(?:too|also|as well)\b/;

/** "Exports of accounts that churned in October": the time is that of the change, if something else is counted. */
export const changedIn: RewriteRule = ([a, b], { pieces, words }) => {
  if (!isA(a, "filter") || !isA(b, "window") || !touch(a, b) || b.isBound !== undefined) return null;
  const { dimension, is, became = dimension === "stage" && is === "churned" ? is : undefined } = a.filter;
  const isCounted = pieces.some(
    (piece) => isEvent(piece) || isActive(piece) || isIdleNow(piece, words) || isA(piece, "measure", ...EVENT_MEASURES),
  );
  return became !== undefined && isCounted ? swap(2, filter({ dimension, became, window: b.window })) : null;
};
/** "Became customers in October and are silent". */
const isIdleNow = (piece: Piece, words: readonly Word[]): boolean =>
  isA(piece, "filter", "active") && piece.filter.is === false && words[piece.from - 1]?.folded === "are";

/** "Healthy on 1 October": the state on that day. */
export const asOfDay: RewriteRule = ([a, b]) => {
  const day = isA(b, "window") && "from" in b.window && b.window.from === b.window.to ? b.window.from : undefined;
  if (day === undefined || !isA(b, "window") || b.isBound !== undefined || !touch(a, b)) return null;
  const [noun] = isA(a, "find") && a.where?.length === 1 ? a.where : [];
  if (isA(a, "find") && noun?.dimension === "stage")
    return swap(2, { type: "find", find: a.find }, filter({ ...noun, asOf: day }));
  const isDated = isA(a, "filter", "health", "stage", "seats", "mrr", "score") && a.filter.asOf === undefined;
  return isDated && (a.filter.became ?? a.filter.changed) === undefined
    ? swap(2, filter({ ...a.filter, asOf: day }))
    : null;
};

/** Tests whether a question asks since when something holds: not "how long ago" or "how long until". */
export function asksSince(pieces: readonly Piece[], words: readonly Word[]): boolean {
  const form = pieces.find((piece) => isA(piece, "form", "when"));
  const asked = words.slice(form?.from, (form?.to ?? 0) + 2).map(({ folded }) => folded);
  return (
    form !== undefined &&
    namesOneEntity(pieces) &&
    !pieces.some((piece) => isA(piece, "window") && piece.isVague !== true) &&
    /^(?:for )?(?:how long|since (?:when|how|what|which)|from when|how many days)(?! (?:ago|was|were|did|until|till|is the))/.test(
      asked.join(" "),
    )
  );
}

/** "How many days has it been silent": since when. */
export const daysIdle: RewriteRule = ([a, b], { pieces, words }) => {
  const isCount = isA(a, "form", "count") && isA(b, "measure", "active_days");
  const isIdle = pieces.some((piece) => isA(piece, "filter", "active") && piece.filter.is === false);
  const when: Piece = { type: "form", show: "when", from: a?.from ?? 0, to: b?.to ?? 0 };
  return isCount && isIdle && asksSince([...pieces, when], words) ? swap(2, { type: "form", show: "when" }) : null;
};

/** "How long has it been at risk", "since when is it a customer", "how long is it silent": when that began. */
export const sinceWhen: RewriteRule = ([a, b], { pieces, words }) => {
  if (a === undefined || !asksSince(pieces, words)) return null;
  // "Since when is Lumen not using the product".
  if (isA(a, "negation") && isActive(b)) return swap(2, { type: "dimension", dimension: "last_seen" });
  const state = stateOf(a);
  if (state !== null) return swap(1, changedTo(state));
  return isA(a, "filter", "active") && a.filter.is === false
    ? swap(1, { type: "dimension", dimension: "last_seen" })
    : null;
};

/** "What is going on with our trials": of one account, the reasons for its health say so; of several, a summary. */
export const goingOn: RewriteRule = ([a], { pieces, words }) =>
  isA(a, "form", "why") &&
  /going on|happening/.test(foldedOf(words, a)) &&
  !(namesOneEntity(pieces) && hasA(pieces, "value", "account"))
    ? swap(1, { type: "form", show: "summary" })
    : null;

/** "ever at risk", "was ever a trial": at any recorded time. */
export const ever: RewriteRule = ([a, b]) =>
  isA(a, "window") && "all" in a.window && isA(b, "filter", "health", "stage") && b.filter.is !== undefined
    ? swap(2, filter({ dimension: b.filter.dimension, became: b.filter.is, window: { all: true } }))
    : null;
