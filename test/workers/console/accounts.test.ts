/** The list of accounts as people see it. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { TABLE_SORTS } from "../../../src/db/accounts/list-accounts.ts";
import { DAY, DAY_MS, NOW, type Outcomes, outcomesOf, setRuns } from "../support/outcomes.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { textOf } from "./support/page-text.ts";
import { type Browser, browser, signedIn } from "./support/signed-in.ts";

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

/** What a page's rows are called, in their order. */
const named = (html: string): string[] =>
  [...html.matchAll(/<th scope="row"><a href="[^"]*">([^<]*)<\/a>/g)].map(([, name = ""]) => name);

const order = async (sort: string) => named((await list(`?sort=${sort}`)).html).join("");
const called = async (q: string, as = admin) => named((await list(`?q=${encodeURIComponent(q)}`, as)).html).toSorted();

/** The text of a page's rows. */
const rowsOf = (html: string): string => textOf(/<tbody>(.*)<\/tbody>/s.exec(html)?.[1] ?? "").trim();

/** The address behind a link's text. */
function linkTo(html: string, text: string): string {
  const [, href] = new RegExp(`href="([^"]*)">${text}`).exec(html) ?? [];
  if (href === undefined) throw new Error(`no link says ${text}`);
  return href.replaceAll("&amp;", "&");
}

describe("what the list tells of an account", () => {
  it("score and band, MRR with its currency, active users, open items and when it was seen", async () => {
    const { number, id } = await outcomes.account("acme", {
      attributes: { mrr: 1_200, currency: "EUR" },
      lastEventAt: NOW - 3 * DAY_MS,
      health: { score: 52.4, state: "watch", trend: -12.25 },
    });
    await outcomes.item({ account: number });
    await outcomes.item({ account: number, kind: "gone_silent" });
    const { html } = await list();
    expect(rowsOf(html)).toMatch(/^acme 52 Watch .*−12 down 12 in 7 days €1,200 0 2 3 d ago$/);
    expect(html).toContain(`href="${path(`/${id}`)}"`);
    expect(html).toContain(`href="${path(`/${id}#items`)}" aria-label="2 open items of acme"`);
    expect(html).toContain("1 account judged, as of <time");
    expect(html).toContain(">5 min ago</time>");
  });

  it("items that people put aside are not to do", async () => {
    const { number } = await outcomes.account("acme");
    await outcomes.item({ account: number, kind: "usage_drop", resolvedDay: DAY });
    for (const [kind, column, at] of [
      ["gone_silent", "dismissed_at", NOW],
      ["slow_decline", "snoozed_until", NOW + 1],
      ["contraction", "snoozed_until", NOW - 1],
    ] as const) {
      const item = await outcomes.item({ account: number, kind });
      await env.DB.prepare(`INSERT INTO inbox_marks (item, ${column}) VALUES (?, ?)`).bind(item.number, at).run();
    }
    expect((await list()).html).toContain('aria-label="1 open item of acme"');
  });

  it("active users are the distinct ones of the 28 complete days before today", async () => {
    const { number } = await outcomes.account("acme");
    for (const [day, users] of [
      [DAY + 1, [9]],
      [DAY, [1, 2]],
      [DAY - 27, [2, 3]],
      [DAY - 28, [4]],
    ] as const) {
      await env.DB.prepare("INSERT INTO account_days VALUES (?, ?, 1, ?, ?, '{}')")
        .bind(number, day, users.length, JSON.stringify(users))
        .run();
    }
    expect(rowsOf((await list()).html)).toMatch(/ 3 – none 1 d ago$/);
  });

  it("the line of 30 days is told in words, and is left out where there was no score", async () => {
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
    expect(html).toContain("<title>Score of acme over 3 days: from 71 to 34</title>");
    expect(html.match(/class="sparkline"/g)).toHaveLength(1);
  });

  it("says why there is no score", async () => {
    await outcomes.account("new", { health: null });
    await outcomes.account("young", {
      health: {
        state: "insufficient_data",
        score: null,
        missing: [{ code: "tenure", observed: 3, required: 14 }],
      },
    });
    await outcomes.account("gone", { health: { state: "churned", score: null } });
    const text = rowsOf((await list()).html);
    expect(text).toContain("new Not judged yet The next recompute judges it.");
    expect(text).toContain("young Not enough data Known for 3 days so far (at least 14 needed).");
    expect(text).toContain("gone Churned It has left: there is nothing to score.");
  });

  it("markup in a name shows as text", async () => {
    await outcomes.account("<b>Bobby & Sons</b>");
    const { html } = await list();
    expect(html).not.toContain("<b>Bobby");
    expect(named(html)).toEqual(["&lt;b&gt;Bobby &amp; Sons&lt;/b&gt;"]);
  });

  it("company names are for sessions with the scope identity, while the agreement stands", async () => {
    const { number } = await outcomes.account("acct_1");
    const { number: ref } = await workspace.ref();
    await env.DB.prepare("INSERT INTO identity_traits VALUES (?, 'account', ?, 'company', 'Acme Inc', ?)")
      .bind(ref, number, NOW)
      .run();
    expect(named((await list()).html)).toEqual(["acct_1"]);
    await env.DB.prepare(
      "INSERT INTO agreements (workspace, version, accepted_by, accepted_at) VALUES (?, '1', 'A', ?)",
    )
      .bind(ref, NOW)
      .run();
    expect(rowsOf((await list()).html)).toMatch(/^Acme Inc acct_1 /);
    const reader = await signedIn((await workspace.newKey(["read"])).key);
    expect(named((await list("", reader)).html)).toEqual(["acct_1"]);
  });
});

describe("filters, orders and pages", () => {
  it("filters by state, and tells how many are in each", async () => {
    await outcomes.account("well");
    await outcomes.account("ill", { health: { state: "at_risk", score: 20 } });
    const { html } = await list("?state=at_risk&sort=&q=");
    expect(named(html)).toEqual(["ill"]);
    expect(html).toContain('<option value="at_risk" selected="">At risk (1)</option>');
  });

  it("sorts by score, fall, MRR, time and id", async () => {
    for (const [name, score, trend, mrr, lastEventAt] of [
      ["c", 50, null, 1, NOW - 3],
      ["a", 80, 2, 3, NOW - 2],
      ["b", 20, -9, 2, NOW - 1],
    ] as const) {
      await outcomes.account(name, { health: { score, trend }, attributes: { mrr }, lastEventAt });
    }
    expect(await order("score")).toBe("bca");
    expect(await order("trend")).toBe("bac");
    expect(await order("mrr")).toBe("abc");
    expect(await order("lastSeen")).toBe("bac");
    expect(await order("externalId")).toBe("abc");
  });

  it("goes through pages in each order without missing or repeating an account", async () => {
    for (let place = 0; place < 120; place += 1) {
      const score = place % 7;
      const fields = { health: { score, trend: score }, attributes: { mrr: score }, lastEventAt: NOW - score };
      await outcomes.account(`a${String((place * 37) % 120).padStart(3, "0")}`, fields);
    }
    for (const sort of TABLE_SORTS) {
      const first = (await list(`?sort=${sort}`)).html;
      expect(first).not.toContain("First page");
      const second = (await admin.get(linkTo(first, "Next page"))).html;
      const third = (await admin.get(linkTo(second, "Next page"))).html;
      expect(third).not.toContain("Next page");
      expect([first, second, third].map((html) => named(html).length)).toEqual([50, 50, 20]);
      expect(new Set([first, second, third].flatMap(named)).size).toBe(120);
      expect(linkTo(third, "← First page")).toBe(sort === "score" ? path() : path(`?sort=${sort}`));
    }
  });

  it.each([
    ["?state=poorly", "state"],
    ["?sort=colour", "sort"],
    [`?q=${"x".repeat(201)}`, "q"],
  ])("refuses %s and names what is at fault", async (query, field) => {
    const { status, html } = await list(query);
    expect(status).toBe(400);
    expect(html).toContain(`“${field}”`);
  });

  it("refuses a cursor of another list", async () => {
    for (let place = 0; place < 51; place += 1) await outcomes.account(`a${place}`);
    const next = linkTo((await list()).html, "Next page");
    expect((await admin.get(next)).status).toBe(200);
    expect((await admin.get(`${next}&sort=mrr`)).status).toBe(400);
    expect((await list("?cursor=nonsense")).status).toBe(400);
  });
});

describe("search", () => {
  it("finds accounts whose id begins so, those of a moment ago too", async () => {
    for (const name of ["acme", "acme-eu", "ACME-US", "globex", "100%_a"]) await outcomes.account(name);
    expect(await called("acme")).toEqual(["acme", "acme-eu"]);
    expect(await called("100%")).toEqual(["100%_a"]);
    expect(await called("cme")).toEqual([]);
    expect(await called(" acme-e ")).toEqual(["acme-eu"]);
  });

  it("finds them by folded names, and by company names only for those who may see them", async () => {
    const { number: ref } = await workspace.ref();
    const { number } = await outcomes.account("acct_1");
    const { number: other } = await outcomes.account("Ünited-Corp");
    const name = (key: string, subject: number, source: string) =>
      env.DB.prepare("INSERT INTO names VALUES (?, ?, 'account', ?, ?, ?)").bind(ref, key, subject, source, key).run();
    await name("united corp", other, "external_id");
    await name("united rail", number, "company");
    await env.DB.prepare(
      "INSERT INTO agreements (workspace, version, accepted_by, accepted_at) VALUES (?, '1', 'A', ?)",
    )
      .bind(ref, NOW)
      .run();
    expect(await called("UNITED")).toEqual(["acct_1", "Ünited-Corp"]);
    const reader = await signedIn((await workspace.newKey(["read"])).key);
    expect(await called("UNITED", reader)).toEqual(["Ünited-Corp"]);
    await env.DB.prepare("UPDATE agreements SET withdrawn_at = 1 WHERE workspace = ?").bind(ref).run();
    expect(await called("UNITED")).toEqual(["Ünited-Corp"]);
  });

  it("says so when more names begin so than it looks through", async () => {
    const { number: ref } = await workspace.ref();
    const name = (from: number, to: number) =>
      env.DB.prepare(
        `WITH RECURSIVE s (n) AS (SELECT ?2 UNION ALL SELECT n + 1 FROM s WHERE n < ?3)
        INSERT INTO names SELECT ?1, 'u' || n, 'user', n, 'external_id', 'u' || n FROM s`,
      )
        .bind(ref, from, to)
        .run();
    await name(1, 5_000);
    expect((await list("?q=u")).html).not.toContain("than is looked through");
    await name(5_001, 5_001);
    expect((await list("?q=u")).html).toContain("More begins with “u” than is looked through.");
  });

  it("finds nothing of another workspace", async () => {
    const other = await newWorkspace();
    await (await outcomesOf(other)).account("acme");
    expect(await called("acme")).toEqual([]);
  });
});

describe("who has none, and who may not look", () => {
  it("an empty workspace is shown the way to the first event", async () => {
    const { html } = await list();
    expect(html).toContain("No account yet");
    expect(linkTo(html, "Send the first event")).toBe(`/console/w/${workspace.id}/start`);
  });

  it("a filter that nothing passes leads back to all", async () => {
    await outcomes.account("acme");
    expect(linkTo((await list("?state=churned")).html, "Show all accounts")).toBe(path());
  });

  it("nothing of another workspace is shown to a key's session", async () => {
    const other = await newWorkspace();
    const key = await signedIn(other.key);
    expect((await list("", key)).status).toBe(404);
    await outcomes.account("acme");
    const own = await outcomesOf(other);
    await own.account("globex");
    expect(named((await key.get(`/console/w/${other.id}/accounts`)).html)).toEqual(["globex"]);
  });

  it("without a session it leads to the sign-in", async () => {
    expect(await list("", browser())).toMatchObject({ status: 303 });
  });
});
