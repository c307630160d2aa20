/** The list of features, and the page of one. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { DAY, NOW, type Outcomes, outcomesOf, type SeededAccount } from "../support/outcomes.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { textOf } from "./support/page-text.ts";
import { type Browser, signedIn } from "./support/signed-in.ts";

let workspace: TestWorkspace;
let outcomes: Outcomes;
let admin: Browser;
let exported: number;

beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace();
  outcomes = await outcomesOf(workspace);
  admin = await signedIn();
  exported = await outcomes.eventName("report.exported");
  return () => vi.useRealTimers();
});

const page = async (path: string, as: Browser = admin) => as.get(`/console/w/${workspace.id}/features${path}`);
const textAt = async (path: string) => textOf((await page(path)).html);

/** Adds days on which an account sent events. */
async function uses(account: SeededAccount, days: readonly number[], ...events: number[]): Promise<void> {
  const features = JSON.stringify(Object.fromEntries(events.map((event) => [event & 0xffffffff, [3, []]])));
  for (const day of days) {
    await env.DB.batch([
      env.DB.prepare("INSERT INTO account_days VALUES (?, ?, 3, 1, '[1]', ?)").bind(account.number, day, features),
      env.DB.prepare(
        `INSERT INTO workspace_days VALUES (?, ?, 3, 1, 1) ON CONFLICT DO UPDATE SET accounts = accounts + 1`,
      ).bind((await workspace.ref()).number, day),
    ]);
  }
}

const withMrr = (externalId: string, mrr: number) =>
  outcomes.account(externalId, { attributes: { mrr, currency: "EUR" } });

describe("the page of a feature", () => {
  it("lists the accounts that use it, that stopped and that never did, by MRR", async () => {
    const other = await outcomes.eventName("board.shared");
    await uses(await withMrr("user-small", 10), [DAY, DAY - 27], exported);
    await uses(await withMrr("user-large", 90), [DAY - 27], other, exported);
    await uses(await withMrr("stopped", 50), [DAY - 28], exported);
    await uses(await withMrr("never", 70), [DAY], other);
    await withMrr("idle", 5);
    await outcomes.account("gone", { health: { state: "churned", stage: "churned" } });
    const text = await textAt("/report.exported");
    expect(text).toContain("Use it 2 40% of accounts Stopped 1 not in 28 days Never used it 2 not in 84 days");
    expect(text).toMatch(
      /Stopped Used it before.* stopped €50 10 Dec 2029 Never used it No use.* never €70 idle €5 Use it/,
    );
    expect(text).toMatch(/Use it Used it in the last 28 days\. .*user-large €90 11 Dec 2029 user-small €10 7 Jan 2030/);
    expect(text).not.toContain("gone");
  });

  it("counts accounts by week, up to yesterday", async () => {
    const [acme, globex] = [await outcomes.account("acme"), await outcomes.account("globex")];
    await uses(acme, [DAY, DAY - 6, DAY - 7], exported);
    await uses(globex, [DAY - 3], exported);
    const { html } = await page("/report.exported");
    const [, json = ""] = /data-chart="([^"]*)"/.exec(html) ?? [];
    expect(JSON.parse(json.replaceAll("&quot;", '"'))).toMatchObject({
      first: DAY - 77,
      step: 7,
      series: [{ values: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2] }],
    });
  });

  it("is found by the number and by the encoded name, and 404 otherwise", async () => {
    await outcomes.eventName("a/b ü");
    await outcomes.eventName("404");
    for (const path of [`/${exported & 0xffffffff}`, "/report.exported", "/a%2Fb%20%C3%BC", "/404"]) {
      expect([path, (await page(path)).status]).toEqual([path, 200]);
    }
    expect((await page("/404")).html).toContain("<h1>404</h1>");
    const foreign = await outcomesOf(await newWorkspace());
    await foreign.eventName("their.event");
    for (const path of ["/their.event", "/99999", "/%00", "/-1", "/1e0"]) {
      expect([path, (await page(path)).status]).toEqual([path, 404]);
    }
  });

  it("doesn't mistake one event for another whose number begins with the same digits", async () => {
    const acme = await outcomes.account("acme");
    const long = Number(`${exported & 0xffffffff}0`);
    await env.DB.prepare("INSERT INTO account_days VALUES (?, ?, 3, 1, '[1]', ?)")
      .bind(acme.number, DAY, `{"${long}":[1,[${exported & 0xffffffff}]]}`)
      .run();
    expect(await textAt("/report.exported")).toContain("Use it 0 0% of accounts Stopped 0");
  });

  it("reads fewer days the more accounts are active", async () => {
    await uses(await outcomes.account("acme"), [DAY, DAY - 7, DAY - 14, DAY - 60], exported);
    await env.DB.prepare("UPDATE workspace_days SET accounts = 250000 WHERE workspace = ? AND day < ?")
      .bind((await workspace.ref()).number, DAY)
      .run();
    const text = await textAt("/report.exported");
    expect(text).toContain("not in 14 days");
    expect(text).toContain("Complete days since 25 Dec 2029.");
  });

  it("shows company names only with the scope “identity” and the agreement", async () => {
    await outcomes.user("u1", (await outcomes.account("acme")).number);
    await workspace.accept();
    await workspace.attach({ accountId: "acme", userId: "u1", traits: { company: "Acme Inc" } });
    expect((await page("/report.exported")).html).toContain("Acme Inc");
    const reader = await signedIn((await workspace.newKey(["read"])).key);
    expect((await page("/report.exported", reader)).html).not.toContain("Acme Inc");
    expect((await workspace.withdraw()).status).toBe(200);
    expect((await page("/report.exported")).html).not.toContain("Acme Inc");
  });
});

describe("the list of features", () => {
  it("counts the accounts of each, and says how many of the active accounts they are", async () => {
    const shared = await outcomes.eventName("board.shared");
    await outcomes.eventName("old.event");
    await uses(await outcomes.account("acme"), [DAY, DAY - 27], exported, shared);
    await uses(await outcomes.account("globex"), [DAY - 1], shared);
    await uses(await outcomes.account("initech"), [DAY - 28], exported);
    expect(await textAt("")).toMatch(/board\.shared 2 100% 9 – report\.exported 1 50% 6 – old\.event 0 0% 0 –/);
  });

  it("says so without any, and where too many accounts are active on a day", async () => {
    const empty = await newWorkspace();
    expect(textOf((await admin.get(`/console/w/${empty.id}/features`)).html)).toContain("No features yet");
    await uses(await outcomes.account("acme"), [DAY], exported);
    await env.DB.prepare("UPDATE workspace_days SET accounts = 200000 WHERE workspace = ?")
      .bind((await workspace.ref()).number)
      .run();
    expect(await textAt("")).toContain("More accounts are active on a day than this page can count.");
  });
});
