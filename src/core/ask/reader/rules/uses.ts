/** Rules for what was used, and for champions, who are known by a notice. */
import { foldName } from "../../normalize-names.ts";
import { stemOf } from "../../stem.ts";
import { COUNTED_OF_ACCOUNTS } from "../../query/dimensions.ts";
import { DEFAULT_WINDOW } from "../../query/windows.ts";
import type { Fragment, Piece } from "../fragments/fragments.ts";
import { foldedOf } from "../words/split-words.ts";
import { between, dimensionOf, hasA, isA, isActive, isEntityName, isEvent, isTrial } from "../fragments/pieces.ts";
import { filter, swap, type RewriteRule, UNSUPPORTED } from "./rewrite.ts";
import { asksSince, noLonger, stateOf } from "./states.ts";

const MAKING = new Set("make generate write add set build create".split(" ").map(stemOf));
const UNDOING = new Set("remove cancel delete close".split(" ").map(stemOf));
const DETERMINERS = /^(?:a|an|the|any|some|new|their|its|our|his|her|first|is|are|was|were|be|been|got|being|get)$/;

/** Rejects "made dashboards", "dashboards did Lumen make" if only the opening of dashboards is recorded. */
export const unrecordedVerb: RewriteRule = ([a, second, third], { words }) => {
  const b = isEntityName(second) ? third : second;
  const [verbPiece, event] = isEvent(b) ? [a, b] : [b, a];
  if (second === undefined || b === undefined || verbPiece === undefined || !isEvent(event)) return null;
  const verb = stemOf(words[verbPiece.from]?.folded ?? "");
  const recorded = event.values.map((name) => stemOf(foldName(name).split(" ").at(-1) ?? ""));
  const isSaid = words.slice(event.from, event.to).some(({ folded }) => recorded.includes(stemOf(folded)));
  const isOther = UNDOING.has(verb) || (MAKING.has(verb) && !isSaid && !recorded.every((own) => MAKING.has(own)));
  const gap = between(words, b === second ? (a ?? b) : second, b);
  return isOther && gap.every((word) => DETERMINERS.test(word)) ? swap(2, UNSUPPORTED) : null;
};

/** Rejects "how many adopted forecasts each week": those that used them in a week needn't have begun in it. */
export const adoptedEach: RewriteRule = ([a], { pieces, words }) =>
  isA(a, "use", "uses") &&
  words[a.from]?.folded.startsWith("adopt") === true &&
  pieces.some((piece) => isA(piece, "per") && piece.per !== undefined)
    ? swap(1, UNSUPPORTED)
    : null;

/** "Who dropped forecasts", "which features did Lumen drop": stopped using them. */
export const dropped: RewriteRule = ([a, b], { pieces, before, words }) => {
  const verb = isA(a, "change") ? words[a.from]?.folded : undefined;
  if (isEvent(b) && verb === "dropped") return swap(1, { type: "use", use: "stopped" });
  if (a === undefined || !/^drop(?:ped)?$/.test(verb ?? "")) return null;
  const stopped: Fragment = { type: "use", use: "stopped" };
  if (isA(b, "measure") || isA(b, "per", "day", "week", "month")) return null;
  // "What did Lumen drop", "features that were dropped by Lumen".
  const lead = foldedOf(words, { from: Math.max((before?.from ?? 0) - 2, 0), to: before?.from ?? 0 });
  if (isEntityName(before) && /^what (?:did|has|have)$/.test(lead) && !hasA(pieces, "measure"))
    return swap(1, { type: "find", find: "features" }, stopped);
  const isDone = isEntityName(before) || /^(?:they|it|he|she|were|been)$/.test(words[a.from - 1]?.folded ?? "");
  return isDone && hasA(pieces, "find", "features") ? swap(1, stopped) : null;
};

/** Rejects "shared with Lena", "who works with Lumen": who receives something, or looks after it, isn't recorded so. */
export const received: RewriteRule = ([a, b], { words }) =>
  (isEvent(a) || (isA(a, "use") && words[a.from]?.folded.startsWith("work") === true)) &&
  isEntityName(b) &&
  /^(?:with|to|about)$/.test(words[b.from - 1]?.folded ?? "")
    ? swap(2, UNSUPPORTED)
    : null;

/** "Used to create alerts and stopped": said twice. */
export const stoppedTwice: RewriteRule = ([a, b], { pieces, at }) =>
  isA(a, "use", "stopped") && !isEvent(b) && hasA(pieces.slice(0, at), "use", "stopped") ? swap(1) : null;

