/** Makes what the recompute has stored wrong, or due again, in ways that no message does. */
import { env } from "cloudflare:workers";
import { and, eq, gt, isNotNull, lte, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import {
  accountDays,
  accountProgress,
  attributeDays,
  folds,
  rollups,
  workspaceDays,
} from "../../../src/db/schema/schema.ts";

const db = drizzle(env.DB);

const isOf = (account: SQLiteColumn, { number }: WorkspaceRef) => sql`${account} >> 32 = ${number}`;

/** Sets every count of the workspace to 99, or those up to a day. */
export async function miscount(workspace: WorkspaceRef, through?: number): Promise<void> {
  const isMeant = through === undefined ? undefined : lte(rollups.day, through);
  await db
    .update(rollups)
    .set({ count: 99 })
    .where(and(isOf(rollups.account, workspace), isMeant));
}

/** Makes the days after this one wrong in every table: other values, missing rows, and rows of nobody. */
export async function damageDays(workspace: WorkspaceRef, day: number): Promise<void> {
  const own = and(isOf(rollups.account, workspace), gt(rollups.day, day));
  const progress = db.select().from(accountProgress).where(eq(accountProgress.workspace, workspace.number));
  const ofNobody = { day: day + 5, user: 4711, event: 4711, count: 1, lastAt: 1 };
  const added = (await progress).map(({ account }) => ({ account, ...ofNobody }));
  await db.batch([
    db
      .update(rollups)
      .set({ count: 99 })
      .where(and(own, gt(rollups.user, 0))),
    db.delete(rollups).where(and(own, eq(rollups.day, day + 4))),
    db
      .update(accountDays)
      .set({ userDays: 7, users: "[1]" })
      .where(and(isOf(accountDays.account, workspace), gt(accountDays.day, day))),
    db
      .update(attributeDays)
      .set({ attributes: {} })
      .where(and(isOf(attributeDays.account, workspace), gt(attributeDays.day, day))),
    db
      .update(workspaceDays)
      .set({ events: 0 })
      .where(and(eq(workspaceDays.workspace, workspace.number), gt(workspaceDays.day, day))),
    db.insert(rollups).values(added),
  ]);
}

/** Makes the histories of attributes unreadable. */
export async function damageTimelines({ number }: WorkspaceRef): Promise<void> {
  const timeline = sql`'broken'`;
  await db.update(accountProgress).set({ timeline }).where(eq(accountProgress.workspace, number));
}

/** Makes accounts due: all of them, or those that will be due some day. */
export async function makeDue(which: "all" | "those with a date"): Promise<void> {
  const isMeant = which === "all" ? undefined : isNotNull(accountProgress.dueAt);
  await db.update(accountProgress).set({ dueAt: 0 }).where(isMeant);
}

/** Lets the outcomes refer to another moment. */
export async function setAsOf({ number }: WorkspaceRef, asOf: number): Promise<void> {
  await db.update(folds).set({ asOf }).where(eq(folds.workspace, number));
}
