/** Searches for accounts: in the list, and in the command palette while somebody types. */
import { beforeEach, describe, expect, it, vi } from "vitest";

import { interruptWithdrawal } from "../support/half-changed.ts";
import { capture } from "../support/messages.ts";
import { NOW, type Outcomes, outcomesOf } from "../support/outcomes.ts";
import { admin as adminApi, newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { addressesOn, textOf } from "./support/page-text.ts";
import { type Browser, signedIn } from "./support/signed-in.ts";

let workspace: TestWorkspace;
let outcomes: Outcomes;
let admin: Browser;

beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace();
  outcomes = await outcomesOf(workspace);
  admin = await signedIn();
  return () => vi.useRealTimers();
});

const path = (query = "") => `/console/w/${workspace.id}/accounts${query}`;
const list = async (query: string) => admin.get(path(query));
const namesIn = (html: string): string[] =>
  [...html.matchAll(/<th scope="row"><a href="[^"]*">([^<]*)<\/a>/g)].map(([, name = ""]) => name);
const search = (fields: Record<string, string>, as = admin) => as.post(path(), fields);
const found = async (q: string, as = admin) => namesIn((await search({ q }, as)).html).toSorted();

describe("search", () => {
  it("is posted, so that no address has what people search for; page by page", async () => {
    for (let place = 0; place < 60; place += 1) await outcomes.account(`acme-${place}`);
    await outcomes.account("globex");
    const filter = { q: "acme", state: "", sort: "trend" };
    const first = await search(filter);
    expect(first).toMatchObject({ status: 200, location: null });
    expect(first.html).not.toMatch(/(?:href|action)="[^"]*acme-?&|q=/);
    const cursor = /name="cursor" value="([^"]+)"/.exec(first.html)?.[1] ?? "";
    const second = await search({ ...filter, cursor });
    expect(second.html).not.toContain('name="cursor"');
    expect(new Set([first, second].flatMap(({ html }) => namesIn(html))).size).toBe(60);
    expect(namesIn((await search({ ...filter, q: "globex", cursor })).html)).toEqual(["globex"]);
    expect(namesIn((await list("?q=acme&sort=name")).html)).toHaveLength(50);
  });

  it("for nothing leads to an address that has the filter and the order", async () => {
    const shared = await search({ q: " ", state: "watch", sort: "trend" });
    expect(shared).toMatchObject({ status: 303, location: path("?state=watch&sort=trend") });
  });

  it("finds any part of an id", async () => {
    for (const name of ["acme", "acme-eu", "ACME-US", "globex", "100%_a", "meridian-air"]) await outcomes.account(name);
    expect(await found("acme")).toEqual(["ACME-US", "acme", "acme-eu"]);
    expect(await found("100%")).toEqual(["100%_a"]);
    expect(await found(" air ")).toEqual(["meridian-air"]);
    expect(await found("nobody")).toEqual([]);
  });

  it("finds any part of a name, whatever its accents; company names only with the scope identity", async () => {
    await workspace.accept();
    const { number } = await outcomes.account("acct_1");
    const { number: other } = await outcomes.account("Ünited-Corp");
    await outcomes.name("united corp", other, "external_id");
    await outcomes.name("meridian air united", number, "company");
    expect(await found("UNITED")).toEqual(["acct_1", "Ünited-Corp"]);
    expect(await found("Air")).toEqual(["acct_1"]);
    expect(await found("idian")).toEqual(["acct_1"]);
    const reader = await signedIn((await workspace.newKey(["read"])).key);
    expect(await found("UNITED", reader)).toEqual(["Ünited-Corp"]);
    await interruptWithdrawal(await workspace.ref());
    expect(await found("UNITED")).toEqual(["Ünited-Corp"]);
  });

  it("finds the account of a user by the beginning of a word; names of people only with the scope identity", async () => {
    await workspace.accept();
    await workspace.post("/api/v1/events", capture({ accountId: "globex", userId: "u-77" }));
    await workspace.post("/api/v1/events", capture({ accountId: "acme", userId: "u-88" }));
    await workspace.attach({ userId: "u-77", traits: { name: "Hélène Dubois", email: "hd@example.com" } });
    await adminApi("POST", "/recompute");
    const reader = await signedIn((await workspace.newKey(["read"])).key);
    for (const [q, all, own] of [
      ["helene d", ["globex"], []],
      ["Dub", ["globex"], []],
      ["hd@ex", ["globex"], []],
      ["u-7", ["globex"], ["globex"]],
      ["u", ["acme", "globex"], ["acme", "globex"]],
      ["ubois", [], []],
    ] as const) {
      expect([q, await found(q), await found(q, reader)]).toEqual([q, all, own]);
    }
    await interruptWithdrawal(await workspace.ref());
    expect(await found("Dub")).toEqual([]);
  });

  it("keeps the filters, the order and the search when a title sorts", async () => {
    for (const name of ["acme-1", "acme-2", "globex"]) await outcomes.account(name);
    const { html } = await search({ q: "acme", state: "healthy" });
    expect(html).toContain('type="submit" form="search" name="sort" value="name"');
    const sorted = await admin.post(path(), [
      ["sort", "score"],
      ["q", "acme"],
      ["state", "healthy"],
      ["sort", "-name"],
    ]);
    expect(namesIn(sorted.html)).toEqual(["acme-2", "acme-1"]);
  });

  it("finds neither erased accounts nor those of another workspace", async () => {
    await outcomes.soloAccount("ann");
    expect((await workspace.erase("ann")).status).toBe(200);
    await (await outcomesOf(await newWorkspace())).account("acc-of-others");
    expect(await found("acc")).toEqual([]);
  });
});

