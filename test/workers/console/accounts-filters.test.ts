/** The filters of the account list, its saved views and its CSV. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { markOwner } from "../support/destinations.ts";
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

const path = (rest = "") => `/console/w/${workspace.id}/accounts${rest}`;
const namesIn = (html: string): string =>
  [...html.matchAll(/<th scope="row"><a href="[^"]*">([^<]*)<\/a>/g)]
    .map(([, name = ""]) => name)
    .toSorted()
    .join();
const listed = async (query: string) => namesIn((await browser.get(path(query))).html);
const dateIn = (days: number) => new Date(NOW + days * DAY_MS).toISOString();

/** Stores the values that the fold finds in messages. */
const addValues = async (dimension: string, values: readonly unknown[]) => {
  const { number } = await workspace.ref();
  const insert = env.DB.prepare("INSERT INTO dimension_values (workspace, dimension, value) VALUES (?, ?, ?)");
  await env.DB.batch(values.map((value) => insert.bind(number, dimension, JSON.stringify(value))));
};

const optionsOf = (html: string, name: string): string[] | null => {
  const [, options] = new RegExp(`<select name="${name}"[^>]*>(.*?)</select>`, "s").exec(html) ?? [];
  return options === undefined ? null : [...options.matchAll(/<option[^>]*>([^<]*)/g)].map(([, text = ""]) => text);
};

const save = (name: string, query: string) => browser.post(path("/views"), { name, query });
const viewsIn = (html: string) =>
  [...html.matchAll(/<a href="([^"]*)"(?: aria-current="(page)")?>([^<]*)<\/a>/g)]
    .filter(([, href = ""]) => href.includes("/accounts?"))
    .map(
      ([, href = "", isPresent, name]) =>
        `${name}${isPresent ? "*" : ""} ${href.replaceAll("&amp;", "&").split("?")[1]}`,
    );
const csv = async (query = "", as = browser) => (await as.get(path(`/export.csv${query}`))).html;

