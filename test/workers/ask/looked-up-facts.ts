/** Facts about everything that a workspace was told of, in the plain form that `counted-by-hand.ts` counts. */
import { env } from "cloudflare:workers";

import type { AccountUse, AskWindow, Entity, Facts, Plan, UserUse } from "../../../src/core/ask/model.ts";
import { readFacts } from "../../../src/db/ask/facts.ts";
import type { Days } from "./counted-by-hand.ts";
import { DAY_MS, NOW, type ToldWorkspace } from "./told-workspace.ts";

/** The accounts or users of the workspace; an account of one is called after its user. */
async function entitiesOf({ workspace }: ToldWorkspace, table: "accounts" | "users"): Promise<Map<string, Entity>> {
  const { results } = await env.DB.prepare(`SELECT * FROM ${table} WHERE workspace = ?`)
    .bind(workspace.number)
    .all<{ number: number; id: string; external_id: string; kind?: string }>();
  return new Map(
    results.map(({ number, id, external_id: externalId, kind }) => [
      kind === "solo" ? `${externalId} alone` : externalId,
      { type: table === "users" ? "user" : "account", number, id, externalId, name: null },
    ]),
  );
}

/** Number 0, as of an event that was not folded when the question was understood. */
const featureOf = (name: string): Entity => ({ type: "feature", number: 0, id: name, externalId: name, name: null });

async function factsOf<Subject extends Plan["subject"]>(
  { workspace }: ToldWorkspace,
  plan: Extract<Plan, { subject: Subject }>,
): Promise<Extract<Facts, { subject: Subject }>> {
  const { facts } = await readFacts(env, workspace, plan, NOW);
  const isAsked = (one: Facts): one is Extract<Facts, { subject: Subject }> => one.subject === plan.subject;
  if (!isAsked(facts)) throw new Error("facts of another subject");
  return facts;
}

const tallied = (list: readonly { feature: Entity; events: number }[]) =>
  Object.fromEntries(list.map(({ feature, events }) => [feature.id, events]));

const plainUserUse = ({ features, ...use }: UserUse) => ({ ...use, features: tallied(features) });

const plainAccountUse = ({ users, ...use }: AccountUse) => ({
  ...plainUserUse(use),
  users: Object.fromEntries(users.map(({ user, days, lastDay }) => [user.externalId, { days, lastDay }])),
});

/** @param only the event name that the narrowed uses are of */
export async function lookUpEverything(
  there: ToldWorkspace,
  asked: Days,
  earlier: Days,
  only: string,
  events: readonly string[],
) {
  const [window, before] = [asked, earlier].map((days): AskWindow => ({ ...days, phrase: "then" }));
  if (window === undefined || before === undefined) throw new Error("two windows are asked for");
  const accounts = await entitiesOf(there, "accounts");
  const keyOf = new Map([...accounts].map(([key, { id }]) => [id, key]));
  const ofAccounts: Record<string, unknown> = {};
  for (const [key, account] of accounts) {
    const plan = { subject: "account", account, measure: "trend", window, before } as const;
    const { uses, firstSeenAt, lastEventAt } = await factsOf(there, plan);
    const narrowed = await factsOf(there, { ...plan, feature: featureOf(only) });
    ofAccounts[key] = {
      uses: uses.map(plainAccountUse),
      narrowed: narrowed.uses.map(plainAccountUse),
      first: dayOf(firstSeenAt),
      last: dayOf(lastEventAt),
    };
  }
  const ofUsers: Record<string, unknown> = {};
  for (const [key, user] of await entitiesOf(there, "users")) {
    const plan = { subject: "user", user, window } as const;
    const { uses, firstDay, lastEventAt } = await factsOf(there, { ...plan, measure: "trend", before });
    const narrowed = await factsOf(there, { ...plan, measure: "event_count", feature: featureOf(only) });
    ofUsers[key] = {
      uses: uses.map(plainUserUse),
      narrowed: narrowed.uses.map(plainUserUse),
      first: firstDay,
      last: dayOf(lastEventAt),
    };
  }
  const ofFeatures: Record<string, unknown> = {};
  for (const name of events) {
    const plan = { subject: "feature", feature: featureOf(name), window } as const;
    const stopped = await factsOf(there, { ...plan, measure: "stopped", before });
    const { uses } = await factsOf(there, { ...plan, measure: "users" });
    ofFeatures[name] = {
      uses: stopped.uses.map((use) => ({
        events: use.events,
        accounts: Object.fromEntries(use.accounts.map((one) => [keyOf.get(one.account.id), one.events])),
      })),
      users: Object.fromEntries((uses[0]?.users ?? []).map((one) => [one.user.externalId, one.events])),
    };
  }
  const ofAll = { subject: "portfolio", window } as const;
  const grown = await factsOf(there, { ...ofAll, measure: "top", by: "growth", limit: 5, before });
  const { activeUsers } = await factsOf(there, { ...ofAll, measure: "active_users" });
  const { features } = await factsOf(there, { ...ofAll, measure: "top_features", limit: 5 });
  const { activeAccounts } = await factsOf(there, {
    subject: "feature",
    feature: featureOf(only),
    measure: "adoption",
    window,
  });
  return {
    ofAccounts,
    ofUsers,
    ofFeatures,
    portfolio: Object.fromEntries(
      grown.accounts.map(({ account, lastEventAt, firstSeenAt, ...sums }) => [
        keyOf.get(account.id),
        { events: sums.events, userDays: sums.userDays, first: dayOf(firstSeenAt), last: dayOf(lastEventAt) },
      ]),
    ),
    features: Object.fromEntries(features.map((one) => [one.feature.id, [one.events, one.accounts]])),
    activeUsers,
    activeAccounts,
  };
}

const dayOf = (at: number | null): number | null => (at === null ? null : Math.floor(at / DAY_MS));
