/** The result of a query, before it is written in English. */
import type { Day, Health, Stage, Window } from "../../health/model.ts";
import type { ItemKind, ItemStatus, Severity } from "../../inbox/model.ts";
import type { EntityType } from "./subjects.ts";

/** An account, a user or a feature. */
export interface Entity {
  type: EntityType;
  /** `acc_…`, `usr_…`; for a feature, its event name. */
  id: string;
  externalId: string;
  /** The company's or the person's name, if it is known. */
  name: string | null;
  /** Only for an account. */
  stage?: Stage;
}

export type Cell = number | string | boolean | null;

/** All numbers are finite. */
export interface ResultRow {
  /** What the row is about; `null` for an item about the workspace as a whole. Absent for a group or a total. */
  entity?: Entity | null;
  /** The value of `per`: `null` for entities without one. A period is its first day, as in `2026-11-23`. */
  group?: Entity | Cell;
  /** Sums of money are per currency; `null` for accounts without one. */
  currency?: string | null;
  /** The measure. `null` if the entity has no value. */
  value?: Cell;
  /** The measure in the other window, or of the other subject, of a comparison. */
  before?: number | null;
  /** The day of `before`, if it is the first score: there was none at the other time of a comparison. */
  since?: Day;
  /** The states of the account whose scores are compared, now and then. */
  states?: readonly [now: Cell, then: Cell];
  /** In a list: the values of further columns, by measure or dimension. */
  with?: Readonly<Record<string, Cell>>;
  /** Of a share: how many entities it is. */
  count?: number;
  /** The account of a user. */
  account?: Entity | null;
  item?: {
    id: string;
    kind: ItemKind;
    severity: Severity;
    status: ItemStatus;
    opened: Day;
    /** The user or feature that it is about. */
    about: string | null;
  };
  /** The explanation of a score. */
  health?: Health | null;
}

export interface QueryResult {
  /** At most `limit`, or `MAX_ROWS`. */
  rows: readonly ResultRow[];
  /** How many rows there are without a limit. */
  total: number;
  /** How many entities a count is taken from; for a share, those that meet `of`. `null` if not counted. */
  population: number | null;
  /** The days that were counted; `null` if nothing was. */
  window: Window | null;
  before: Window | null;
}
