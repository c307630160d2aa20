/** The list of accounts. */
import { beforeEach, describe, expect, it, vi } from "vitest";

import { markOwner } from "../support/destinations.ts";
import { capture } from "../support/messages.ts";
import { interruptWithdrawal } from "../support/half-changed.ts";
import { DAY, DAY_MS, NOW, type Outcomes, outcomesOf, setRuns } from "../support/outcomes.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { ownerIdOn, textOf } from "./support/page-text.ts";
import { type Browser, signedIn } from "./support/signed-in.ts";

let workspace: TestWorkspace;
let outcomes: Outcomes;
let admin: Browser;

beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace();
  outcomes = await outcomesOf(workspace);
  admin = await signedIn();
  await setRuns({ asOf: NOW - 5 * 60_000 });
  return () => vi.useRealTimers();
});

const path = (query = "") => `/console/w/${workspace.id}/accounts${query}`;
const list = async (query = "", as: Browser = admin) => as.get(path(query));

/** The names in the rows of a page, in their order. */
const namesIn = (html: string): string[] =>
  [...html.matchAll(/<th scope="row"><a href="[^"]*">([^<]*)<\/a>/g)].map(([, name = ""]) => name);

const search = (fields: Record<string, string>, as = admin) => as.post(path(), fields);
const rowsOf = (html: string): string => textOf(/<tbody>(.*)<\/tbody>/s.exec(html)?.[1] ?? "").trim();

/** The target of the link with this text. */
function linkTo(html: string, text: string): string {
  const [, href] = new RegExp(`href="([^"]*)">${text}`).exec(html) ?? [];
  if (href === undefined) throw new Error(`no link says ${text}`);
  return href.replaceAll("&amp;", "&");
}

describe("an account in the list", () => {
  it("has its score, health, trend, MRR, active users, open items and last activity", async () => {
    const { number, id } = await outcomes.account("acme", {
      attributes: { mrr: 1_200, currency: "EUR" },
      lastEventAt: NOW - 3 * DAY_MS,
      health: { score: 52.4, state: "watch", trend: -12.25 },
    });
    await outcomes.item({ account: number });
    await outcomes.item({ account: number, kind: "gone_silent" });
    const { html } = await list();
    expect(rowsOf(html)).toMatch(/^acme 52 Watch .*−12 points in 7 days €1,200 0 – none – none 2 3 d ago$/);
    expect(html).toContain(`href="${path(`/${id}#items`)}" aria-label="2 open items of acme"`);
    expect(textOf(html)).toContain("Health of 1 account, updated 5 min ago");
  });

  it("has its owner, whose link lists only their accounts, whatever the order", async () => {
    const { number } = await outcomes.account("acme");
    await outcomes.account("globex");
    await markOwner(number, "Ann & Lee");
    const { html } = await list();
    expect(rowsOf(html)).toMatch(/acme .* Ann & Lee – none 1 d ago/);
    const theirs = linkTo(html, "Ann &amp; Lee");
    const owner = ownerIdOn(html, "Ann &amp; Lee");
    expect(theirs).toBe(path(`?owner=${owner}`));
    expect(namesIn((await admin.get(theirs)).html)).toEqual(["acme"]);
    const sorted = await search({ q: "", owner, sort: "trend" });
    expect(sorted.location).toBe(path(`?owner=${owner}&sort=trend`));
    expect(namesIn((await search({ q: "e", owner })).html)).toEqual(["acme"]);
    expect(namesIn((await search({ q: "e", owner: "" })).html)).toHaveLength(2);
  });

  it("shows an event before the next recompute", async () => {
    await workspace.post("/api/v1/events", capture({ accountId: "fresh" }));
    vi.setSystemTime(NOW + 60_000);
    expect(rowsOf((await list("", await signedIn())).html)).toMatch(/^fresh No score yet .* 1 min ago$/);
  });

  it("does not count resolved, dismissed and snoozed items as to do", async () => {
    const { number } = await outcomes.account("acme");
    await outcomes.item({ account: number, kind: "usage_drop", resolvedDay: DAY });
    for (const [kind, mark] of [
      ["gone_silent", { dismissed: true }],
      ["slow_decline", { snoozedUntil: NOW + 1 }],
      ["contraction", { snoozedUntil: NOW - 1 }],
    ] as const) {
      await outcomes.mark(await outcomes.item({ account: number, kind }), mark);
    }
    expect((await list()).html).toContain('aria-label="1 open item of acme"');
  });

  it("counts distinct active users of the last 28 complete days", async () => {
    const { number } = await outcomes.account("acme");
    for (const [day, users] of [
      [DAY + 1, [9]],
      [DAY, [1, 2]],
      [DAY - 27, [2, 3]],
      [DAY - 28, [4]],
    ] as const) {
      await outcomes.accountDay(number, day, users);
    }
    expect(rowsOf((await list()).html)).toMatch(/ 3 – none – none – none 1 d ago$/);
  });

  it("has a described line of 30 days, if there was a score", async () => {
    const { number } = await outcomes.account("acme");
    await outcomes.healthDay(number, DAY - 40, 1, "at_risk");
    for (const [day, score] of [
      [DAY - 2, 71],
      [DAY - 1, null],
      [DAY, 34],
    ] as const) {
      await outcomes.healthDay(number, day, score, "watch");
    }
    await outcomes.account("blank");
    const { html } = await list();
    expect(html).toContain("<title>Score of acme over 3 days: from 71 to 34, lowest 34, highest 71</title>");
    expect(html.match(/class="sparkline"/g)).toHaveLength(1);
  });

  it("says which state is pending while the present one waits for three days", async () => {
    for (const [name, state, score] of [
      ["slipping", "healthy", 64],
      ["steady", "healthy", 65],
      ["rising", "at_risk", 71],
      ["new", "insufficient_data", null],
    ] as const) {
      await outcomes.account(name, { health: { state, score } });
    }
    const text = rowsOf((await list("?sort=name")).html);
    expect(text).toMatch(/slipping 64 Healthy watch pending/);
    expect(text).toMatch(/rising 71 At risk healthy pending/);
    expect(text.match(/pending/g)).toHaveLength(2);
  });

  it("has an id to copy below its name", async () => {
    await workspace.accept();
    await outcomes.account("acct_1");
    await outcomes.account("a".repeat(200));
    await workspace.attach({ accountId: "acct_1", traits: { company: "Acme Inc" } });
    await workspace.attach({ accountId: "a".repeat(200), traits: { company: "Long" } });
    const { html } = await list();
    expect(html.match(/data-copy="[^"]*"/g)).toEqual(['data-copy="acct_1"']);
  });

  it("says why it has no score", async () => {
    await outcomes.account("new", { health: null });
    const missing = [{ code: "tenure", observed: 3, required: 14 }] as const;
    await outcomes.account("young", { health: { state: "insufficient_data", score: null, missing } });
    await outcomes.account("gone", { health: { state: "churned", score: null } });
    const text = rowsOf((await list()).html);
    expect(text).toContain(
      "new No score yet Today’s events count after midnight UTC. Events of earlier days count within minutes.",
    );
    expect(text).toContain("young Not enough data As of 7 Jan 2030: Known for 3 days");
    expect(text).toContain("gone Churned Churned accounts have no score.");
  });

  it("has its company name in sessions with the scope identity, while the agreement is accepted", async () => {
    await outcomes.account("acct_1");
    await workspace.accept();
    await workspace.attach({ accountId: "acct_1", traits: { company: "Acme Inc" } });
    expect(rowsOf((await list()).html)).toMatch(/^Acme Inc acct_1 /);
    const reader = await signedIn((await workspace.newKey(["read"])).key);
    expect(namesIn((await list("", reader)).html)).toEqual(["acct_1"]);
    await interruptWithdrawal(await workspace.ref());
    expect(namesIn((await list()).html)).toEqual(["acct_1"]);
  });
});

it("leads an empty workspace to the first event", async () => {
  const { html } = await list();
  expect(html).toContain("No accounts yet");
  expect(linkTo(html, "Send the first event")).toBe(`/console/w/${workspace.id}/start`);
});