describe("filters", () => {
  it("list the accounts of a plan, a stage, whatever the sender calls it, and an owner or none", async () => {
    const { number } = await outcomes.account("a", { attributes: { plan: "pro", stage: "Free Trial" } });
    await outcomes.account("b", { attributes: { plan: "team", stage: "paying" } });
    await outcomes.account("c", { attributes: { stage: "cancelled" } });
    await markOwner(number, "Ann");
    expect(await listed("?plan=pro")).toBe("a");
    expect(await listed("?stage=trial")).toBe("a");
    expect(await listed("?stage=active")).toBe("b");
    expect(await listed("?stage=churned")).toBe("c");
    expect(await listed("?owner=Ann")).toBe("a");
    expect(await listed("?owner=%28nobody%29")).toBe("b,c");
    expect(await listed("?owner=%28nobody%29&stage=churned")).toBe("c");
    expect(await listed("?stage=unheard-of")).toBe("a,b,c");
  });

  it("list the accounts whose contract ends soon, or has ended", async () => {
    for (const [name, days] of [
      ["a", -1],
      ["b", 0],
      ["c", 30],
      ["d", 31],
      ["e", 180],
      ["f", 181],
    ] as const) {
      await outcomes.account(name, { attributes: { contractEndsAt: dateIn(days) } });
    }
    await outcomes.account("without");
    expect(await listed("?renewal=30")).toBe("b,c");
    expect(await listed("?renewal=90")).toBe("b,c,d");
    expect(await listed("?renewal=180")).toBe("b,c,d,e");
    expect(await listed("?renewal=past")).toBe("a");
    expect(textOf((await browser.get(path("?renewal=30"))).html)).toContain("7 Feb 2030");
  });

  it("list the accounts that use few, many or nearly all of their seats", async () => {
    for (const [name, seats, users] of [
      ["a", 100, 49],
      ["b", 100, 50],
      ["c", 100, 90],
      ["d", 100, 91],
      ["e", 0, 1],
      ["f", null, 1],
    ] as const) {
      const { number } = await outcomes.account(name, { attributes: { seats } });
      await outcomes.accountDay(
        number,
        DAY,
        Array.from({ length: users }, (_, user) => user + 1),
      );
    }
    expect(await listed("?seats=low")).toBe("a");
    expect(await listed("?seats=medium")).toBe("b,c");
    expect(await listed("?seats=high")).toBe("d");
    expect(textOf((await browser.get(path("?seats=high"))).html)).toContain("91 / 100");
  });

  it("count no active users in a workspace where that reads too much, and say so", async () => {
    const { number } = await outcomes.account("a", { attributes: { seats: 2 } });
    await outcomes.accountDay(number, DAY, [1]);
    expect(await listed("?seats=medium")).toBe("a");
    await env.DB.prepare(
      "INSERT INTO workspace_days (workspace, day, events, accounts, user_days) VALUES (?, ?, 1, 1, 820000)",
    )
      .bind((await workspace.ref()).number, DAY)
      .run();
    const { html } = await browser.get(path("?seats=medium"));
    expect(namesIn(html)).toBe("");
    expect(textOf(html)).toContain("Too many users are active in this workspace to sort by users");
    expect(await listed("?sort=users")).toBe("a");
    expect((await browser.get(path())).html).not.toContain("Too many users");
  });

  it("offer plans and traits with 2 to 20 values, and owners", async () => {
    const { number } = await outcomes.account("a");
    await markOwner(number, "Ann");
    await addValues("plan", ["pro", "team"]);
    await addValues("account.region", ["EMEA", "APAC"]);
    await addValues("account.tier", [1, 2, 3]);
    await addValues("account.beta_user", [true, false]);
    await addValues("account.single", ["one"]);
    await addValues(
      "account.city",
      Array.from({ length: 21 }, (_, place) => `city ${place}`),
    );
    await addValues("user.role", ["admin", "member"]);
    const { html } = await browser.get(path());
    expect(optionsOf(html, "plan")).toEqual(["Any plan", "pro", "team"]);
    expect(optionsOf(html, "trait.region")).toEqual(["Any region", "APAC", "EMEA"]);
    expect(optionsOf(html, "trait.tier")).toEqual(["Any tier", "1", "2", "3"]);
    expect(optionsOf(html, "trait.beta_user")).toEqual(["Any beta user", "false", "true"]);
    for (const name of ["trait.single", "trait.city", "trait.role"]) expect(optionsOf(html, name)).toBeNull();
    expect(optionsOf(html, "owner")).toEqual(["Any owner", "Nobody", "Ann"]);
    expect(textOf(html)).toContain("More filters Tier Any tier");
  });

  it("list the accounts with the value of a trait, a text, a number or a boolean", async () => {
    for (const [name, value] of [
      ["a", "5"],
      ["b", 5],
      ["c", true],
      ["d", "EMEA"],
    ] as const) {
      const { number } = await outcomes.account(name);
      await outcomes.trait("account", number, "x", value);
    }
    expect(await listed("?trait.x=5")).toBe("a,b");
    expect(await listed("?trait.x=true")).toBe("c");
    expect(await listed("?trait.x=EMEA&state=healthy")).toBe("d");
    expect(await listed("?trait.x=EMEA&state=watch")).toBe("");
    expect(await listed("?trait.y=EMEA")).toBe("");
  });

  it("stay in the address when the form is sent, and show a value that is no longer offered", async () => {
    await outcomes.account("a");
    const form = {
      q: "",
      state: "",
      plan: "pro & more",
      "trait.region": "EMEA",
      sort: "-mrr",
      seats: "low",
      nonsense: "1",
    };
    const { status, location } = await browser.post(path(), form);
    expect([status, location]).toEqual([303, path("?plan=pro+%26+more&seats=low&sort=-mrr&trait.region=EMEA")]);
    await addValues("account.region", ["APAC", "LATAM"]);
    const { html } = await browser.get(location ?? "");
    expect(html).toContain('<option value="EMEA" selected="">EMEA</option>');
  });
});

describe("saved views", () => {
  it("are tabs that show the filters again, until they are deleted", async () => {
    await outcomes.account("a");
    const saved = await save("At risk of Ada", "state=at_risk&owner=Ada&sort=-mrr&nonsense=1&seats=all");
    expect(saved).toMatchObject({ status: 303, location: path("?state=at_risk&owner=Ada&sort=-mrr") });
    await save("Trials", "stage=trial");
    const { html } = await browser.get(saved.location ?? "");
    expect(viewsIn(html).slice(0, 2)).toEqual([
      "At risk of Ada* state=at_risk&owner=Ada&sort=-mrr",
      "Trials stage=trial",
    ]);
    expect(html).toContain("Delete view");
    expect((await browser.get(path())).html).not.toMatch(/Delete view|Save view/);
    expect((await browser.get(path("?stage=active"))).html).toContain("Save view");
    const deleted = await browser.post(path("/views/delete"), { name: "At risk of Ada" });
    expect(deleted).toMatchObject({ status: 303, location: path() });
    expect(viewsIn((await browser.get(path())).html)).toEqual(["Trials stage=trial"]);
  });

  it("have different names, at most 20", async () => {
    await outcomes.account("a");
    for (let place = 0; place < 20; place += 1) expect((await save(`view ${place}`, "stage=trial")).status).toBe(303);
    const refused = await save("one more", "stage=active");
    expect(refused.status).toBe(400);
    expect(textOf(refused.html)).toContain("There are 20 views already. Delete one first.");
    expect((await save("view 3", "stage=trial")).status).toBe(303);
    const taken = await save("view 3", "stage=churned");
    expect(taken.status).toBe(400);
    expect(textOf(taken.html)).toContain("“Name of the view” is the name of another view.");
    expect(taken.html).toContain('name="query" value="stage=churned"');
    expect(viewsIn((await browser.get(path())).html)).toContain("view 3 stage=trial");
  });

  it.each(["", "  ", "x".repeat(61), "two\nlines"])("refuse the name %j, and keep the filters", async (name) => {
    await outcomes.account("a");
    const refused = await save(name, "stage=trial&trait.region=EMEA");
    expect(refused.status).toBe(400);
    expect(textOf(refused.html)).toContain("“Name of the view” must have 1 to 60 characters");
    expect(refused.html).toContain('name="query" value="stage=trial&amp;trait.region=EMEA"');
  });

  it("are shown to sessions without the scope inbox, which can't change them", async () => {
    await outcomes.account("a");
    await save("Trials", "stage=trial");
    browser = await signedIn((await workspace.newKey(["read"])).key);
    const { html } = await browser.get(path("?stage=trial"));
    expect(viewsIn(html)).toEqual(["Trials* stage=trial"]);
    expect(html).not.toMatch(/Delete view/);
    expect((await save("More", "stage=active")).status).toBe(403);
    expect((await browser.post(path("/views/delete"), { name: "Trials" })).status).toBe(403);
  });

  it("refuse filters that make a long address", async () => {
    await outcomes.account("a");
    const refused = await save(
      "long",
      `trait.x=${"x".repeat(100)}&trait.y=${"y".repeat(100)}&trait.z=${"z".repeat(100)}`,
    );
    expect(refused.status).toBe(400);
    expect(textOf(refused.html)).toContain("These are too many filters for a view.");
  });
});

