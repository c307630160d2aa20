/** Lists the newest events of an account or a user. */
import { and, between, desc, eq, type SQL, sql } from "drizzle-orm";

import { userColumn } from "../accounts/subjects.ts";
import { type Database, ownRange, type WorkspaceRef } from "../client/database.ts";
import { newestSeq } from "../client/sql-fragments.ts";
import { messages, users } from "../schema/schema.ts";

/** The log has no index by account, so only the workspace's newest messages are read. */
export const MAX_EVENTS_SCANNED = 5_000;
const MAX_EVENTS = 20;

/** @param of the number of the account or the user, in SQL */
export function newestEventsQuery(db: Database, workspace: WorkspaceRef, of: { account: SQL } | { user: SQL }) {
  const { first, last } = ownRange(workspace);
  const bottom = sql`max(${first}, ${sql.raw(newestSeq(String(workspace.number)))} - ${MAX_EVENTS_SCANNED - 1})`;
  return db
    .select({ seq: messages.seq, event: messages.event, occurredAt: messages.occurredAt, user: userColumn })
    .from(messages)
    .leftJoin(users, eq(users.number, messages.user))
    .where(
      and(
        between(messages.seq, bottom, sql`${last}`),
        eq(messages.type, "track"),
        "account" in of ? sql`${messages.account} = ${of.account}` : sql`${messages.user} = ${of.user}`,
      ),
    )
    .orderBy(desc(messages.seq))
    .limit(MAX_EVENTS);
}
