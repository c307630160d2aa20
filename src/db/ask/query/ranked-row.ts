/** The row that all parts of a query have. Each part selects the columns that it needs; the others are NULL. */
import type { Cell } from "../../../core/ask/query/result.ts";
import type { Day } from "../../../core/health/model.ts";
import type { ItemKind, ItemStatus, Severity } from "../../../core/inbox/model.ts";
import type { Expression } from "../../client/expression.ts";
import type { EntityRow } from "./entity-columns.ts";

export interface RankedRow extends EntityRow {
  /** The index of the part. */
  part: number;
  id: Cell;
  name: Cell;
  value: Cell;
  currency: string | null;
  before: number | null;
  /** The further columns. */
  [further: `w${number}`]: Cell;
  health: string | null;
  itemId: string;
  kind: ItemKind;
  severity: Severity;
  status: ItemStatus;
  opened: Day;
  eventName: string | null;
  /** The number of rows without a limit. */
  total: number;
}

export type RankedColumn = keyof RankedRow;

/** Names columns of the parts, for `prepareQuery`. */
export function rankedColumns(names: readonly RankedColumn[]): {
  readonly [Name in RankedColumn]: Expression<RankedRow[Name]>;
};
export function rankedColumns(names: readonly RankedColumn[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, name]));
}
