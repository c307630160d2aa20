/** What a query comes to, before it is told in English. */
import type { Day, Health, Stage, Window } from "../../health/model.ts";
import type { ItemKind, Severity } from "../../inbox/model.ts";
import type { ItemStatus } from "./dimensions.ts";

/** An account, a user or a feature. */
export interface Entity {
  type: "account" | "user" | "feature";
  /** `acc_…`, `usr_…`; of a feature its event name. */
  id: string;
  externalId: string;
  /** The company's or the person's name, if it is known. */
  name: string | null;
  /** Of an account. */
  stage?: Stage;
}

export type Cell = number | string | boolean | null;

export interface ResultRow {
  /** What the row is about; `null` for an item about the workspace as a whole. Absent for a group or a total. */
  entity?: Entity | null;
  /** The value of `per`: `null` for entities without one. A period is its first day, as in `2026-11-23`. */
  group?: Entity | Cell;
  /** Sums of money are per currency; `null` for accounts without one. */
  currency?: string | null;
  /** The measure. `null` if the entity has no value. */
  value?: Cell;
  /** The measure in the window or of the subject that it is compared with. */
  before?: number | null;
  /** Of a list: the values of the further columns, by their measures and dimensions. */
  with?: Readonly<Record<string, Cell>>;
  /** How many entities the row stands for. */
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
  /** How many entities match, and out of how many: of a share, those that meet `of`. `null` where none are counted. */
  matched: number | null;
  population: number | null;
  /** The days that were counted; `null` if nothing was. */
  window: Window | null;
  before: Window | null;
}
