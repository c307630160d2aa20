import { and, asc, desc, eq, isNotNull, sql } from "drizzle-orm";

import type { Json } from "../../core/json.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { shownId } from "./erased-ids.ts";
import { withRetry } from "../client/faults.ts";
import { type Identity, identityColumn, toIdentity } from "../identity/read-identity.ts";
import { accounts, memberships, traits, users } from "../schema/schema.ts";

export interface AccountSummary {
  id: string;
  /** `null`: the account of one of a user who was erased. */
  externalId: string | null;
  kind: "company" | "solo";
}

export interface UserDetails {
  id: string;
  /** `null`: erased. */
  externalId: string | null;
  /** `null` where nothing is attached, or nothing was asked for. */
  identity: Identity | null;
  /** Where messages that name no account go; `via` tells how the user came by it. */
  account: (AccountSummary & { via: "group" | "implied" | "solo" }) | null;
  memberships: { account: AccountSummary; groupedAt: number }[];
  traits: Record<string, Json>;
  createdAt: number;
}

/** The most of a user's memberships that an answer carries. */
const MAX_MEMBERSHIPS = 200;

/** The ids that are made here. Something of this form that a sender chose must not hide the user who has it. */
const INTERNAL_ID = /^usr_[0-9a-f]{24}$/;

/** Finds a user by the internal id where it has the form of one, else by the external id. */
export async function findUser(
  env: Env,
  workspace: WorkspaceRef,
  id: string,
  withIdentity: boolean,
): Promise<UserDetails | null> {
  const db = databaseOf(env, workspace);
  const byExternalId = sql`(SELECT number FROM users WHERE workspace = ${workspace.number} AND external_id = ${id})`;
  const byId = sql`(SELECT number FROM users WHERE workspace = ${workspace.number} AND id = ${id})`;
  const number = INTERNAL_ID.test(id) ? sql`coalesce(${byId}, ${byExternalId})` : byExternalId;
  const account = { id: accounts.id, externalId: accounts.externalId, kind: accounts.kind };
  // The account is a query of its own: in a batch D1 answers by column name, and both tables have an id.
  const [[user], [own], grouped, kept] = await withRetry(() =>
    db.batch([
      db
        .select({
          id: users.id,
          externalId: users.externalId,
          via: users.accountVia,
          createdAt: users.createdAt,
          identity: identityColumn(workspace, "user", users.number, withIdentity),
        })
        .from(users)
        .where(sql`${users.number} = ${number}`),
      db
        .select(account)
        .from(users)
        .innerJoin(accounts, eq(accounts.number, users.account))
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
  if (user === undefined) return null;
  return {
    id: user.id,
    externalId: shownId(user.externalId),
    identity: toIdentity(user.identity),
    account: own && user.via ? { ...own, externalId: shownId(own.externalId), via: user.via } : null,
    memberships: grouped.map(({ account: { externalId, ...rest }, groupedAt }) => ({
      account: { ...rest, externalId: shownId(externalId) },
      groupedAt,
    })),
    // Not by assignment: a trait may be called __proto__.
    traits: Object.fromEntries(kept.map(({ key, value }) => [key, JSON.parse(value ?? "null")])),
    createdAt: user.createdAt,
  };
}
