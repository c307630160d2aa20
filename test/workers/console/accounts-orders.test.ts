/** The filters by health, the orders and the pages of the account list. */
import { beforeEach, describe, expect, it, vi } from "vitest";

import { CONSOLE_SORTS } from "../../../src/db/accounts/console-orders.ts";
import { DAY, NOW, type Outcomes, outcomesOf, setRuns } from "../support/outcomes.ts";
import { admin as adminApi, newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { textOf } from "./support/page-text.ts";
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

const order = async (sort: string) => namesIn((await list(`?sort=${sort}`)).html).join("");
const rowsOf = (html: string): string => textOf(/<tbody>(.*)<\/tbody>/s.exec(html)?.[1] ?? "").trim();

/** The target of the link with this text. */
function linkTo(html: string, text: string): string {
  const [, href] = new RegExp(`href="([^"]*)">${text}`).exec(html) ?? [];
  if (href === undefined) throw new Error(`no link says ${text}`);
  return href.replaceAll("&amp;", "&");
}

/** The title that sorts the table, with its direction. */
const sortedTitle = (html: string): string =>
  [...html.matchAll(/<th [^>]*aria-sort="(\w+ending)"[^>]*>(.*?)<\/th>/gs)]
    .map(([, direction, title]) => `${direction} ${textOf(title ?? "").trim()}`)
    .join();
const sortLink = (html: string, sort: string): string =>
  (new RegExp(`id="sort-${sort}" href="([^"]*)"`).exec(html)?.[1] ?? "").replaceAll("&amp;", "&");

describe("filters, orders and pages", () => {
  it("filters by state, and counts the accounts in each", async () => {
    await outcomes.account("well");
    await outcomes.account("ill", { health: { state: "at_risk", score: 20 } });
    const { html } = await list("?state=at_risk&sort=&q=");
    expect(namesIn(html)).toEqual(["ill"]);
    expect(html).toContain('<option value="at_risk" selected="">At risk (1)</option>');
    expect(linkTo((await list("?state=churned")).html, "Show all accounts")).toBe(path());
  });

  it("sorts by score, trend, time and name, and by each in reverse", async () => {
    for (const [name, score, trend, lastEventAt] of [
      ["c", 50, null, NOW - 3],
      ["a", 80, 2, NOW - 2],
      ["b", 20, -9, NOW - 1],
    ] as const) {
      await outcomes.account(name, { health: { score, trend }, lastEventAt });
    }
    expect(await order("score")).toBe("bca");
    expect(await order("trend")).toBe("bac");
    expect(await order("lastSeen")).toBe("bac");
    expect(await order("name")).toBe("abc");
    expect(await order("-score")).toBe("acb");
    expect(await order("-trend")).toBe("abc");
    expect(await order("-lastSeen")).toBe("cab");
    expect(await order("-name")).toBe("cba");
  });

  it("sorts by MRR within each currency, accounts without an MRR last", async () => {
    await outcomes.account("n");
    for (const [name, mrr, currency] of [
      ["d", 900, undefined],
      ["c", 30, "USD"],
      ["b", 5, "EUR"],
      ["a", 20, "EUR"],
    ] as const) {
      await outcomes.account(name, { attributes: { mrr, ...(currency && { currency }) } });
    }
    expect(await order("mrr")).toBe("abcdn");
    expect(await order("-mrr")).toBe("dcban");
  });

  it("sorts by MRR across currencies with the workspace’s rates", async () => {
    await outcomes.account("n");
    for (const [name, mrr, currency] of [
      ["d", 900, "SEK"],
      ["c", 100, "USD"],
      ["b", 95, "EUR"],
      ["a", 20, "EUR"],
    ] as const) {
      await outcomes.account(name, { attributes: { mrr, currency } });
    }
    await adminApi("PATCH", `/workspaces/${workspace.id}`, { rates: { EUR: 1.08, SEK: 0.1 }, currency: "USD" });
    expect(await order("mrr")).toBe("bcdan");
    expect(await order("-mrr")).toBe("adcbn");
    expect(rowsOf((await list("?sort=mrr")).html)).toMatch(/€95.*\$100.*SEK\s900/);
  });

  it("sorts by users, next renewal and company name, accounts without the value last", async () => {
    await workspace.accept();
    for (const [name, users, contractEndsAt, company] of [
      ["a", [1, 2], "2030-06-01T00:00:00.000Z", "yak"],
      ["b", [1, 2, 3], "2030-02-01T00:00:00.000Z", "Zebra"],
      ["c", [4], null, null],
    ] as const) {
      const { number } = await outcomes.account(name, { attributes: { contractEndsAt } });
      await outcomes.accountDay(number, DAY, users);
      if (company !== null) await workspace.attach({ accountId: name, traits: { company } });
    }
    expect(await order("users")).toBe("Zebrayakc");
    expect(await order("-users")).toBe("cyakZebra");
    expect(await order("renewal")).toBe("Zebrayakc");
    expect(await order("-renewal")).toBe("yakZebrac");
    expect(await order("name")).toBe("cyakZebra");
    const reader = await signedIn((await workspace.newKey(["read"])).key);
    expect(namesIn((await list("?sort=name", reader)).html)).toEqual(["a", "b", "c"]);
  });

  it("says which title sorts the table, and reverses the order on a second click", async () => {
    await outcomes.account("acme");
    const { html } = await list("?state=healthy");
    expect(sortedTitle(html)).toBe("ascending Health");
    expect(sortLink(html, "score")).toBe(path("?state=healthy&sort=-score"));
    const byMrr = await admin.get(sortLink(html, "mrr"));
    expect(sortedTitle(byMrr.html)).toBe("descending MRR");
    const reversed = await admin.get(sortLink(byMrr.html, "mrr"));
    expect(sortedTitle(reversed.html)).toBe("ascending MRR");
    expect(sortLink(reversed.html, "mrr")).toBe(path("?state=healthy&sort=mrr"));
  });

  it("shows each account on exactly one page, in each order", async () => {
    for (let place = 0; place < 120; place += 1) {
      const score = place % 7;
      const attributes = { mrr: score, currency: ["EUR", "USD"][place % 2] ?? "" };
      const fields = { health: { score, trend: score }, attributes, lastEventAt: NOW - score };
      await outcomes.account(`a${String((place * 37) % 120).padStart(3, "0")}`, fields);
    }
    for (const sort of [...CONSOLE_SORTS, ...CONSOLE_SORTS.map((each) => `-${each}`)]) {
      const first = (await list(`?sort=${sort}`)).html;
      expect(first).not.toContain("First page");
      const second = (await admin.get(linkTo(first, "Next page"))).html;
      const third = (await admin.get(linkTo(second, "Next page"))).html;
      expect(third).not.toContain("Next page");
      expect([first, second, third].map((html) => namesIn(html).length)).toEqual([50, 50, 20]);
      expect(new Set([first, second, third].flatMap(namesIn)).size).toBe(120);
      expect(linkTo(third, "← First page")).toBe(sort === "score" ? path() : path(`?sort=${sort}`));
    }
    const next = linkTo((await list()).html, "Next page");
    expect((await admin.get(`${next}&sort=trend`)).html).not.toContain("First page");
  });

  it.each(["?state=poorly", "?sort=color", "?cursor=nonsense"])("shows the first page for %s", async (query) => {
    await outcomes.account("acme");
    expect(namesIn((await list(query)).html)).toEqual(["acme"]);
  });
});