/** "used exports", "stopped using dashboards". */
export const used: RewriteRule = ([a, b], { pieces, before, words }) => {
  if (!isA(a, "use")) return null;
  // "When did they start their trial".
  if (a.use === "started" && (isTrial(b) || isTrial(before)))
    return swap(isTrial(b) ? 2 : 1, filter({ dimension: "stage", became: "trial" }));
  const state = stateOf(b);
  if (a.use === "stopped" && state !== null) return swap(2, ...noLonger(state));
  if (!isEvent(b)) return null;
  // "How many have tried forecasts": accounts or users, but not forecasts.
  if (a.use === "uses" && isA(before, "form", "count") && !hasA(pieces, "find")) return null;
  // "Since when do they use forecasts".
  const isBeginning = a.use === "started" ? hasA(pieces, "form", "when") : a.use === "uses" && asksSince(pieces, words);
  if (isBeginning) return swap(2, { type: "dimension", dimension: "first_seen" }, b);
  return a.use === "uses" ? swap(2, b) : null;
};

/** "Features used most by Enterprise customers": the conditions of those who used them. */
export const usedBy: RewriteRule = ([a, ...rest], { pieces, at }) => {
  // "By Business plan customers".
  const isName = (each: Piece, index: number) => isA(each, "dimension", dimensionOf(rest[index - 1]) ?? "");
  const index = rest.findIndex((each, own) => !isA(each, "value") && !isName(each, own));
  const noun = rest[index];
  const isBy = isA(a, "per") && a.per === undefined && a.isStrict !== true && a.isSplit !== true && a.isOrder !== true;
  if (!isBy || !isA(noun, "find", "accounts") || !hasA(pieces.slice(0, at), "find", "features")) return null;
  const { where = [] } = noun;
  return where.length + index > 0
    ? swap(index + 2, ...rest.slice(0, index).filter((each) => isA(each, "value")), ...where.map(filter))
    : null;
};

/** "Accounts using forecasts with more than 10 active users": counts all their users, not just those of forecasts. */
export const accountsUsing: RewriteRule = ([a, b, c], { pieces, at, words }) => {
  const event = isA(b, "use", "uses") ? c : b;
  if (!isA(a, "find", "accounts") || !isEvent(event) || event.all === true) return null;
  const isClause = between(words, a, event).every((word) =>
    /^(?:that|who|which|using|use|uses|used|have|has)$/.test(word),
  );
  const earlier = pieces.slice(0, at);
  // "Users of accounts that use forecasts".
  const isOfOthers =
    hasA(earlier, "find", "users", "features") ||
    earlier.some((piece) => isA(piece, "value") && /^(?:event$|user\.)/.test(piece.dimension));
  // "Used exports on more than 10 days" counts days with exports.
  const isCounted = pieces.some((piece) => {
    if (isA(piece, "order")) return piece.by === "events";
    // "Exported at least 5 times", "exported twice", "with counts" count the exports.
    const said = words.slice(piece.from, piece.to).map(({ folded }) => folded);
    if (isA(piece, "filter", "events") && said.some((word) => /^(?:times|once|twice)$/.test(word))) return false;
    if (isA(piece, "measure", "events") && /^with.* counts?$/.test(said.join(" "))) return false;
    return (
      piece.from !== event.from &&
      (isA(piece, "measure", ...COUNTED_OF_ACCOUNTS) || isA(piece, "filter", ...COUNTED_OF_ACCOUNTS))
    );
  });
  if (!isClause || event.from === a.from) return null;
  if (isOfOthers) return swap(event === b ? 2 : 3, UNSUPPORTED);
  if (!isCounted) return null;
  const [is, ...others] = event.values;
  const window = pieces.find((piece) => isA(piece, "window"))?.window ?? DEFAULT_WINDOW;
  return is === undefined || others.length > 0
    ? swap(1, UNSUPPORTED)
    : swap(event === b ? 2 : 3, a, filter({ dimension: "event", is, window }));
};

/** Returns what can be said of a champion: "still active", "lost", "left". */
const isChampionState = (piece: Piece | undefined): boolean =>
  isA(piece, "use", "arose", "stopped") ||
  (isA(piece, "filter") &&
    (typeof piece.filter.is === "boolean" || (piece.filter.is ?? piece.filter.became) === "churned"));

/** "No champion", "is the champion of Lumen still active": about the notice that a champion became quiet. */
export const champion: RewriteRule = ([a, b, c], { words }) => {
  const quiet = filter({ dimension: "item_kind", is: "key_user_quiet" });
  if (isA(a, "filter", "champion")) return a.filter.isUnknown === true ? swap(1, quiet) : null;
  const [who, state] = isChampion(b) ? [b, a] : [a, isEntityName(b) ? c : b];
  if (who === undefined || state === undefined || !isChampion(who) || !isChampionState(state)) return null;
  if (between(words, a === who ? who : state, a === who ? state : who).includes("and")) return null;
  const said = isActive(state) ? filter({ dimension: "item_kind", isNot: "key_user_quiet" }) : quiet;
  return isA(b, "value") && state === c ? swap(3, said, b) : swap(2, said);
};

const isChampion = (piece: Piece | undefined): boolean => isA(piece, "dimension", "champion");