describe("the CSV", () => {
  it("has a row for each account that matches, with its traits", async () => {
    await workspace.accept();
    const { number } = await outcomes.account("acme", {
      attributes: { mrr: 1200.5, currency: "EUR", plan: "pro", stage: "paying", seats: 4, contractEndsAt: dateIn(3) },
      health: { score: 52.25, state: "watch", trend: -3.5 },
    });
    await outcomes.account("globex");
    await outcomes.accountDay(number, DAY, [1, 2]);
    await outcomes.trait("account", number, "region", "EMEA");
    await outcomes.trait("account", number, "beta", true);
    await outcomes.trait("account", number, "other", "not shown");
    await addValues("account.region", ["EMEA", "APAC"]);
    await addValues("account.beta", [true, false]);
    await addValues("plan", ["pro", "team"]);
    await workspace.attach({ accountId: "acme", traits: { company: 'Acme, "Inc"' } });
    await markOwner(number, "Ann");
    const [head, row, end, ...rest] = (await csv("?state=watch")).split("\r\n");
    expect(head).toBe(
      "id,name,state,score,trend,mrr,currency,plan,stage,seats,active users,owner,last active,contract end,beta,region",
    );
    expect(row).toBe(
      'acme,"Acme, ""Inc""",watch,52.25,-3.5,1200.5,EUR,pro,paying,4,2,Ann,2030-01-07T06:00:00.000Z,2030-01-11,true,EMEA',
    );
    expect([end, rest]).toEqual(["", []]);
    expect((await csv()).split("\r\n")).toHaveLength(4);
    const reader = await signedIn((await workspace.newKey(["read"])).key);
    expect(await csv("", reader)).not.toMatch(/name|Acme/);
    const { headers } = await browser.get(path("/export.csv"));
    expect(headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("Content-Disposition")).toBe('attachment; filename="accounts.csv"');
  });

  it("has no cell that a spreadsheet runs", async () => {
    for (const [place, start] of ["=", "+", "-", "@", "\t", "\r"].entries()) {
      await outcomes.account(`${place}`, { attributes: { plan: `${start}1+1` } });
    }
    await outcomes.account("=cmd()");
    const text = await csv();
    expect(text).toContain(",'=1+1,");
    expect(text).toContain("\n'=cmd(),");
    expect(text.match(/,"?'[=+\-@\t\r]1\+1/g)).toHaveLength(6);
    expect(text).not.toMatch(/(?:^|,|\n)"?[=+@\t]/);
  });

  it("has every account of a workspace with more than one page, once, but no superseded one", async () => {
    const { number } = await workspace.ref();
    await env.DB.prepare(
      `WITH RECURSIVE series (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM series WHERE value < 2500)
      INSERT INTO accounts (number, id, workspace, kind, external_id, created_at)
      SELECT (?1 << 32) + value, ?1 || 'acc_' || value, ?1, 'company', 'a' || value, 0 FROM series`,
    )
      .bind(number)
      .run();
    const { number: joined } = await outcomes.account("acme");
    await outcomes.soloAccount("ann", {}, joined);
    const ids = (await csv())
      .trim()
      .split("\r\n")
      .slice(1)
      .map((row) => row.split(",")[0]);
    expect(ids).toHaveLength(2_501);
    expect(new Set(ids).size).toBe(2_501);
    expect(ids).not.toContain("ann");
  });
});
