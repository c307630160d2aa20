/** The costs of the pages of large accounts, their users and features: round trips, scans, rows read and bytes. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";

import { MAX_READ_UNITS } from "../../../src/db/ask/query/shared-statement.ts";
import { breakdown, type Meter, newMeter } from "../costs/meter.ts";
import { outcomesOf, setRuns } from "../support/outcomes.ts";
import { insertAccounts, lastNumber, scansIn, SERIES } from "./support/many-accounts.ts";
import { bytesOf, MAX_PAGE_BYTES } from "./support/page-text.ts";
import { type Browser, signedIn } from "./support/signed-in.ts";

const DAY_MS = 86_400_000;
const TODAY = Math.floor(Date.now() / DAY_MS);
const DAYS = 365;

let meter: Meter;
let browser: Browser;
let workspace: number;

beforeAll(async () => {
  meter = await newMeter();
  browser = await signedIn(meter.workspace.key);
  ({ number: workspace } = await meter.workspace.ref());
  await setRuns({ asOf: Date.now() });
});

const cost = (path: string) =>
  meter.request("GET", `/console/w/${meter.workspace.id}${path}`, undefined, { Cookie: browser.cookie });
const pageBytes = async (path: string) => bytesOf((await browser.get(`/console/w/${meter.workspace.id}${path}`)).html);

describe("an account of 5,000 daily users, with a year of history", () => {
  const USERS = 5_000;
  const ROLLUP_DAYS = 30;
  let account: { number: number; id: string };

  beforeAll(async () => {
    account = await (await outcomesOf(meter.workspace)).account("giant");
    const { number } = account;
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO users (number, id, workspace, external_id, account, created_at)
        SELECT ${lastNumber("users")} + value, printf('usr_%024d', value), ?1, printf('u%d', value), ?3, 0 FROM ${SERIES}`,
      ).bind(workspace, USERS, number),
      env.DB.prepare(
        `INSERT INTO event_names (number, workspace, name) SELECT ${lastNumber("event_names")} + value, ?1, printf('event.%d', value) FROM ${SERIES}`,
      ).bind(workspace, 20),
      env.DB.prepare(
        `INSERT INTO health_days (account, day, state, score, coverage, losses)
        SELECT ?1, ?3 - value, iif(value % 2, 'watch', 'healthy'), value % 101 + 0.25, 1, '[]' FROM ${SERIES}`,
      ).bind(number, DAYS + 90, TODAY),
      env.DB.prepare(
        `INSERT INTO account_days SELECT ?1, ?3 - value, 20, ?4 - value,
          (SELECT json_group_array(number & 0xffffffff) FROM users WHERE workspace = ?5),
          (SELECT json_group_object(number & 0xffffffff, json('[7,[1,2,3]]')) FROM event_names WHERE workspace = ?5)
        FROM ${SERIES}`,
      ).bind(number, DAYS + 90, TODAY, USERS, workspace),
      env.DB.prepare(
        `INSERT INTO rollups SELECT ?1, ?3 - value, u.number, (SELECT min(number) FROM event_names WHERE workspace = ?4), 1, 1
        FROM ${SERIES}, users u WHERE u.workspace = ?4`,
      ).bind(number, ROLLUP_DAYS, TODAY, workspace),
      env.DB.prepare("INSERT INTO user_accounts SELECT number, account, ?2, ?3 FROM users WHERE workspace = ?1").bind(
        workspace,
        TODAY - ROLLUP_DAYS,
        TODAY - 1,
      ),
    ]);
  });

  it.each(["", "?range=30", "?range=365", "?range=365&users=40", "?range=365&since=2020-01-01"])(
    "stays within the budget of a query at %s",
    async (query) => {
      const since = new Date((TODAY - 100) * DAY_MS).toISOString().slice(0, 10);
      const path = `/accounts/${account.id}${query.replace("2020-01-01", since)}`;
      const read = await cost(path);
      expect(read).toMatchObject({ status: 200, trips: 2, objectCalls: 0, written: 0 });
      expect(read.read, breakdown(read)).toBeLessThan(MAX_READ_UNITS);
      expect(await scansIn(read)).toEqual([]);
      expect(await pageBytes(path)).toBeLessThan(MAX_PAGE_BYTES);
    },
  );

  it("reads two rows more for each day more of the charts, and none for its users", async () => {
    const [short, long] = [
      await cost(`/accounts/${account.id}?range=90`),
      await cost(`/accounts/${account.id}?range=365`),
    ];
    expect((long.read - short.read) / (DAYS - 90), breakdown(long)).toBeLessThan(5);
  });

  it("has users whose pages read their own days", async () => {
    const id = await env.DB.prepare("SELECT id FROM users WHERE workspace = ?").bind(workspace).first<string>("id");
    const read = await cost(`/users/${id}?range=365`);
    expect(read).toMatchObject({ status: 200, trips: 2, objectCalls: 0, written: 0 });
    expect(read.read, breakdown(read)).toBeLessThan(10 * DAYS);
    expect(await scansIn(read)).toEqual([]);
    expect(await pageBytes(`/users/${id}?range=365`)).toBeLessThan(MAX_PAGE_BYTES);
  });
});

describe("50,000 accounts", () => {
  const ACCOUNTS = 50_000;
  const ACTIVE_DAYS = 10;

  beforeAll(async () => {
    await env.DB.batch([
      env.DB.prepare("DELETE FROM account_days"),
      insertAccounts(workspace, ACCOUNTS, "a-company %05d"),
      env.DB.prepare(
        `INSERT INTO account_days SELECT number, ?3 - value, 3, 1, '[1]', iif(number % 3, '{"1":[7,[1]],"2":[1,[]]}', '{"2":[1,[]]}')
        FROM ${SERIES}, accounts WHERE workspace = ?1`,
      ).bind(workspace, ACTIVE_DAYS, TODAY),
      env.DB.prepare(`INSERT INTO workspace_days SELECT ?1, ?3 - value, 150000, ?4, 50000 FROM ${SERIES}`).bind(
        workspace,
        ACTIVE_DAYS,
        TODAY,
        ACCOUNTS,
      ),
    ]);
  });

  it("have features whose pages read fewer days", async () => {
    for (const path of ["/features/event.1", "/features"]) {
      const read = await cost(path);
      expect(read).toMatchObject({ status: 200, trips: 2, objectCalls: 0, written: 0 });
      expect(read.read, breakdown(read)).toBeLessThan(MAX_READ_UNITS);
      expect(await scansIn(read)).toEqual([]);
      expect(await pageBytes(path)).toBeLessThan(MAX_PAGE_BYTES);
    }
  });
});
