/** §14: what marks store, and what the log of an account has of them. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";

import type { Mark } from "../../../src/db/inbox/marks.ts";
import { markItems } from "../../../src/db/inbox/marks.ts";
import { markOwner } from "../../../src/db/accounts/owners.ts";
import { emptyTables } from "../support/database.ts";
import { NOW, type Outcomes, outcomesOf, type SeededAccount } from "../support/outcomes.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";

let workspace: TestWorkspace;
let outcomes: Outcomes;
let acme: SeededAccount;
let item: { number: number; id: string };
beforeEach(async () => {
  await emptyTables(["activities", "inbox_marks"]);
  workspace = await newWorkspace();
  outcomes = await outcomesOf(workspace);
  acme = await outcomes.account("acme");
  item = await outcomes.item({ account: acme.number });
});

const rowsOf = async (table: string) => (await env.DB.prepare(`SELECT * FROM ${table}`).all()).results;
const logged = async () =>
  (await rowsOf("activities")).map(({ account, item: about, at, action, by, detail }) => {
    expect([account, about]).toEqual([acme.number, action === "owner" ? 0 : item.number]);
    return [Number(at) - NOW, action, by, detail];
  });

/** Marks the item once a millisecond. */
async function marks(...given: readonly Mark[]): Promise<void> {
  for (const [index, mark] of given.entries()) await outcomes.mark(item, mark, NOW + index, index === 0 ? "Ada" : "Bo");
}

describe("§14 the log of an account", () => {
  const until = Date.UTC(2030, 0, 9, 8);
  const changes: [name: string, given: readonly Mark[], log: unknown[]][] = [
    ["a dismissal", [{ dismissed: true, reason: "wrong" }], [[0, "dismissed", "Ada", "wrong"]]],
    ["a dismissal without a reason", [{ dismissed: true }], [[0, "dismissed", "Ada", null]]],
    [
      "its undoing",
      [{ dismissed: true }, { dismissed: false }],
      [
        [0, "dismissed", "Ada", null],
        [1, "reopened", "Bo", null],
      ],
    ],
    ["a snooze", [{ snoozedUntil: until }], [[0, "snoozed", "Ada", "2030-01-09T08:00:00.000Z"]]],
    [
      "another snooze, and its undoing",
      [{ snoozedUntil: until }, { snoozedUntil: until + 1 }, { snoozedUntil: null }],
      [
        [0, "snoozed", "Ada", "2030-01-09T08:00:00.000Z"],
        [1, "snoozed", "Bo", "2030-01-09T08:00:00.001Z"],
        [2, "reopened", "Bo", null],
      ],
    ],
    ["a contact", [{ contacted: true }], [[0, "contacted", "Ada", null]]],
    [
      "a note, another one, and its removal, and forgets their texts",
      [{ note: "a" }, { note: "b" }, { note: null }],
      [
        [0, "note", "Ada", null],
        [1, "note", "Bo", null],
        [2, "note", "Bo", ""],
      ],
    ],
  ];

  it.each(changes)("§14 has %s", async (_name, given, log) => {
    await marks(...given);
    expect(await logged()).toEqual(log);
  });

  it("§14 forgets a contact that is undone, and no other one", async () => {
    await marks({ contacted: true }, { note: "a" }, { contacted: false }, { contacted: true });
    expect(await logged()).toEqual([
      [1, "note", "Bo", "a"],
      [3, "contacted", "Bo", null],
    ]);
  });

  it.each<[string, Mark]>([
    ["a dismissal", { dismissed: true, reason: "handled" }],
    ["a removed dismissal", { dismissed: false }],
    ["a snooze", { snoozedUntil: until }],
    ["a removed snooze", { snoozedUntil: null }],
    ["a contact", { contacted: true }],
    ["a removed contact", { contacted: false }],
    ["a note", { note: "a" }],
    ["a removed note", { note: null }],
  ])("§14 has nothing new after the repetition of %s, nor has its mark", async (_name, mark) => {
    await marks(mark);
    const before = [await rowsOf("activities"), await rowsOf("inbox_marks")];
    await outcomes.mark(item, mark, NOW + 5, "Bo");
    expect([await rowsOf("activities"), await rowsOf("inbox_marks")]).toEqual(before);
  });

  it("§14 has nothing about an item of the whole workspace", async () => {
    const whole = await outcomes.item({ kind: "tracking_stopped" });
    expect(await outcomes.mark(whole, { contacted: true })).toMatchObject({ contactedAt: NOW, contactedBy: "Ada" });
    expect(await logged()).toEqual([]);
  });

  it("§14 has changes of the owner only", async () => {
    const ref = await workspace.ref();
    for (const [index, owner] of ["Cy", "Cy", "Di", null, null].entries()) {
      await markOwner(env, ref, "acme", owner, { by: "Ada", at: NOW + index });
    }
    expect(await logged()).toEqual([
      [0, "owner", "Ada", "Cy"],
      [2, "owner", "Ada", "Di"],
      [3, "owner", "Ada", null],
    ]);
  });
});

describe("§14 marks", () => {
  it("§14 don't change each other, and the first dismissal and contact stay", async () => {
    await marks({ dismissed: true, reason: "other" }, { contacted: true }, { note: "a" }, { snoozedUntil: NOW + 9 });
    await marks({ contacted: true }, { dismissed: true, reason: "wrong" });
    expect(await outcomes.mark(item, { note: "b" }, NOW + 7, "Cy")).toMatchObject({
      dismissedAt: NOW,
      dismissReason: "other",
      snoozedUntil: NOW + 9,
      contactedAt: NOW + 1,
      contactedBy: "Bo",
      note: "b",
      noteBy: "Cy",
      noteAt: NOW + 7,
    });
  });

  it("§14 of 100 items are one transaction, without unknown items and those of other workspaces", async () => {
    const items = [item];
    while (items.length < 98) items.push(await outcomes.item({ account: acme.number, subject: `${items.length}` }));
    const foreign = await (await outcomesOf(await newWorkspace())).item();
    const ids = [...items.map(({ id }) => id), "itm_0", foreign.id];
    const options = { by: "Ada", at: NOW, withIdentity: false };
    const marked = await markItems(env, await workspace.ref(), ids, { snoozedUntil: NOW + 1 }, options);
    expect(new Set(marked.map(({ id, snoozedUntil }) => `${id} ${snoozedUntil}`))).toEqual(
      new Set(items.map(({ id }) => `${id} ${NOW + 1}`)),
    );
    expect([await rowsOf("activities"), await rowsOf("inbox_marks")]).toMatchObject([{ length: 98 }, { length: 98 }]);
  });
});

const kept = async () =>
  (
    await env.DB.prepare(
      "SELECT count(*) AS count, min(at) AS first FROM activities GROUP BY account ORDER BY account",
    ).all()
  ).results;

it("§14 the log keeps the newest 1,000 activities of an account", async () => {
  const other = await outcomes.account("globex");
  for (const { number } of [acme, other]) {
    await env.DB.prepare(
      `INSERT INTO activities WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 1005)
      SELECT ?1, ?2 - value, 'contacted', 7, 'Ada', NULL FROM n`,
    )
      .bind(number, NOW)
      .run();
  }
  await outcomes.mark(item, { dismissed: true }, NOW, "Ada");
  expect(await kept()).toEqual([
    { count: 1_000, first: NOW - 999 },
    { count: 1_005, first: NOW - 1_005 },
  ]);
  await markOwner(env, await workspace.ref(), other.id, "Ada", { by: "Ada", at: NOW });
  expect((await kept()).at(-1)).toEqual({ count: 1_000, first: NOW - 999 });
});
