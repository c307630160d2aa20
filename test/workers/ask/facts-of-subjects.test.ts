/** §15.5: what facts say of things beside what was done: attributes, outcomes, traits, names. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";

import type { Entity, Plan } from "../../../src/core/ask/model.ts";
import { newBatch } from "../../../src/db/client/batch.ts";
import { lookUp } from "../../../src/db/ask/look-up.ts";
import { readFacts } from "../../../src/db/ask/facts.ts";
import { type Outcomes, outcomesOf } from "../support/outcomes.ts";
import { DAY_MS, messageOf, newToldWorkspace, NOW, TODAY, trackOf, type ToldWorkspace } from "./told-workspace.ts";

let there: ToldWorkspace;
let outcomes: Outcomes;
beforeEach(async () => {
  there = await newToldWorkspace();
  outcomes = await outcomesOf(there);
});

const factsOf = async (plan: Plan) => (await readFacts(env, there.workspace, plan, NOW)).facts;
const today = { from: TODAY, to: TODAY, phrase: "today" };
const used = (account: string | null, user: string | null, event = "login", day = TODAY) =>
  trackOf({ account, user, event, day });

async function entity(type: "account" | "user" | "feature", id: string): Promise<Entity> {
  const hints = { account: null, user: null, feature: null, [type]: id };
  const { hints: found } = await lookUp(
    newBatch(env, there.workspace),
    { exact: [], folded: [], spoken: [], fuzzy: [] },
    hints,
  );
  const known = found[type];
  if (known === undefined) throw new Error(`there is no ${type} ${id}`);
  return known;
}
const at = (daysAgo: number) => NOW - daysAgo * DAY_MS;
const account = (id: string) => entity("account", id);

describe("§15.5 an account", () => {
  it("§15.5 has the attributes of now, without those that were cleared", async () => {
    await there.tell([
      messageOf({
        type: "group",
        accountId: "acme",
        attributes: { plan: "Pro", seats: 5, mrr: 10.5, currency: "EUR" },
      }),
      messageOf({ type: "group", accountId: "acme", attributes: { seats: null, stage: "trial" }, occurredAt: NOW + 1 }),
      messageOf({ type: "group", accountId: "globex", attributes: { trialEndsAt: "2026-12-01T00:00:00.000Z" } }),
    ]);
    const plan = {
      subject: "account",
      measure: "compare_accounts",
      metric: "mrr",
      account: await account("acme"),
      other: await account("globex"),
      window: today,
    } as const;
    for (const fold of [async () => undefined, there.fold]) {
      await fold();
      expect(await factsOf(plan)).toMatchObject({
        attributes: [
          { plan: "Pro", mrr: 10.5, currency: "EUR", stage: "trial" },
          { trialEndsAt: "2026-12-01T00:00:00.000Z" },
        ],
      });
    }
  });

  it("§15.5 is known since the first message that named it, and was last seen with its last event", async () => {
    await there.tell([
      used("acme", "u1", "login", TODAY - 3),
      messageOf({ type: "identify", userId: "u1", accountId: "acme", occurredAt: at(9) }),
      messageOf({ type: "group", userId: "u1", accountId: "acme", occurredAt: at(1) }),
    ]);
    for (const fold of [async () => undefined, there.fold]) {
      await fold();
      expect(await factsOf({ subject: "account", measure: "since", account: await account("acme") })).toMatchObject({
        firstSeenAt: at(9),
        lastEventAt: (TODAY - 3) * DAY_MS,
      });
    }
  });

  it("§15.5 has its health, and its items as far as nobody put them aside", async () => {
    const acme = await outcomes.account("acme", { health: { state: "at_risk", score: 31 } });
    const user = await outcomes.user("champion", acme.number);
    const open = await outcomes.item({
      account: acme.number,
      kind: "key_user_quiet",
      subject: String(user.number),
      rank: 9,
    });
    const lower = await outcomes.item({ account: acme.number, kind: "slow_decline", rank: 2 });
    const [dismissed, snoozed, awake, resolved] = await Promise.all(
      ["1", "2", "3", "4"].map((subject) => outcomes.item({ account: acme.number, subject, rank: 1 })),
    );
    await outcomes.item();
    await env.DB.prepare(
      "INSERT INTO inbox_marks (item, dismissed_at, snoozed_until) VALUES (?1, 1, NULL), (?2, NULL, ?4 + 1), (?3, NULL, ?4)",
    )
      .bind(dismissed?.number, snoozed?.number, awake?.number, NOW)
      .run();
    await outcomes.resolve(resolved?.number ?? 0);
    const facts = await factsOf({ subject: "account", measure: "items", account: await account("acme") });
    expect(facts).toMatchObject({
      health: [{ state: "at_risk", score: 31 }],
      items: [
        { id: open.id, account: { externalId: "acme" }, subjectName: "champion", item: { kind: "key_user_quiet" } },
        { id: lower.id, subjectName: null },
        { id: awake?.id },
      ],
    });
    const all = await factsOf({ subject: "portfolio", measure: "items", limit: 5 });
    expect(all).toMatchObject({ items: [{ id: open.id }, { account: null }, { id: lower.id }, { id: awake?.id }] });
  });

  it("§15.5 has its traits as they were sent, and the event names that it doesn't use", async () => {
    await there.tell([
      messageOf({ type: "group", accountId: "acme", traits: { "Sector Name": "rail", gone: 1 } }),
      messageOf({ type: "group", accountId: "acme", traits: { gone: null }, occurredAt: NOW + 1 }),
      used("acme", "u1", "login"),
      used("globex", "u2", "export.done"),
    ]);
    const acme = await account("acme");
    const asked = async () => [
      await factsOf({ subject: "account", measure: "trait", key: "sector name", account: acme }),
      await factsOf({ subject: "account", measure: "features_not_used", window: today, account: acme }),
    ];
    const expected = [
      { traits: [{ key: "Sector Name", value: "rail" }] },
      { knownFeatures: [{ id: "export.done" }, { id: "login" }], uses: [{ features: [{ feature: { id: "login" } }] }] },
    ];
    expect(await asked()).toMatchObject(expected);
    await there.fold();
    expect(await asked()).toMatchObject(expected);
  });

  it("§15.5 with more users on a day than a summary names is counted by its rollups", async () => {
    await there.tell([used("acme", "u1", "login", TODAY - 1), used("acme", "u2", "login", TODAY - 1)]);
    await there.fold();
    const acme = await account("acme");
    await env.DB.prepare("UPDATE account_days SET user_days = 10001, users = '[]' WHERE account = ?")
      .bind(acme.number)
      .run();
    const window = { from: TODAY - 1, to: TODAY, phrase: null };
    const facts = await factsOf({ subject: "account", measure: "active_users", account: acme, window });
    expect(facts).toMatchObject({ uses: [{ users: [{ days: 1 }, { days: 1 }] }] });
    expect(await factsOf({ subject: "portfolio", measure: "active_users", window })).toMatchObject({ activeUsers: 2 });
    const login = await entity("feature", "login");
    expect(
      await factsOf({ subject: "account", measure: "active_users", account: acme, window, feature: login }),
    ).toMatchObject({ uses: [{ events: 2, users: [{ days: 1 }, { days: 1 }] }] });
    expect(await factsOf({ subject: "feature", measure: "users", feature: login, window })).toMatchObject({
      uses: [{ users: [{ events: 1 }, { events: 1 }] }],
    });
  });
});

describe("§15.5 a user", () => {
  it("§15.5 is in the account of now, and has done what was done under those before", async () => {
    await there.tell([used(null, "u1", "login", TODAY - 2)]);
    await there.fold();
    await there.tell([messageOf({ type: "group", userId: "u1", accountId: "acme" }), used(null, "u1")]);
    const user = await entity("user", "u1");
    for (const fold of [async () => undefined, there.fold]) {
      await fold();
      expect(
        await factsOf({ subject: "user", measure: "event_count", user, window: { ...today, from: TODAY - 5 } }),
      ).toMatchObject({
        account: { externalId: "acme", type: "account" },
        uses: [{ events: 2, activeDays: 2 }],
        firstDay: TODAY - 2,
      });
    }
  });

  it("§15.5 who never did anything was never seen", async () => {
    await there.tell([messageOf({ type: "identify", userId: "u1", traits: { role: "admin" } })]);
    const user = await entity("user", "u1");
    for (const fold of [async () => undefined, there.fold]) {
      await fold();
      expect(await factsOf({ subject: "user", measure: "trait", key: "role", user })).toEqual({
        subject: "user",
        uses: [],
        account: null,
        lastEventAt: null,
        firstDay: null,
        traits: [{ key: "role", value: "admin" }],
      });
    }
  });
});

describe("§15.5 the portfolio", () => {
  it("§15.5 leaves out accounts of one that were left, but not what was done under them", async () => {
    await there.tell([
      used(null, "u1", "login"),
      messageOf({ type: "group", userId: "u1", accountId: "acme" }),
      used(null, "u1", "login"),
      used(null, "alone", "login"),
    ]);
    const plans: Plan[] = [
      { subject: "portfolio", measure: "active_accounts", window: today },
      { subject: "portfolio", measure: "event_count", window: today },
      { subject: "feature", measure: "adoption", feature: await entity("feature", "login"), window: today },
    ];
    for (const fold of [async () => undefined, there.fold]) {
      await fold();
      const [active, counted, adopted] = await Promise.all(plans.map(factsOf));
      expect(active).toMatchObject({
        accounts: [
          { account: { externalId: "acme" }, events: [1] },
          { account: { externalId: "alone" }, events: [1] },
        ],
      });
      expect(counted).toMatchObject({ accounts: [], features: [{ feature: { id: "login" }, events: 3, accounts: 2 }] });
      expect(adopted).toMatchObject({ uses: [{ events: 3 }], activeAccounts: 2 });
    }
  });

  it("§15.5 has the health of each account, and the reasons of those at risk", async () => {
    const reason = {
      kind: "loss",
      code: "recency",
      points: 20,
      observed: 9,
      expected: 6,
      window: { from: 1, to: 2 },
    } as const;
    await outcomes.account("bad", { health: { state: "at_risk", score: 20, reasons: [reason] } });
    await outcomes.account("good", { health: { state: "healthy", reasons: [reason] } });
    await outcomes.account("new", { health: null });
    const facts = await factsOf({ subject: "portfolio", measure: "at_risk" });
    expect(facts).toMatchObject({
      accounts: [
        { account: { externalId: "bad" }, health: { state: "at_risk", score: 20, reasons: [reason] } },
        { account: { externalId: "good" }, health: { state: "healthy", reasons: [] } },
        { account: { externalId: "new" }, health: null },
      ],
    });
  });

  it("§15.5 of another workspace is none of it", async () => {
    const other = await newToldWorkspace();
    await other.tell([used("foreign", "u9")]);
    await other.fold();
    await there.tell([used("acme", "u1")]);
    const facts = await factsOf({ subject: "portfolio", measure: "top", by: "activity", limit: 5, window: today });
    expect(facts).toMatchObject({ accounts: [{ account: { externalId: "acme" }, events: [1] }] });
    expect(await factsOf({ subject: "portfolio", measure: "active_users", window: today })).toMatchObject({
      activeUsers: 1,
    });
  });
});

describe("§15.2 names", () => {
  it("§15.2 of companies and people are those that were attached to them", async () => {
    await there.tell([used("acme", "u1")]);
    const { number } = there.workspace;
    const [acme, user] = [await account("acme"), await entity("user", "u1")];
    await env.DB.prepare(
      "INSERT INTO agreements (workspace, version, accepted_by, accepted_at) VALUES (?, '1', 'Ann', 1)",
    )
      .bind(number)
      .run();
    await env.DB.prepare(
      `INSERT INTO names (workspace, key, kind, subject, source, text) VALUES
         (?1, 'acme corporation', 'account', ?2, 'company', 'ACME Corporation'),
         (?1, 'jo example', 'user', ?3, 'name', 'Jo Example')`,
    )
      .bind(number, acme.number, user.number)
      .run();
    const facts = await factsOf({ subject: "account", measure: "active_user_list", account: acme, window: today });
    expect(facts).toMatchObject({ uses: [{ users: [{ user: { externalId: "u1", name: "Jo Example" } }] }] });
    expect((await account("acme")).name).toBe("ACME Corporation");
  });

  it("§15.2 of a person who was erased stand in no list", async () => {
    await there.tell([used("acme", "gone")]);
    await env.DB.prepare("UPDATE users SET external_id = char(1) || id WHERE workspace = ?")
      .bind(there.workspace.number)
      .run();
    const facts = await factsOf({
      subject: "account",
      measure: "active_user_list",
      account: await account("acme"),
      window: today,
    });
    expect(facts).toMatchObject({ uses: [{ users: [{ user: { externalId: "(erased)", name: null } }] }] });
  });
});
