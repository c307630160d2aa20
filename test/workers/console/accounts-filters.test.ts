/** The filters of the account list, and its saved views. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { truncate } from "../../../src/console/components/truncate.ts";
import { markOwner } from "../support/destinations.ts";
import { DAY, DAY_MS, NOW, type Outcomes, outcomesOf } from "../support/outcomes.ts";
import { admin as adminApi, newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { addressesOn, ownerIdOn, textOf } from "./support/page-text.ts";
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
const ownerId = async (name: string) => ownerIdOn((await browser.get(path())).html, name);
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
    expect(await listed(`?owner=${await ownerId("Ann")}`)).toBe("a");
    expect(await listed("?owner=%28nobody%29")).toBe("b,c");
    expect(await listed("?owner=%28nobody%29&stage=churned")).toBe("c");
    expect(await listed("?stage=unheard-of")).toBe("a,b,c");
  });

  it("say how many accounts they find on all pages, and their MRR by currency, ranked by rates", async () => {
    for (const [name, mrr, currency, plan] of [
      ["a", 100, "EUR", "pro"],
      ["b", 250.5, "EUR", "pro"],
      ["c", 900, "SEK", "pro"],
      ["d", 7, null, "pro"],
      ["e", 40, "GBP", "pro"],
      ["f", null, "EUR", "pro"],
      ["g", 5_000, "EUR", "team"],
    ] as const) {
      await outcomes.account(name, { attributes: { mrr, currency, plan } });
    }
    await addValues("currency", ["EUR", "SEK"]);
    const found = async (query: string) =>
      textOf(/<p class="note">(\d+ account.*?)<\/p>/.exec((await browser.get(path(query))).html)?.[1] ?? "");
    expect(await found("?plan=pro")).toBe(
      "6 accounts · MRR including churned SEK 900 + €351 + 7, without 1 account with other currencies",
    );
    await adminApi("PATCH", `/workspaces/${workspace.id}`, { rates: { EUR: 1.08, SEK: 0.1 }, currency: "USD" });
    expect(await found("?plan=pro&sort=name")).toContain("MRR including churned €351 + SEK 900 + 7,");
    const { number } = await workspace.ref();
    await env.DB.prepare("UPDATE accounts SET attributes = '{}' WHERE workspace = ?").bind(number).run();
    for (let more = 0; more < 45; more += 1) await outcomes.account(`more ${more}`);
    const [, next = ""] = /href="([^"]*)">Next page/.exec((await browser.get(path())).html) ?? [];
    expect((await browser.get(next)).html).toContain('<p class="note">52 accounts</p>');
  });

  it("have no names of owners in addresses, which mean nothing in another workspace", async () => {
    const long = "漢".repeat(128);
    for (const owner of ["Ada Lovelace", long]) await markOwner((await outcomes.account(owner[0] ?? "")).number, owner);
    const { html } = await browser.get(path());
    for (const owner of ["Ada Lovelace", long]) {
      const filtered = await browser.get(path(`?owner=${ownerIdOn(html, truncate(owner))}`));
      expect(namesIn(filtered.html)).toBe(owner[0]);
      expect(addressesOn(html + filtered.html)).not.toMatch(/Ada|Lovelace|漢|%E6%BC%A2/);
    }
    // The name itself is no id.
    expect(await listed("?owner=Ada+Lovelace")).toBe("A,漢");
    const other = await newWorkspace();
    const theirs = await outcomesOf(other);
    await markOwner((await theirs.account("theirs")).number, "Bob");
    const page = await (
      await signedIn(other.key)
    ).get(`/console/w/${other.id}/accounts?owner=${ownerIdOn(html, "Ada Lovelace")}`);
    expect(namesIn(page.html)).toBe("theirs");
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
    await markOwner((await outcomes.account("a")).number, "Ada");
    const ada = await ownerId("Ada");
    const saved = await save("At risk of Ada", `state=at_risk&owner=${ada}&sort=-mrr&nonsense=1&seats=all`);
    expect(saved).toMatchObject({ status: 303, location: path(`?state=at_risk&owner=${ada}&sort=-mrr`) });
    await save("Trials", "stage=trial");
    const { html } = await browser.get(saved.location ?? "");
    expect(viewsIn(html).slice(0, 2)).toEqual([
      `At risk of Ada* state=at_risk&owner=${ada}&sort=-mrr`,
      "Trials stage=trial",
    ]);
    expect(html).toContain("Delete view");
    expect((await browser.get(path())).html).not.toMatch(/Delete view|Save view/);
    expect((await browser.get(path("?stage=active"))).html).toContain("Save view");
    const deleted = await browser.post(path("/views/delete"), { name: "At risk of Ada" });
    expect(deleted).toMatchObject({ status: 303, location: path() });
    expect(viewsIn((await browser.get(path())).html)[0]).toBe("Trials stage=trial");
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
