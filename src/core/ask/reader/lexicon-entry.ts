/** How the phrases of the lexicon are written. */
import type { Filter } from "../query/model.ts";
import type { Fragment } from "./fragments.ts";

/** `|` divides phrases of the same meaning, in folded words. Several fragments stand together. */
export type Entry = readonly [phrases: string, ...fragments: Fragment[]];

export const is = (dimension: string, value: string | boolean): Filter => ({ dimension, is: value });
export const filter = (own: Filter): Fragment => ({ type: "filter", filter: own });
export const CUSTOMER: Fragment = { type: "find", find: "accounts", where: [is("stage", "active")] };
export const TRIALS: Fragment = { type: "find", find: "accounts", where: [is("stage", "trial")] };
export const EVENTS: Fragment = { type: "measure", measure: "events" };
