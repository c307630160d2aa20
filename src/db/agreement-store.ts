/** The record of the data processing agreement: who accepted which version, when, and when it was withdrawn. */
import { and, eq, isNull, sql } from "drizzle-orm";

import { directory, type WorkspaceRef } from "./database.ts";
import { once, withRepeat } from "./faults.ts";
import { agreements, workspaces } from "./schema.ts";

export interface Agreement {
  version: string;
  acceptedBy: string;
  acceptedAt: number;
}

/** An acceptance that stood before is closed at the moment of the new one. Returns false when the workspace is gone. */
export async function acceptAgreement(env: Env, workspace: WorkspaceRef, agreement: Agreement): Promise<boolean> {
  const db = directory(env);
  const { version, acceptedBy, acceptedAt } = agreement;
  const [, accepted] = await once(() =>
    db.batch([
      db.update(agreements).set({ withdrawnAt: acceptedAt }).where(standing(workspace)),
      db.insert(agreements).select(
        sql`SELECT NULL, number, ${version}, ${acceptedBy}, ${acceptedAt}, NULL
          FROM ${workspaces} WHERE number = ${workspace.number} AND erased_at IS NULL`,
      ),
    ]),
  );
  return accepted.meta.changes > 0;
}

/** Withdrawing twice is withdrawing once. */
export async function withdrawAgreement(env: Env, workspace: WorkspaceRef, now: number): Promise<void> {
  await withRepeat(() => directory(env).update(agreements).set({ withdrawnAt: now }).where(standing(workspace)));
}

const standing = (workspace: WorkspaceRef) =>
  and(eq(agreements.workspace, workspace.number), isNull(agreements.withdrawnAt));
