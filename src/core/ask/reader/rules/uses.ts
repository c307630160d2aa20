/** Rules for what was used, and for champions, who are known by a notice. */
import type { Placed } from "../fragments/fragments.ts";
import { between, hasA, isA, isActive, isEntityName, isEvent, isTrial } from "../fragments/pieces.ts";
import { filter, put, type Rule } from "./rewrite.ts";
import { asksSince, noLonger, stateOf } from "./states.ts";

/** "used exports", "stopped using dashboards". */
export const used: Rule = ([a, b], { pieces, before, words }) => {
  if (!isA(a, "use")) return null;
  // "When did they start their trial".
  if (a.use === "started" && (isTrial(b) || isTrial(before)))
    return put(isTrial(b) ? 2 : 1, filter({ dimension: "stage", became: "trial" }));
  const state = stateOf(b);
  if (a.use === "stopped" && state !== null) return put(2, ...noLonger(state));
  if (!isEvent(b)) return null;
  // "How many have tried forecasts": accounts or users, but not forecasts.
  if (a.use === "uses" && isA(before, "form", "count") && !hasA(pieces, "find")) return null;
  // "Since when do they use forecasts".
  const isBeginning = a.use === "started" ? hasA(pieces, "form", "when") : a.use === "uses" && asksSince(pieces, words);
  if (isBeginning) return put(2, { type: "dimension", dimension: "first_seen" }, b);
  return a.use === "uses" || a.use === "arose" ? put(2, b) : null;
};

/** What can be said of a champion: "still active", "lost", "left". */
const isFate = (piece: Placed | undefined): boolean =>
  isA(piece, "use", "arose", "stopped") ||
  (isA(piece, "filter") &&
    (typeof piece.filter.is === "boolean" || (piece.filter.is ?? piece.filter.became) === "churned"));

/** "No champion", "is the champion of Lumen still active": about the notice that a champion became quiet. */
export const champion: Rule = ([a, b, c], { words }) => {
  const quiet = filter({ dimension: "item_kind", is: "key_user_quiet" });
  if (isA(a, "filter", "champion")) return a.filter.isUnknown === true ? put(1, quiet) : null;
  const [who, fate] = isChampion(b) ? [b, a] : [a, isEntityName(b) ? c : b];
  if (who === undefined || fate === undefined || !isChampion(who) || !isFate(fate)) return null;
  if (between(words, a === who ? who : fate, a === who ? fate : who).includes("and")) return null;
  const said = isActive(fate) ? filter({ dimension: "item_kind", isNot: "key_user_quiet" }) : quiet;
  return isA(b, "value") && fate === c ? put(3, said, b) : put(2, said);
};

const isChampion = (piece: Placed | undefined): boolean => isA(piece, "dimension", "champion");
