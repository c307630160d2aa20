/** The entities that a query finds, and what each of them has of a measure. */
import { meetsOfFeature } from "./activity.ts";
import type { Days } from "./days.ts";
import { changeDay, meets } from "./filters.ts";
import { distinct } from "./fold.ts";
import type { All } from "./rows.ts";
import { isSuperseded, pastValue, type Row, type Value, valueOf } from "./values.ts";

export const HISTORIC: ReadonlySet<string> = new Set(["stage", "plan", "seats", "mrr", "arr", "health", "score"]);

/** Whether past values are shown: those at the end of the window. */
export const isPast = ({ query, window, today }: All, before: Days | null): boolean =>
  before !== null || (query.window !== undefined && window.to < today);

/** The accounts, users or features that there are, with their filters not yet applied. */
export function population(asked: All): Row[] {
  const { accounts, users, events, query } = asked;
  if (query.find === "users") return users.map((user) => ({ user, account: user.account }));
  if (query.find === "features")
    return distinct(events.map(({ name }) => name)).map((feature) => ({ feature, account: null }));
  return accounts.filter((account) => !isSuperseded(account, asked)).map((account) => ({ account }));
}

export const matching = (asked: All): Row[] =>
  asked.query.find === "features"
    ? population(asked).filter((row) => asked.query.where.every((filter) => meetsOfFeature(asked, row, filter)))
    : population(asked).filter((row) => asked.query.where.every((filter) => meets(asked, row, filter)));

/** The measure of a row in a window; past values at its end. */
export function measureOf(asked: All, row: Row, window: Days, isPastShown: boolean): Value {
  const { measure, show, where } = asked.query;
  const change = where.find(({ became, changed }) => became !== undefined || changed !== undefined);
  if (measure === undefined) return show === "when" && change !== undefined ? changeDay(asked, row, change) : null;
  if (measure === "account") return row.account?.externalId ?? null;
  const stored = measure === "arr" ? "mrr" : measure;
  const isOfDay = isPastShown && HISTORIC.has(stored);
  const value = isOfDay ? pastValue(asked, row.account, stored, window.to) : valueOf(asked, row, stored, window);
  return measure === "arr" && typeof value === "number" ? 12 * value : value;
}

export type Measure = typeof measureOf;
