/**
 * Leaves rows as a change leaves them that has stopped between two of its steps, or as damage or an old restore does.
 * No request makes these states on purpose.
 */
import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";

import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import {
  agreements,
  archiveErasures,
  folds,
  messages,
  userErasures,
  users,
  workspaces,
  workspaceStates,
} from "../../../src/db/schema/schema.ts";

const directory = drizzle(env.DB);

/** Changes the directory's entry and nothing else: as erasures begin, and as restores bring old entries back. */
export async function setEntry({ id }: { id: string }, fields: Partial<typeof workspaces.$inferInsert>): Promise<void> {
  await directory.update(workspaces).set(fields).where(eq(workspaces.id, id));
}

/** Adds an entry of the directory under a number that is in use. */
export async function addEntry(fields: Partial<typeof workspaces.$inferInsert> & WorkspaceRef): Promise<void> {
  await directory.insert(workspaces).values({ name: "Another", writeLimit: 1_000, createdAt: 1, ...fields });
}

/** Removes the directory's entry, as a restore does. */
export async function removeEntry({ id }: { id: string }): Promise<void> {
  await directory.delete(workspaces).where(eq(workspaces.id, id));
}

type State = typeof workspaceStates.$inferSelect.state;

/** Sets the state in the workspace's database and nothing else, as moves and erasures do between two steps. */
export async function setState({ number }: WorkspaceRef, state: State, database = env.DB): Promise<void> {
  await drizzle(database).update(workspaceStates).set({ state }).where(eq(workspaceStates.number, number));
}

/** Closes every workspace in the directory's database, so that runs leave them out. */
export async function closeAllWorkspaces(): Promise<void> {
  await directory.update(workspaceStates).set({ state: "erased" });
}

/** Makes another database the workspace's too, as a move does before the directory knows it. */
export async function addState({ id, number }: WorkspaceRef, database = env.DB): Promise<void> {
  await drizzle(database).insert(workspaceStates).values({ id, number, state: "live" });
}

/** Puts the agreement out of force, before the withdrawal erases the traits. */
export async function interruptWithdrawal({ number }: WorkspaceRef): Promise<void> {
  const agreement = sql`-${workspaceStates.agreement}`;
  await directory.update(workspaceStates).set({ agreement }).where(eq(workspaceStates.number, number));
}

/** Adds an acceptance and a newer one that replaced it, which the workspace's database doesn't know yet. */
export async function replaceAcceptance({ id, number: workspace }: WorkspaceRef): Promise<void> {
  const acceptance = { workspace, acceptedBy: "Ann" };
  await directory.insert(agreements).values([
    { ...acceptance, version: "1", acceptedAt: 1, withdrawnAt: 2 },
    { ...acceptance, version: "2", acceptedAt: 3 },
  ]);
  await setEntry({ id }, { agreementChanged: true });
}

/** Interrupts the erasure of a user in the database and in the archive's files. */
export async function interruptErasures({ number: workspace }: WorkspaceRef): Promise<void> {
  const first = workspace * 2 ** 32;
  await directory.insert(archiveErasures).values({ user: first + 1 });
  await directory.insert(userErasures).values({ workspace, user: 1, nextSeq: first, lastSeq: 0 });
}

/** Numbers a workspace's messages as if others had been archived or erased before them. */
export async function skipMessages({ number }: WorkspaceRef, skipped: number): Promise<void> {
  const seq = sql`${messages.seq} + ${skipped}`;
  await directory.update(messages).set({ seq }).where(eq(messages.workspace, number));
}

/** Adds an identify with this place in the log, so that the next message follows it. */
export async function addMessageAt({ number: workspace }: WorkspaceRef, place: number): Promise<void> {
  const seq = workspace * 2 ** 32 + place;
  const common = { workspace, source: "cdp", ingestId: 1, type: "identify", occurredAt: 1, receivedAt: 1 } as const;
  await directory.insert(messages).values({ ...common, seq, messageId: "filler" });
}

/** Damages a copy: its users have another id. */
export async function damageUsers(externalId: string, database: D1Database): Promise<void> {
  await drizzle(database).update(users).set({ externalId: "other" }).where(eq(users.externalId, externalId));
}

/** Leaves a fold that has read this many messages and computed nothing from them. */
export async function setWatermark({ number: workspace }: WorkspaceRef, read: number): Promise<void> {
  await directory.insert(folds).values({ workspace, watermark: workspace * 2 ** 32 + read });
}