const hits = async (q: string, as = admin) =>
  [...(await as.post(path("/find"), { q })).html.matchAll(/<a [^>]*>(.*?)<\/a>/gs)].map(([, hit = ""]) =>
    textOf(hit).trim(),
  );

const sent = (q: string) => admin.post(path(), { q, opens: "only" });

describe("the palette", () => {
  it("lists accounts by the beginning of a word of their name, their id or a user's; names only with the scope identity", async () => {
    await workspace.accept();
    await workspace.post("/api/v1/events", capture({ accountId: "globex", userId: "u-77" }));
    await workspace.post("/api/v1/events", capture({ accountId: "acme", userId: "u-88" }));
    await adminApi("POST", "/recompute");
    await workspace.attach({ userId: "u-77", traits: { name: "Hélène Dubois" } });
    await workspace.attach({ accountId: "acme", traits: { company: "Meridian Air" } });
    // Its names are not in the index yet.
    await workspace.post("/api/v1/events", capture({ accountId: "acme-new", userId: "u-99" }));
    const reader = await signedIn((await workspace.newKey(["read"])).key);
    for (const [q, all, own] of [
      ["Dub", ["globex user Hélène Dubois"], []],
      ["meri", ["Meridian Air acme"], []],
      ["AIR", ["Meridian Air acme"], []],
      ["u-7", ["globex user Hélène Dubois"], ["globex user u-77"]],
      ["acme", ["Meridian Air acme", "acme-new"], ["acme", "acme-new"]],
      ["a", [], []],
      ["eridian", [], []],
      ["%%", [], []],
    ] as const) {
      expect([q, await hits(q), await hits(q, reader)]).toEqual([q, all, own]);
    }
    // Enter opens the only hit, and lists several.
    expect(await sent("Dub")).toMatchObject({ status: 303, location: expect.stringMatching(/\/accounts\/acc_\w+$/) });
    expect((await sent("acme")).status).toBe(200);
    await interruptWithdrawal(await workspace.ref());
    expect(await hits("Dub")).toEqual([]);
  });

  it("lists at most ten, of this workspace, without erased ones, and puts no text into addresses", async () => {
    for (let place = 0; place < 12; place += 1) {
      const { number } = await outcomes.account(`north-${place}`);
      await outcomes.name(`north ${place}`, number, "external_id");
    }
    await (await outcomesOf(await newWorkspace())).account("southwind");
    await outcomes.soloAccount("northern");
    await workspace.erase("northern");
    const { html } = await admin.post(path("/find"), { q: "nor" });
    expect(html.match(/<a /g)).toHaveLength(10);
    expect(html).not.toContain("northern");
    expect(addressesOn(html)).not.toContain("nor");
    expect(textOf((await admin.post(path("/find"), { q: "southwind" })).html)).toContain("No account, and no user");
  });
});
