/** Selects the events that the recompute has not folded yet, so that a page shows an event as soon as it is stored. */
import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import { ownRange, type WorkspaceRef } from "../client/database.ts";
import { dayOf } from "../client/sql-fragments.ts";
import { folds, messages } from "../schema/schema.ts";

/** A page reads at most this many messages. More wait only while a large import is folded. */
const MAX_MESSAGES = 20_000;

const f = alias(folds, "f");
const m = alias(messages, "m");

/** Selects the unfolded events of a workspace: `account`, `user` (0 for none), `event`, `day` and `at`. */
export function unfoldedEvents(workspace: WorkspaceRef): SQL {
  const { first, last } = ownRange(workspace);
  const folded = sql`coalesce((SELECT ${f.watermark} FROM ${folds} f WHERE ${f.workspace} = ${workspace.number}), ${first - 1})`;
  return sql`SELECT ${m.account}, coalesce(${m.user}, 0) AS user, ${m.event}, ${sql.raw(dayOf(`m.${m.occurredAt.name}`))} AS day,
    ${m.occurredAt} AS at FROM ${messages} m
    WHERE ${m.seq} > ${folded} AND ${m.seq} <= min(${folded} + ${MAX_MESSAGES}, ${last}) AND ${m.type} = 'track'`;
}
