import { and, asc, desc, eq, isNotNull, sql } from "drizzle-orm";

import type { Json } from "../../core/json.ts";
import { type AccountSummary, subjectColumns, withSubjects } from "../accounts/subjects.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { shownId } from "./erased-ids.ts";
import { withRetry } from "../client/faults.ts";
import { type Identity, identityColumn, toIdentity } from "../identity/read-identity.ts";
import type { EntityRef } from "../ingest/entity-ref.ts";
import { accounts, memberships, traits, users } from "../schema/schema.ts";

export interface UserDetails extends EntityRef {
  /** `null` when nothing is attached or the reader may not see it. */
  identity: Identity | null;
  /** The account of messages that name none. `via` says how the user got it. */
  account: (AccountSummary & { via: "group" | "implied" | "solo" }) | null;
  memberships: { account: AccountSummary; groupedAt: number }[];
  traits: Record<string, Json>;
  createdAt: number;
}

const MAX_MEMBERSHIPS = 200;

/** The form of internal ids. A sender's id of this form must not hide the user with that internal id. */
const INTERNAL_ID = /^usr_[0-9a-f]{24}$/;

export async function findUser(
  env: Env,
  workspace: WorkspaceRef,
  id: string,
  withIdentity: boolean,
): Promise<UserDetails | null> {
  const db = databaseOf(env, workspace);
  const numberBy = (column: typeof users.id | typeof users.externalId) =>
    db
      .select({ number: users.number })
      .from(users)
      .where(and(eq(users.workspace, workspace.number), eq(column, id)));
  const byExternalId = sql`${numberBy(users.externalId)}`;
  const byId = sql`${numberBy(users.id)}`;
  const number = INTERNAL_ID.test(id) ? sql`coalesce(${byId}, ${byExternalId})` : byExternalId;
  const account = { id: accounts.id, externalId: accounts.externalId, kind: accounts.kind };
  const [[row], grouped, kept] = await withRetry(() =>
    db.batch([
      db
        .select({
          ...subjectColumns,
          via: users.accountVia,
          createdAt: users.createdAt,
          identity: identityColumn(workspace, "user", users.number, withIdentity),
        })
        .from(users)
        .leftJoin(accounts, eq(accounts.number, users.account))
        .where(sql`${users.number} = ${number}`),
      db
        .select({ account, groupedAt: memberships.groupedAt })
        .from(memberships)
        .innerJoin(accounts, eq(accounts.number, memberships.account))
        .where(sql`${memberships.user} = ${number}`)
        .orderBy(desc(memberships.groupedAt), desc(memberships.groupedSeq))
        .limit(MAX_MEMBERSHIPS),
      db
        .select({ key: traits.key, value: traits.value })
        .from(traits)
        .where(and(eq(traits.subjectKind, "user"), sql`${traits.subject} = ${number}`, isNotNull(traits.value)))
        .orderBy(asc(traits.key)),
    ]),
  );
  if (row === undefined) return null;
  const { user, account: own, via, identity, createdAt } = withSubjects(row);
  if (user === null) return null;
  return {
    ...user,
    identity: toIdentity(identity),
    account: own && via ? { ...own, via } : null,
    memberships: grouped.map(({ account: { externalId, ...rest }, groupedAt }) => ({
      account: { ...rest, externalId: shownId(externalId) },
      groupedAt,
    })),
    // Not by assignment: a trait may be called __proto__.
    traits: Object.fromEntries(kept.map(({ key, value }) => [key, JSON.parse(value ?? "null")])),
    createdAt,
  };
}
