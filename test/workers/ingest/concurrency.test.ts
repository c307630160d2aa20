/** Concurrent requests: docs/wire/messages.md §4.3, docs/wire/batches.md §4.4. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { at, group, type IngestSender, identify, newSender, track } from "./sender.ts";

const PARALLEL = 50;
const ROUNDS = 40;

const inParallel = <T>(count: number, run: (place: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, place) => run(place)));

/** Counts the workspace's rows in these tables. */
async function rowsOf(sender: IngestSender): Promise<Record<string, number>> {
  const { number } = await sender.workspace.ref();
  const counts = await env.DB.batch<{ count: number }>(
    ["accounts", "users", "messages"].map((table) =>
      env.DB.prepare(`SELECT count(*) AS count FROM ${table} WHERE workspace = ?`).bind(number),
    ),
  );
  const [accounts = 0, users = 0, messages = 0] = counts.map(({ results }) => results[0]?.count);
  return { accounts, users, messages };
}

describe("concurrent requests", () => {
  it("§4.4 create the same account, user and messages once", async () => {
    const sender = await newSender();
    const answers = await inParallel(PARALLEL, () =>
      sender.send(
        group("acme", { messageId: "g", traits: { sector: "rail", plan: "pro" } }),
        track({ messageId: "t" }),
        identify({ messageId: "i", traits: { role: "admin" } }),
        track({ messageId: "t" }),
      ),
    );
    expect(answers.filter(({ stored }) => stored === 3)).toHaveLength(1);
    expect(answers.filter(({ stored, deduped }) => stored === 0 && deduped)).toHaveLength(PARALLEL - 1);
    expect(new Set(answers.map(({ account, user }) => `${account?.id} ${user?.id}`)).size).toBe(1);
    expect(await rowsOf(sender)).toEqual({ accounts: 1, users: 1, messages: 3 });
    expect(await sender.accountsOfEvents()).toEqual({ t: "company:acme" });
    expect((await sender.user()).memberships).toHaveLength(1);
  });

  it("§3 store one of 50 captures with the same Idempotency-Key, and return its account and user", async () => {
    const sender = await newSender();
    const answers = await inParallel(PARALLEL, (place) =>
      sender.capture({ accountId: `company ${place}`, userId: `user ${place}` }, "key-1"),
    );
    expect(answers.filter(({ deduped }) => !deduped)).toHaveLength(1);
    expect(new Set(answers.map(({ account, user }) => `${account.id} ${user.id}`)).size).toBe(1);
    expect(await rowsOf(sender)).toEqual({ accounts: 1, users: 1, messages: 1 });
  });

  it("§4.3.5 create one personal account for 50 first tracks of a user", async () => {
    const sender = await newSender();
    const answers = await inParallel(PARALLEL, () => sender.send(track()));
    expect(new Set(answers.map(({ account }) => account?.id)).size).toBe(1);
    expect(await rowsOf(sender)).toEqual({ accounts: 1, users: 1, messages: PARALLEL });
  });

  it(
    "§4.3.3 store each event under the personal or the company account if groups and tracks of two users race",
    {
      timeout: 60_000,
    },
    async () => {
      const sender = await newSender();
      const seen = new Set<string>();
      for (let round = 0; round < ROUNDS; round += 1) {
        const users = [`a${round}`, `b${round}`];
        const requests = users.flatMap((userId) => [
          () => sender.send(group(`company of ${userId}`, { userId })),
          () => sender.send(track({ userId, messageId: `${userId} alone` })),
          () => sender.send(track({ userId, messageId: `${userId} 1` }), track({ userId, messageId: `${userId} 2` })),
        ]);
        const turn = round % requests.length;
        await Promise.all([...requests.slice(turn), ...requests.slice(0, turn)].map((request) => request()));

        const events = await sender.events(6);
        expect(events).toHaveLength(6);
        for (const { messageId, account, user } of events) {
          const userId = messageId.split(" ")[0] ?? "";
          expect(user?.externalId).toBe(userId);
          expect([`company:company of ${userId}`, `solo:${userId}`]).toContain(
            `${account?.kind}:${account?.externalId}`,
          );
          seen.add(account?.kind ?? "");
        }
        for (const userId of users) expect(await sender.accountOf(userId)).toBe(`company:company of ${userId}`);
      }
      // Both kinds prove that tracks came before and after their groups.
      expect([...seen].toSorted()).toEqual(["company", "solo"]);
    },
  );

  it("§4.3.4 give pending attributes to one account if the first two accounts of a user race", async () => {
    const sender = await newSender();
    for (let round = 0; round < 10; round += 1) {
      const userId = `u${round}`;
      await sender.send(identify({ userId, traits: { accountPlan: "pro" } }));
      await Promise.all([
        sender.send(track({ userId, accountId: `acme ${round}` })),
        sender.capture({ userId, accountId: `globex ${round}` }),
      ]);
    }
    const plans = Object.entries((await sender.state()).accounts).filter(([, { plan }]) => plan !== undefined);
    expect(plans.map(([account]) => account.split(" ")[1])).toHaveLength(10);
    expect(new Set(plans.map(([account]) => account.split(" ")[1])).size).toBe(10);
  });

  it("§4.3.8 leave the latest of 30 values of a trait and an attribute", async () => {
    const sender = await newSender();
    await inParallel(30, (place) => {
      const minute = (place * 11) % 30;
      const timestamp = at(minute);
      return sender.send(
        identify({ traits: { version: minute, [`v${minute}`]: 1 }, timestamp }),
        group("acme", { traits: { seats: minute }, timestamp }),
      );
    });
    const { traits } = await sender.user();
    expect(traits["version"]).toBe(29);
    expect(Object.keys(traits)).toHaveLength(31);
    expect(await sender.attributes()).toEqual({ seats: 29 });
  });
});
