/** What the parts of a run share. */
import type { InboxItem } from "../../core/inbox/model.ts";
import { itemKey } from "../../core/outcome/replay.ts";
import type { Session } from "../../db/recompute/session.ts";
import type { RunFigures, StepSizes } from "./model.ts";

export interface Run {
  session: Session;
  /** The moment it judges as of, and the UTC day of it, which is not complete. */
  now: number;
  today: number;
  /** Messages received before are past their retention. */
  cutoff: number;
  /** Whether its time is up: asked between steps, each of which is a transaction. */
  isOver: () => boolean;
  sizes: StepSizes;
  figures: Omit<RunFigures, "rowsRead" | "rowsWritten">;
}

/** Counts what a change of stored items opens and resolves. */
export function countItems(run: Run, stored: readonly InboxItem[], changed: readonly InboxItem[]): void {
  const before = new Map(stored.map((item) => [itemKey(item), item]));
  for (const item of changed) {
    const old = before.get(itemKey(item));
    const wasThere = old !== undefined && old.resolution !== "withdrawn";
    if (!wasThere) run.figures.itemsOpened += 1;
    if (item.resolvedDay !== null && (!wasThere || old.resolvedDay === null)) run.figures.itemsResolved += 1;
  }
}
