/** Lists the owners in use, for forms to offer. */
import { asc, between } from "drizzle-orm";

import { type Database, ownRange, type WorkspaceRef } from "../client/database.ts";
import { readQueries } from "../client/read.ts";
import { accountOwners } from "../schema/schema.ts";

const MAX_LISTED = 100;
/** Owners have no index, so they are sought among so many accounts. */
const MAX_OWNED = 10_000;

/** @param isWanted `false` reads no row */
export function ownersQuery(db: Database, workspace: WorkspaceRef, isWanted = true) {
  const { first, last } = ownRange(workspace);
  const owned = db
    .select({ owner: accountOwners.owner })
    .from(accountOwners)
    .where(between(accountOwners.account, first, last))
    .limit(MAX_OWNED)
    .as("owned");
  return db
    .selectDistinct({ owner: owned.owner })
    .from(owned)
    .orderBy(asc(owned.owner))
    .limit(isWanted ? MAX_LISTED : 0);
}

export async function listOwners(env: Env, workspace: WorkspaceRef): Promise<string[]> {
  const [listed] = await readQueries(env, workspace, (db) => [ownersQuery(db, workspace)]);
  return listed.map(({ owner }) => owner);
}
