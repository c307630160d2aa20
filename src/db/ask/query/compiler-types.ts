/** The types that all parts of the compiler share. */
import type { Dimension } from "../../../core/ask/query/dimensions.ts";
import type { Filter, Query } from "../../../core/ask/query/model.ts";
import type { ResultRow } from "../../../core/ask/query/result.ts";
import type { NamedSubject } from "../../../core/ask/query/subjects.ts";
import { windowDays } from "../../../core/ask/query/windows.ts";
import type { Day, Window } from "../../../core/health/model.ts";
import type { Rates } from "../../../core/rates.ts";
import type { SharedStatement } from "./shared-statement.ts";
import type { Values } from "./values.ts";

/** The results of the lookups before compilation. */
export interface Lookups {
  dimensions: readonly Dimension[];
  today: Day;
  /** Milliseconds since the epoch. */
  now: number;
  /** Events of earlier days don't count, folded or not: their rollups are deleted once a day. */
  historyFrom?: Day;
  /** Finds an account or a user that the query names. */
  find(subject: NamedSubject): { number: number } | undefined;
  /** Without rates, each currency has its own ranking. */
  rates?: Rates | undefined;
}

export interface SharedByParts {
  statement: SharedStatement;
  values: Values;
  /** By owner and filters. */
  subjects: Map<string, Subject>;
}

export interface Compiling extends Omit<Lookups, "dimensions">, SharedByParts {
  query: Query;
  dimensions: ReadonlyMap<string, Dimension>;
  /** The days that are counted. */
  window: Window;
  /** The day whose final values are shown; `null` for current values. */
  asOf: Day | null;
}

/** The columns that a selection of uses needs. Fewer columns cost less. */
export interface Grain {
  /** The number of each user, or 0 without a user. Without it, `user` is NULL. */
  user: boolean;
  /** Each event by its key. Without it, `event` is NULL. */
  event: boolean;
  /** Whether `count` is needed. Distinct users can be counted without it, from summaries. */
  count: boolean;
}

/** Which events count; `null` counts all. */
export type EventCondition = {
  /** Builds the condition that an event counts, from the SQL of its key. */
  holds: (key: string) => string;
  /** False if it leaves out only some events, so that most remain to be sorted. */
  leavesFew: boolean;
} | null;

/** An aggregate of uses. */
export interface Count {
  sql: string;
  /** The condition of the uses that count. */
  where?: string;
  grain: Grain;
}

/** Aggregates of the same uses, which are read once. */
export interface Counts {
  grain: Grain;
  /** `events` is `only` for the column `event`; empty for all events. */
  aggregates: (Omit<Count, "grain"> & { events: string; only: EventCondition })[];
}

/** The data about the same subjects that several parts of a query share. */
export interface Subject {
  name: string;
  /** SQL of further columns, with their names. */
  columns: Map<string, string>;
  /** The cost of reading these columns, for each subject. */
  units: number;
  counts: Map<string, Counts>;
}

/** The result of a part of a query. */
export interface PartResult {
  rows: ResultRow[];
  total: number;
  population?: number;
}

export function namedDimension({ dimensions }: Pick<Compiling, "dimensions">, name: string): Dimension {
  const found = dimensions.get(name);
  if (found === undefined) throw new Error(`There is no dimension called ${name}.`);
  return found;
}

/** Returns the window of a filter, else that of the query. */
export const windowOf = (filter: Filter, { window, today }: Compiling): Window =>
  filter.window === undefined ? window : windowDays(filter.window, today);
