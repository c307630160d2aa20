/** The state that the parts of a run share. */
import type { InboxItem } from "../../core/inbox/model.ts";
import { itemKey } from "../../core/outcome/replay.ts";
import type { Session } from "../../db/recompute/session.ts";
import type { RunFigures, StepSizes } from "./model.ts";

export interface Run {
  session: Session;
  /** The moment that scores refer to, and its UTC day, which is not complete. */
  now: number;
  today: number;
  /** Messages received before this are past their retention. */
  cutoff: number;
  /** Whether the budget is used up. Checked between steps. */
  isOver: () => boolean;
  sizes: StepSizes;
  figures: Omit<RunFigures, "rowsRead" | "rowsWritten">;
}

/** Counts the items that a change opens and resolves. */
export function countItems(run: Run, stored: readonly InboxItem[], changed: readonly InboxItem[]): void {
  const before = new Map(stored.map((item) => [itemKey(item), item]));
  for (const item of changed) {
    const old = before.get(itemKey(item));
    const wasThere = old !== undefined && old.resolution !== "withdrawn";
    if (!wasThere) run.figures.itemsOpened += 1;
    if (item.resolvedDay !== null && (!wasThere || old.resolvedDay === null)) run.figures.itemsResolved += 1;
  }
}
