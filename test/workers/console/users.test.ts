/** The page of one user. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";

import { track } from "../support/messages.ts";
import { DAY, NOW, type Outcomes, outcomesOf } from "../support/outcomes.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
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
  return () => vi.useRealTimers();
});

const page = async (id: string, as: Browser = admin) => as.get(`/console/w/${workspace.id}/users/${id}`);

/** Adds an account of the user with uses on these days. */
async function uses(user: number, account: number, event: number, days: readonly number[]): Promise<void> {
  for (const day of days) await outcomes.rollup(account, day, event, { user, count: 2 });
  await env.DB.prepare("INSERT INTO user_accounts VALUES (?, ?, ?, ?)")
    .bind(user, account, Math.min(...days), Math.max(...days))
    .run();
}

it("shows who a user is, and what they do in all their accounts", async () => {
  const [acme, globex] = [await outcomes.account("acme"), await outcomes.account("globex")];
  const user = await outcomes.user("u1", acme.number);
  const other = await outcomes.user("u2", acme.number);
  const [exported, shared] = [await outcomes.eventName("report.exported"), await outcomes.eventName("board.shared")];
  await uses(user.number, acme.number, exported, [DAY, DAY - 3, DAY - 40]);
  await uses(user.number, globex.number, shared, [DAY - 3, DAY - 80]);
  await uses(other.number, acme.number, shared, [DAY]);
  await outcomes.trait("user", user.number, "role", "admin");
  await outcomes.trait("user", user.number, "joined_on", "2029-05-01");
  const { status, html } = await page(user.id);
  expect(status).toBe(200);
  const text = textOf(html);
  expect(text).toContain("u1 admin");
  expect(text).toMatch(/Active days 2 in the last 28 days Active days 4 /);
  expect(text).toMatch(/acme current .* 7 Jan 2030 globex /);
  expect(text).toMatch(/report\.exported 4 \+100% .* board\.shared 2 new /);
  expect(text).not.toContain("u2");
  expect(text).toContain("Joined on 1 May 2029");
  expect(html).toContain("Events of u1 over 90 days: from 0 to 2, lowest 0, highest 4");
  expect((await page(`${user.id}?range=30`)).html).toContain("Events of u1 over 30 days");
});

it("includes events that are not folded yet", async () => {
  await workspace.post(
    "/api/v1/cdp",
    track({ event: "Board Shared", userId: "u1", properties: { accountId: "acme" } }),
  );
  const { number } = await workspace.ref();
  const id = await env.DB.prepare("SELECT id FROM users WHERE workspace = ?").bind(number).first<string>("id");
  const text = textOf((await page(id ?? "")).html);
  expect(text).toMatch(/Active days 1 in the last 28 days/);
  expect(text).toContain("acme current – –");
  expect(text).toMatch(/Newest events .* board\.shared/);
});

it("shows names only in sessions with the scope “identity”", async () => {
  const acme = await outcomes.account("acme");
  const user = await outcomes.user("u1", acme.number);
  await workspace.accept();
  await workspace.attach({
    accountId: "acme",
    userId: "u1",
    traits: { company: "Acme Inc", name: "Ann Lee", email: "ann@acme.example" },
  });
  const { html } = await page(user.id);
  expect(html).toContain("<h1>Ann Lee</h1>");
  expect(textOf(html)).toContain("u1 · ann@acme.example");
  expect(html).toContain("Acme Inc");
  const seen = (await page(user.id, await signedIn((await workspace.newKey(["read"])).key))).html;
  expect(seen).toContain("<h1>u1</h1>");
  expect(seen).not.toMatch(/Ann Lee|Acme Inc|ann@/);
});

it("shows no name of an erased user", async () => {
  const user = await outcomes.user("ann", (await outcomes.account("acme")).number);
  expect((await workspace.erase("ann")).status).toBe(200);
  expect((await page(user.id)).html).toContain("<h1>(erased)</h1>");
});

it("is 404 for an unknown user, an external id, and one of another workspace", async () => {
  const foreign = await (await outcomesOf(await newWorkspace())).user("u1");
  await outcomes.user("u1");
  for (const id of ["u1", "usr_none", "%00", foreign.id]) expect([id, (await page(id)).status]).toEqual([id, 404]);
});
