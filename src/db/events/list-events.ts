import { and, between, eq, max, min } from "drizzle-orm";

import type { JsonObject } from "../../core/json.ts";
import { databaseOf, ownRange, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { folds, messages } from "../schema/schema.ts";
import { type Arrival, arrivalsQuery, toArrival } from "./newest-arrivals.ts";

interface StoredEvent extends Omit<Arrival, "type" | "event" | "mapping"> {
  name: string;
  properties: JsonObject;
}

/** The most messages that a page reads: it skips messages that are not events. */
const MAX_SCANNED = 5_000;

/**
 * Lists behavior events that arrived before `before`, newest first.
 * @returns at most `limit` events, and the position of the next page: `null` at the end of the log. `archivedUntil` is the
 * latest time of receipt of messages that have left the log, in milliseconds since the epoch: `null` if none have
 */
export async function listEvents(
  env: Env,
  workspace: WorkspaceRef,
  limit: number,
  before: number | null,
): Promise<{ events: StoredEvent[]; next: number | null; archivedUntil: number | null }> {
  const db = databaseOf(env, workspace);
  const { first, last } = ownRange(workspace);
  const isOwn = between(messages.seq, first, last);
  // Pages count back from the newest message, so new arrivals don't shift them. Positions come from clients: one past the
  // own log must not read the next workspace's.
  const [newest] =
    before === null
      ? await withRetry(() =>
          db
            .select({ seq: max(messages.seq) })
            .from(messages)
            .where(isOwn),
        )
      : [];
  const top = before === null ? (newest?.seq ?? 0) : Math.min(before - 1, last);
  const bottom = Math.max(first, top - MAX_SCANNED + 1);
  const isEvent = and(between(messages.seq, bottom, top), eq(messages.type, "track"));
  const [rows, [log], [fold]] = await withRetry(() =>
    db.batch([
      arrivalsQuery(db, isEvent, limit + 1),
      db
        .select({ oldest: min(messages.seq) })
        .from(messages)
        .where(isOwn),
      db.select({ archivedUntil: folds.archivedUntil }).from(folds).where(eq(folds.workspace, workspace.number)),
    ]),
  );
  const events = rows.slice(0, limit).map(toEvent);
  const archivedUntil = fold?.archivedUntil ?? null;
  if (rows.length > limit) return { events, next: events.at(-1)?.seq ?? null, archivedUntil };
  return { events, next: bottom > (log?.oldest ?? last) ? bottom : null, archivedUntil };
}

function toEvent(row: Parameters<typeof toArrival>[0]): StoredEvent {
  const { type: _type, event, mapping: _mapping, properties, ...arrival } = toArrival(row);
  return { ...arrival, name: event ?? "", properties: properties ?? {} };
}
