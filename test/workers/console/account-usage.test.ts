/** The page of one account: its users, features, events and attributes, and its address. */
import { beforeEach, describe, expect, it, vi } from "vitest";

import { momentDate } from "../../../src/core/health/texts.ts";
import { capture, track } from "../support/messages.ts";
import { DAY, DAY_MS, NOW, type Outcomes, outcomesOf, setRuns } from "../support/outcomes.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { dateBefore, summary, timeline } from "./support/account-page.ts";
import { card, textOf } from "./support/page-text.ts";
import { type Browser, signedIn } from "./support/signed-in.ts";

let workspace: TestWorkspace;
let outcomes: Outcomes;
let admin: Browser;

beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace();
  outcomes = await outcomesOf(workspace);
  admin = await signedIn();
  await setRuns({ asOf: NOW });
  return () => vi.useRealTimers();
});

const path = () => `/console/w/${workspace.id}/accounts`;
const page = async (id: string, as: Browser = admin) => as.get(`${path()}/${id}`);

describe("usage", () => {
  it("lists users with their role, most recent first; events without a user count for none", async () => {
    const { number, id } = await outcomes.account("acme");
    const [early, late] = [await outcomes.user("u1", number), await outcomes.user("u2", number)];
    const event = await outcomes.eventName("report.exported");
    await outcomes.rollup(number, DAY - 1, event, { user: early.number });
    await outcomes.rollup(number, DAY - 2, event, { user: early.number });
    await outcomes.rollup(number, DAY, event, { user: late.number });
    await outcomes.rollup(number, DAY, event);
    await outcomes.rollup(number, DAY - 100, event, { user: (await outcomes.user("u3", number)).number });
    await outcomes.trait("user", early.number, "role", "admin");
    expect(card((await page(id)).html, "Users")).toMatch(/Last active u2 1 1 d ago u1 admin 2 2 d ago$/);
  });

  it("includes events that are not folded yet, each once", async () => {
    const { number, id } = await outcomes.account("acme", { lastEventAt: NOW - 2 * DAY_MS });
    const user = await outcomes.user("u1", number);
    const event = await outcomes.eventName("report.exported");
    // The folded events of the same user on the same day and on another.
    for (const day of [DAY + 1, DAY - 1]) await outcomes.rollup(number, day, event, { user: user.number, count: 2 });
    await workspace.post("/api/v1/events", capture());
    await workspace.post("/api/v1/cdp", track({ event: "Board Shared", properties: { accountId: "acme" } }));
    vi.setSystemTime(NOW + 60_000);
    admin = await signedIn();
    const { html } = await page(id);
    expect(textOf(html)).toContain("last active 1 min ago");
    expect(card(html, "Users")).toMatch(/u1 2 1 min ago$/);
    expect(card(html, "Features")).toMatch(/report\.exported 5 new 1 1 min ago board\.shared 1 new 1 1 min ago$/);
    expect(timeline(html)[0]).toBe(`${dateBefore(-1)} Latest event.`);
  });

  it("shows display names only in sessions with the scope identity", async () => {
    const { number, id } = await outcomes.account("acme");
    const user = await outcomes.user("u1", number);
    await outcomes.rollup(number, DAY, await outcomes.eventName("x"), { user: user.number });
    await outcomes.item({ account: number, kind: "gone_silent" });
    await workspace.accept();
    await workspace.attach({ accountId: "acme", userId: "u1", traits: { company: "Acme Inc", name: "Ann Lee" } });
    const { html } = await page(id);
    expect(html).toContain("<h1>Acme Inc</h1>");
    expect(card(html, "Users")).toContain("Ann Lee u1 1");
    expect(card(html, "To do")).toContain("Acme Inc");
    const seen = (await page(id, await signedIn((await workspace.newKey(["read"])).key))).html;
    expect(seen).toContain("<h1>acme</h1>");
    expect(seen).not.toMatch(/Ann Lee|Acme Inc/);
  });

  it("compares the use of each feature with the 28 days before", async () => {
    const { number, id } = await outcomes.account("acme");
    const today = DAY + 1;
    const used = async (name: string, ...uses: [daysAgo: number, count: number][]) => {
      const event = await outcomes.eventName(name);
      for (const [daysAgo, count] of uses) await outcomes.rollup(number, today - daysAgo, event, { count });
    };
    await used("grew", [0, 10], [27, 20], [28, 20]);
    await used("came", [3, 4]);
    await used("went", [28, 7], [55, 1]);
    await used("forgotten", [56, 9]);
    const { html } = await page(id);
    expect(card(html, "Features")).toMatch(/Last used grew 30 \+50% 0 .* came 4 new 0 .* went 0 stopped 0 /);
    expect(html).not.toContain("forgotten");
  });
});

