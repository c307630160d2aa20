/**
 * docs/wire/erasure.md §6.2: an erasure at any step of the recompute, and anything at any step of an erasure, leaves no
 * personal data and the same counts.
 */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";

import { DAY_MS } from "../../../src/core/durations.ts";
import { requestRebuild } from "../../../src/db/recompute/rebuild-sql.ts";
import { eraseUserRows } from "../../../src/db/users/erase-user-rows.ts";
import { recompute } from "../../../src/services/recompute/recompute-workspaces.ts";
import { databaseWith, envWith } from "../support/faulty-env.ts";
import { admin, type TestWorkspace } from "../support/workspace.ts";
import { newIdentifiedWorkspace, rowsOf } from "./identified-workspace.ts";
import { found } from "./person.ts";
import { placesUpTo } from "../../thorough.ts";

/** Small, so that a run takes several steps of each kind. */
const STEPS = { messages: 20, summarized: 3, rollups: 10, compared: 3, scored: 3 };
const OPTIONS = {
  trigger: "admin",
  clock: Date.now,
  budgetMs: 60_000,
  historyDays: Infinity,
  stepSizes: STEPS,
} as const;

/** Fixed for the file, so that all tests count the same days. */
const NOW = Date.now();
const daysAgo = (days: number) => new Date(NOW - days * DAY_MS).toISOString();
const run = (changed: Env = env) => recompute(changed, { now: NOW, ...OPTIONS });
const numbers = (count: number) => Array.from({ length: count }, (_, place) => place + 1);

/** `<mark>id` is folded and has been in three accounts; `<mark>id2` is only in the unfolded tail of the log. */
async function withPeople(mark: string): Promise<TestWorkspace> {
  const one = await newIdentifiedWorkspace();
  const [person, other] = [`${mark}id`, `${mark}id2`];
  const event = { type: "track", event: "report.exported", properties: { text: `${mark}prop` } };
  const track = (userId: string, ago: number) => ({ ...event, userId, timestamp: daysAgo(ago) });
  const group = (groupId: string, ago: number) => ({ type: "group", userId: person, groupId, timestamp: daysAgo(ago) });
  const identify = (userId: string) => ({
    type: "identify",
    userId,
    traits: { role: `${mark}role` },
    timestamp: daysAgo(30),
  });
  const before = [identify(person), ...numbers(8).map((day) => track(person, 30 - day)), group("globex", 20)];
  const tail = [
    ...numbers(3).map((day) => track(person, 10 - day)),
    group("initech", 6),
    ...numbers(3).map((day) => track(person, 6 - day)),
    { type: "identify", userId: `${other}3`, traits: { accountStage: `${mark}role`, role: `${mark}role` } },
    ...numbers(4).map((day) => track(other, 5 - day)),
    { ...event, userId: person, event: null, properties: { text: `${mark}reject` } },
  ];
  await one.post("/api/v1/cdp", { batch: before });
  await one.attach({ userId: person, accountId: person, traits: { name: `${mark}name`, company: `${mark}company` } });
  await run();
  await one.post("/api/v1/cdp", { batch: tail });
  await requestRebuild(env, await one.ref());
  return one;
}

const people = (mark: string) => [`${mark}id`, `${mark}id2`, `${mark}id23`];

async function eraseAll(one: TestWorkspace, mark: string, changed: Env = env): Promise<void> {
  const grant = await one.ref();
  for (const person of people(mark))
    expect(await eraseUserRows(changed, grant, person)).toMatchObject({ outcome: "erased" });
}

/** Reads the counts of each account, in the order of creation. */
async function counted({ ref }: TestWorkspace) {
  const { number } = await ref();
  return rowsOf(
    `SELECT a.kind, (SELECT group_concat(day || ':' || count) FROM rollups WHERE account = a.number) AS events,
       (SELECT group_concat(day || ':' || user_days) FROM account_days WHERE account = a.number) AS days,
       (SELECT count(*) FROM user_accounts WHERE account = a.number) AS users,
       (SELECT group_concat(day || ':' || state) FROM health_days WHERE account = a.number) AS health
     FROM accounts a WHERE a.workspace = ? ORDER BY a.number`,
    number,
  );
}

let undisturbed: Awaited<ReturnType<typeof counted>>;
let trips: number;
let left: string[];
beforeAll(async () => {
  const one = await withPeople("qqnone");
  const counting = databaseWith((step) => step());
  await run(envWith({ DB: counting.DB }));
  trips = counting.trips();
  undisturbed = await counted(one);
  left = await found("qqnone");
  await admin("DELETE", `/workspaces/${one.id}`);
});

describe("§6.2 an erasure between the steps of the recompute", () => {
  it("§6.2 leaves no personal data and the same counts, at any step", { timeout: 300_000 }, async () => {
    expect([undisturbed.length, left.length > 5, trips > 20]).toEqual([5, true, true]);
    for (const at of placesUpTo(trips)) {
      const mark = `qqrun${at}x`;
      const one = await withPeople(mark);
      const { DB } = databaseWith(async (step, number) => {
        if (number === at) await eraseAll(one, mark);
        return step();
      });
      await run(envWith({ DB }));
      expect(await found(mark), `before trip ${at}`).toEqual([]);
      await run();
      expect(await found(mark), `before trip ${at}`).toEqual([]);
      expect(await counted(one), `before trip ${at}`).toEqual(undisturbed);
      await admin("DELETE", `/workspaces/${one.id}`);
    }
  });
});

describe("§6.2 between the steps of an erasure", () => {
  it.each([1, 2, 3])("§6.2 a recompute before round trip %i puts nothing back", async (at) => {
    const mark = `qqstep${at}x`;
    const one = await withPeople(mark);
    const { DB } = databaseWith(async (step, number) => {
      if (number % 3 === at % 3) await run();
      return step();
    });
    await eraseAll(one, mark, envWith({ DB }));
    expect(await found(mark)).toEqual([]);
    await requestRebuild(env, await one.ref());
    await run();
    expect(await found(mark)).toEqual([]);
    expect(await counted(one)).toEqual(undisturbed);
    await admin("DELETE", `/workspaces/${one.id}`);
  });

  it.each([1, 2, 3])("§9 the workspace can be erased before round trip %i", async (at) => {
    const mark = `qqgone${at}x`;
    const one = await withPeople(mark);
    const { DB } = databaseWith(async (step, number) => {
      if (number === at) await admin("DELETE", `/workspaces/${one.id}`);
      return step();
    });
    const grant = await one.ref();
    // A repeated call finds its key revoked.
    await expect(eraseUserRows(envWith({ DB }), grant, `${mark}id`)).rejects.toThrow("unavailable");
    expect([await found(mark), await rowsOf("SELECT * FROM user_erasures")]).toEqual([[], []]);
  });
});
