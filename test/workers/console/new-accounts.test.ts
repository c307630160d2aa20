/** The page of new accounts. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { noContext } from "../../../src/core/health/model.ts";
import { DAY, DAY_MS, NOW, type Outcomes, outcomesOf } from "../support/outcomes.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { textOf } from "./support/page-text.ts";
import { type Browser, signedIn } from "./support/signed-in.ts";

let workspace: TestWorkspace;
let outcomes: Outcomes;
let browser: Browser;

beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace();
  outcomes = await outcomesOf(workspace);
  browser = await signedIn(workspace.key);
  return () => vi.useRealTimers();
});

const open = async (query = "") => (await browser.get(`/console/w/${workspace.id}/accounts/new${query}`)).html;
const rowsOf = (html: string): string[] =>
  [...html.matchAll(/<tr><th scope="row">(.*?)<\/tr>/gs)].map(([, row = ""]) => textOf(row).trim());
const seenBefore = (days: number) => ({ firstAt: NOW - days * DAY_MS });

/** Stores a day of an account: its users, and how often each event was sent. */
const addDay = (account: number, day: number, users: number[], features: Record<number, [number, number[]]> = {}) =>
  env.DB.prepare(
    "INSERT INTO account_days (account, day, events, user_days, users, features) VALUES (?, ?, 1, ?, ?, ?)",
  )
    .bind(account, day, users.length, JSON.stringify(users), JSON.stringify(features))
    .run();

/** The events 1 to 3 are core features. */
async function setCoreFeatures(): Promise<void> {
  const { number } = await workspace.ref();
  const own = number * 2 ** 32;
  await env.DB.prepare("INSERT INTO workspace_contexts (workspace, day, context) VALUES (?, ?, ?)")
    .bind(number, DAY, JSON.stringify({ ...noContext(DAY), coreFeatures: [own + 1, own + 2, own + 3] }))
    .run();
}

describe("the page of new accounts", () => {
  it("says what each account has reached, and when, the newest first", async () => {
    await setCoreFeatures();
    const { number } = await outcomes.account("acme", { ...seenBefore(20), attributes: { seats: 10, stage: "trial" } });
    await addDay(number, DAY - 18, [1], { 1: [5, [1]], 9: [1, [1]] });
    await addDay(number, DAY - 10, [1, 2, 3], { 1: [5, [1]], 2: [1, [2]] });
    await addDay(number, DAY - 2, [2], { 3: [1, [2]] });
    await outcomes.account("young", { ...seenBefore(3), lastEventAt: null });
    await outcomes.account("old", seenBefore(91));
    const html = await open();
    expect(rowsOf(html)).toEqual([
      "young Customer – none 3 d ago No No 0 of 3 – none",
      "acme Trial – none 20 d ago Yes on day 2 Yes on day 10 3 of 3 on day 18 3 of 10",
    ]);
    expect(html).toContain('aria-current="page">New accounts</a>');
  });

  it("says why an account is stuck, and lists only stuck ones on demand", async () => {
    await setCoreFeatures();
    await outcomes.account("silent", { ...seenBefore(14), lastEventAt: null });
    const { number: alone } = await outcomes.account("alone", seenBefore(30));
    await addDay(alone, DAY - 20, [1], { 1: [1, [1]] });
    const { number: narrow } = await outcomes.account("narrow", seenBefore(40));
    await addDay(narrow, DAY - 30, [1, 2], { 1: [1, [1]] });
    const { number: small } = await outcomes.account("small", { ...seenBefore(50), attributes: { seats: 20 } });
    await addDay(small, DAY - 22, [1, 2], { 1: [1, [1]], 2: [1, [1]], 3: [1, [1]] });
    const { number: moving } = await outcomes.account("moving", seenBefore(60));
    await addDay(moving, DAY - 1, [1]);
    await outcomes.account("fresh", { ...seenBefore(13), lastEventAt: null });
    const html = await open("?show=stuck");
    expect(rowsOf(html).map((row) => row.replace(/^(\w+) .*?(\d+ days .*?\.) .*/, "$1: $2"))).toEqual([
      "silent: 14 days No event has arrived.",
      "alone: 21 days Only one user has come.",
      "narrow: 31 days Only 1 core feature used; 3 are usual.",
      "small: 23 days 2 active users; 6 are expected by now.",
    ]);
    expect(textOf(html)).toContain("4 of 5 accounts. They were first seen from 9 Nov 2029 to 25 Dec 2029.");
    expect(rowsOf(await open())).toHaveLength(6);
  });

  it("shows each account on exactly one page", async () => {
    for (let place = 0; place < 60; place += 1) await outcomes.account(`a${place}`, seenBefore(20 + (place % 3)));
    for (const show of ["", "?show=stuck"]) {
      const first = await open(show);
      const [, next = ""] = /href="([^"]*)">Next page/.exec(first) ?? [];
      const second = (await browser.get(next.replaceAll("&amp;", "&"))).html;
      const names = [first, second].flatMap(rowsOf).map((row) => row.split(" ")[0]);
      expect(names).toHaveLength(60);
      expect(new Set(names).size).toBe(60);
      expect(second).not.toContain("Next page");
    }
  });

  it("has neither superseded accounts nor those of another workspace, and says when it is empty", async () => {
    const { number } = await outcomes.account("acme", seenBefore(100));
    await outcomes.soloAccount("ann", seenBefore(5), number);
    await (await outcomesOf(await newWorkspace())).account("theirs", seenBefore(5));
    const html = await open();
    expect(rowsOf(html)).toEqual([]);
    expect(html).toContain("No new accounts");
  });

  it("expects no second user of a personal account, and no core features without any", async () => {
    const { number } = await outcomes.soloAccount("ann", seenBefore(30));
    await addDay(number, DAY - 29, [1]);
    expect(rowsOf(await open())).toEqual(["ann Personal account – none 1 mo ago Yes on day 1 – none – none – none"]);
  });
});