it("shows ten users a page, and marks the champions as health finds key users", async () => {
  const { number, id } = await outcomes.account("acme");
  const event = await outcomes.eventName("report.exported");
  const users = [];
  for (let index = 0; index < 11; index += 1) {
    const user = await outcomes.user(`u${index}`, number);
    await outcomes.rollup(number, DAY - index, event, { user: user.number });
    users.push(user.number & 0xffffffff);
  }
  const [champion = 0, casual = 0] = users;
  for (let back = 0; back < 10; back += 1) {
    await outcomes.accountDay(number, DAY - back, back === 9 ? [champion] : [champion, casual]);
  }
  const { html } = await page(id);
  expect(card(html, "Users")).toMatch(/u0 Champion 1 .* u1 1 .* u9 1 /);
  expect(card(html, "Users")).not.toMatch(/u10|u1 Champion/);
  expect(summary(html)).toContain("Active users 2 active in 28 days");
  expect(html).toMatch(/id="users-next" href="[^"]*\?users=2"/);
  const second = (await page(`${id}?users=2`)).html;
  expect(card(second, "Users")).toMatch(/Last active u10 1 /);
  expect(second).toMatch(/id="users-before" href="[^"?]*"/);
  expect(second).not.toContain("users-next");
});

it("shows how many seats are used, and when the trial ends", async () => {
  const { number, id } = await outcomes.account("acme", {
    health: { stage: "trial" },
    attributes: { seats: 4, mrr: 99, currency: "GBP", trialEndsAt: new Date(NOW + 3 * DAY_MS).toISOString() },
  });
  await outcomes.accountDay(number, DAY, [1, 2, 3]);
  await outcomes.accountDay(number, DAY - 27, [1]);
  await outcomes.accountDay(number, DAY - 28, [4]);
  expect(summary((await page(id)).html)).toMatch(
    /MRR £99 Seats used 3 of 4 75%, active in 28 days Trial ends 11 Jan 2030 3 days left Owner/,
  );
});

describe("the newest events", () => {
  it("are the account's own, with links to the user and the feature", async () => {
    const { id } = await outcomes.account("acme");
    await workspace.post("/api/v1/cdp", [
      track({ event: "Board Shared", userId: "u1", properties: { accountId: "acme" } }),
      track({ event: "Other Used", userId: "u2", properties: { accountId: "globex" } }),
    ]);
    const { html } = await page(id);
    const text = card(html, "Newest events");
    expect(text).toContain("board.shared u1");
    expect(text).not.toContain("other");
    expect(html).toContain(`href="/console/w/${workspace.id}/features/board.shared"`);
    expect(html).toMatch(/href="[^"]*\/users\/usr_[0-9a-f]+"/);
  });
});

it("shows attributes and other traits", async () => {
  const { number, id } = await outcomes.account("acme", {
    attributes: { plan: "pro", seats: 1_200, mrr: 99, currency: "GBP", trialEndsAt: "2030-02-01T00:00:00.000Z" },
  });
  await outcomes.trait("account", number, "last_call", "2030-12-31");
  expect(card((await page(id)).html, "Attributes")).toBe(
    "Attributes Plan pro Seats 1,200 MRR £99 Trial ends 1 Feb 2030 (24 days left) Last call 31 Dec 2030",
  );
});

it.each([
  [45, "45 days left"],
  [1, "1 day left"],
  [0, "ends today"],
  [-3, "ended 3 days ago"],
])("§13.2 shows the end of a contract, %i days from today, as %s", async (days, left) => {
  const end = NOW + days * DAY_MS;
  const { id } = await outcomes.account("acme", { attributes: { contractEndsAt: new Date(end).toISOString() } });
  expect(card((await page(id)).html, "Attributes")).toBe(`Attributes Contract ends ${momentDate(end)} (${left})`);
});

describe("the address", () => {
  it("names an account by either id", async () => {
    const { id } = await outcomes.account("acme");
    for (const known of [id, "acme"]) expect([known, (await page(known)).status]).toEqual([known, 200]);
  });

  it("of an account that its user has left shows no score", async () => {
    const acme = await outcomes.account("acme");
    const { id } = await outcomes.soloAccount("left", {}, acme.number);
    const { html } = await page(id);
    expect(html).toContain("This user has joined another account.");
    expect(html).not.toContain("<h2>Health</h2>");
  });

  it("of an erased person's account shows no name", async () => {
    const { id } = await outcomes.soloAccount("ann");
    expect((await workspace.erase("ann")).status).toBe(200);
    expect((await page(id)).html).toContain("<h1>(erased)</h1>");
  });

  it("is 404 for an unknown account and for one of another workspace", async () => {
    const foreign = await (await outcomesOf(await newWorkspace())).account("globex");
    for (const unknown of ["acc_000000000000000000000000", "nobody", "%00", "%01", "globex", foreign.id]) {
      const { status, html } = await page(unknown);
      expect([status, html.includes("This account does not exist.")], unknown).toEqual([404, true]);
    }
  });
});
