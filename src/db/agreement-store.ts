/** The record of the data processing agreement: who accepted which version, when, and when it was withdrawn. */
import { and, eq, isNull } from "drizzle-orm";

import { databaseOf, type WorkspaceRef } from "./database.ts";
import { once, withRepeat } from "./faults.ts";
import { agreements } from "./schema.ts";

export interface Agreement {
  version: string;
  acceptedBy: string;
  acceptedAt: number;
}

/** An acceptance that stood before is closed at the moment of the new one. */
export async function acceptAgreement(env: Env, workspace: WorkspaceRef, agreement: Agreement): Promise<void> {
  const db = databaseOf(env, workspace);
  await once(() =>
    db.batch([
      db.update(agreements).set({ withdrawnAt: agreement.acceptedAt }).where(standing(workspace)),
      db.insert(agreements).values({ ...agreement, workspace: workspace.number }),
    ]),
  );
}

/** Withdrawing twice is withdrawing once. */
export async function withdrawAgreement(env: Env, workspace: WorkspaceRef, now: number): Promise<void> {
  await withRepeat(() =>
    databaseOf(env, workspace).update(agreements).set({ withdrawnAt: now }).where(standing(workspace)),
  );
}

const standing = (workspace: WorkspaceRef) =>
  and(eq(agreements.workspace, workspace.number), isNull(agreements.withdrawnAt));
