/** §15.2: names are written in the transaction that folds what brings them. */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";

import { spokenKey } from "../../../src/core/ask/names.ts";
import { recompute } from "../../../src/services/recompute/recompute.ts";
import { D1_BROKEN, databaseWith, envWith, type Trip } from "../support/faulty-env.ts";
import { messageOf, newToldWorkspace, NOW, TODAY, type ToldWorkspace, trackOf } from "./told-workspace.ts";

const told = (account: string | null, user: string | null, event: string) =>
  trackOf({ account, user, event, day: TODAY });
const STORY = [
  told("Acme Corp", "u1", "report.exported"),
  messageOf({ type: "group", userId: "jo", accountId: "globex", attributes: { plan: "Pro" } }),
  told(null, "loner", "login"),
  messageOf({ type: "identify", userId: "quiet" }),
];
const retold = () => STORY.map((message) => messageOf({ ...message, messageId: crypto.randomUUID() }));

async function namesIn({ workspace }: ToldWorkspace): Promise<Record<string, unknown>[]> {
  const { results } = await env.DB.prepare(
    "SELECT kind, source, text, key FROM names WHERE workspace = ? ORDER BY kind, source, key, text",
  )
    .bind(workspace.number)
    .all();
  return results;
}

const gramsIn = async ({ workspace }: ToldWorkspace): Promise<string[]> => {
  const { results } = await env.DB.prepare("SELECT DISTINCT key FROM name_grams WHERE workspace = ? ORDER BY key")
    .bind(workspace.number)
    .all<{ key: string }>();
  return results.map(({ key }) => key);
};

const EXPECTED = [
  { kind: "account", source: "external_id", text: "Acme Corp", key: "acme corp" },
  { kind: "account", source: "external_id", text: "globex", key: "globex" },
  { kind: "account", source: "external_id", text: "loner", key: "loner" },
  { kind: "feature", source: "event", text: "login", key: "login" },
  { kind: "feature", source: "event", text: "report.exported", key: "report exported" },
  { kind: "feature", source: "spoken", text: "report.exported", key: spokenKey("report.exported") },
  { kind: "feature", source: "spoken", text: "login", key: spokenKey("login") },
  { kind: "plan", source: "plan", text: "Pro", key: "pro" },
  ...["jo", "loner", "quiet", "u1"].map((user) => ({ kind: "user", source: "external_id", text: user, key: user })),
];

it("§15.2 every account, user, event name and plan that is folded has its names, once", async () => {
  const there = await newToldWorkspace();
  await there.tell(retold());
  await there.fold();
  await there.tell(retold());
  await there.fold();
  expect(await namesIn(there)).toEqual(EXPECTED);
  expect(await gramsIn(there)).toEqual(["acme corp", "globex", "login", "loner", "quiet", "report exported"]);
});

/** From the trip with this number on, the run gets no answer: the first of them was done all the same, or not. */
const dyingAt =
  (last: number, isDone: boolean): Trip =>
  async (run, number) => {
    if (number === last && isDone) await run();
    if (number >= last) throw new Error(D1_BROKEN);
    return run();
  };

it.each([false, true])(
  "§15.2 a run that dies leaves no name out, whether its last step was done: %s",
  async (isDone) => {
    for (let last = 1; last <= 8; last += 1) {
      const there = await newToldWorkspace();
      await there.tell(retold());
      const { DB } = databaseWith(dyingAt(last, isDone));
      const options = { trigger: "cron", budgetMs: 1_000, retentionDays: 400 } as const;
      await recompute(envWith({ DB }), { ...options, now: NOW, clock: () => NOW }).catch(() => undefined);
      await recompute(env, { ...options, now: NOW, clock: () => NOW + 1_000_000 * last });
      expect(await namesIn(there), `died at trip ${last}`).toEqual(EXPECTED);
    }
  },
);

it("§15.2 whatever an event, an account or a user is called, the fold goes on and names it", async () => {
  const there = await newToldWorkspace();
  const hostile = ["constructor", "tostring", "hasownproperty", "__proto__", "日本", "a.b_c.1", "-", "s", "ing", "eed"];
  await there.tell(hostile.map((name) => told(name, name, name)));
  await there.fold();
  const texts = (await namesIn(there)).filter(({ source }) => source === "event").map(({ text }) => text);
  expect(new Set(texts)).toEqual(new Set(hostile));
});
