/** The CSV of the account list. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { markOwner } from "../support/destinations.ts";
import { DAY, DAY_MS, NOW, type Outcomes, outcomesOf } from "../support/outcomes.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
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
const dateIn = (days: number) => new Date(NOW + days * DAY_MS).toISOString();

/** Stores the values that the fold finds in messages. */
const addValues = async (dimension: string, values: readonly unknown[]) => {
  const { number } = await workspace.ref();
  const insert = env.DB.prepare("INSERT INTO dimension_values (workspace, dimension, value) VALUES (?, ?, ?)");
  await env.DB.batch(values.map((value) => insert.bind(number, dimension, JSON.stringify(value))));
};

const csv = async (query = "", as = browser) => (await as.get(path(`/export.csv${query}`))).html;

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
