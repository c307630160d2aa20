/** Asking questions in the console. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { accountLinks } from "../../../src/console/ask/account-links.ts";
import type { Answer } from "../../../src/core/ask/model.ts";
import { MAX_QUESTION_CHARS } from "../../../src/config.ts";
import { recompute } from "../../../src/services/recompute/recompute.ts";
import { DAY_MS } from "../support/outcomes.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { textOf, titlesOn } from "./support/page-text.ts";
import { type Browser, signedIn } from "./support/signed-in.ts";

let workspace: TestWorkspace;
let page: Browser;
let at: string;

beforeEach(async () => {
  workspace = await newWorkspace({ writeLimit: 1_000 });
  page = await signedIn(workspace.key);
  at = `/console/w/${workspace.id}/ask`;
});

const track = (accountId: string, event = "report.exported", userId = `${accountId}-u1`) => ({
  type: "track",
  accountId,
  userId,
  event,
});
const group = (groupId: string, traits: Record<string, unknown>) => ({
  type: "group",
  userId: `${groupId}-u1`,
  groupId,
  traits,
});
/** Sends messages, and returns the id of the last one's account. */
const send = async (...batch: unknown[]): Promise<string> => {
  const { status, body } = await workspace.post("/api/v1/cdp", batch);
  expect(status).toBe(200);
  return body.account?.id ?? "";
};
const ask = (q: string) => page.get(`${at}?q=${encodeURIComponent(q)}`);

describe("an answer", () => {
  it("has its interpretation, its period and its evidence", async () => {
    const id = await send(track("acme"), track("acme"), track("acme"));
    const { status, html } = await ask("How many reports did acme export in the last 7 days?");
    expect(status).toBe(200);
    expect(html).toMatch(/class="answer-text">&quot;acme&quot; had 3 &quot;report.exported&quot; events from /);
    const text = textOf(html);
    expect(text).toContain('How many events of type "report.exported" did the account "acme" have from ');
    expect(text).toContain("(“in the last 7 days”)");
    expect(text).toContain("acme, found by id");
    expect(text).toMatch(/Events counted, \d+ \w+( \d+)? to \d+ \w+ \d+ 3 \d{4}-\d\d-\d\d \d\d:\d\d/);
    expect(text).toContain("Feature attribute report.exported");
    expect(text).toContain("Days are UTC.");
    expect(html).toContain(`href="/console/w/${workspace.id}/accounts/${id}"`);
    expect(html).toContain('value="How many reports did acme export in the last 7 days?"');
  });

  it("that is a list has a table, which links to the accounts", async () => {
    const id = await send(track("globex"), track("acme"), track("acme"));
    const { html } = await ask("Which accounts use report.exported?");
    const rows = html.slice(html.indexOf("<table"), html.indexOf("</table>"));
    expect(textOf(rows)).toContain("Name Events acme 2 globex 1");
    expect(html).toContain(`/accounts/${id}">acme</a>`);
  });

  it("names the spelling that it corrected", async () => {
    await send(track("globex"));
    const text = textOf((await ask("When was gloebx last seen?")).html);
    expect(text).toContain('Taking "gloebx" for "globex".');
    expect(text).toContain("Medium confidence");
    expect(text).toContain("found by a similar name");
  });
});

describe("a refusal", () => {
  it("gives the reason, and links to the nearest question", async () => {
    await send(track("acme"));
    const { status, html } = await ask("How many events did acme have on mobile today?");
    expect(status).toBe(200);
    expect(titlesOn(html)[0]).toBe("I don’t understand some of these words");
    const nearest = /You can ask: <a href="([^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(textOf((await page.get(nearest)).html)).toContain('"acme" had 1 event on');
  });

  it("lists the accounts that may be meant, with links", async () => {
    const ids: string[] = [];
    for (const name of ["Uniq-GmbH", "uniq.gmbh"]) ids.push(await send(track(name)));
    const { html } = await ask("When was uniq gmbh last seen?");
    expect(titlesOn(html)[0]).toBe("Several accounts or users have this name");
    for (const id of ids) expect(html).toContain(`/accounts/${id}">`);
  });

  it.each([
    ["Will acme churn?", "I can’t predict the future"],
    ["Should I call acme?", "I can’t recommend that; see the inbox"],
    ["What is the NPS of acme?", "This is not measured"],
    ["What's the weather?", "This is not about your accounts"],
    ["How many events did acme have in 2019?", "No data for this period"],
  ])("%s: %s", async (question, reason) => {
    await send(track("acme"));
    expect(titlesOn((await ask(question)).html)[0]).toBe(reason);
  });

  it.each(["", "   ", "x".repeat(MAX_QUESTION_CHARS + 1)])(
    "is an error of the form for a question like %.9s",
    async (question) => {
      const { status, html } = await ask(question);
      expect(status).toBe(400);
      expect(textOf(html)).toContain(`“Your question” must have 1 to ${MAX_QUESTION_CHARS} characters.`);
      expect(html).toContain('aria-invalid="true"');
    },
  );
});

/** The example questions. */
const examples = async (): Promise<{ question: string; href: string }[]> => {
  const { html } = await page.get(at);
  return [...html.matchAll(/<li><a href="([^"]*)">(.*?)<\/a>/g)].map(([, href = "", question = ""]) => ({
    question: textOf(question),
    href: href.replaceAll("&amp;", "&"),
  }));
};

describe("before a question", () => {
  it("there are no examples without an account", async () => {
    const { html } = await page.get(at);
    expect(textOf(html)).toContain("No data to ask about yet");
    expect(html).toContain(`href="/console/w/${workspace.id}/start"`);
  });

  it("the examples are about the account with the highest MRR and its most frequent event, and have answers", async () => {
    const days = Array.from({ length: 60 }, (_, day) => new Date(Date.now() - day * DAY_MS).toISOString());
    await send(
      ...days.map((timestamp) => ({ ...track("globex"), timestamp })),
      ...days.slice(0, 9).map((timestamp) => ({ ...track("globex", "report.shared"), timestamp })),
      track("acme"),
      group("acme", { mrr: 10 }),
      group("globex", { mrr: 900, plan: "pro" }),
    );
    await recompute(env, { now: Date.now(), trigger: "admin", clock: Date.now, budgetMs: 60_000, retentionDays: 400 });
    const offered = await examples();
    const questions = offered.map(({ question }) => question);
    expect(questions).toContain('How healthy is "globex"?');
    expect(questions).toContain('Which accounts use "report.exported"?');
    expect(questions.join()).not.toContain("acme");
    for (const { href } of offered) expect((await page.get(href)).html).toContain('class="answer-text"');
  });

  it("the examples name an account by id if its name contains quotation marks", async () => {
    const id = await send(track(`the "best"`));
    const offered = await examples();
    expect(offered[0]?.question).toBe(`When was ${id} last seen?`);
    for (const { href } of offered) expect((await page.get(href)).html).toContain('class="answer-text"');
  });
});

it("§15.1 logs neither the question nor its answer", async () => {
  await send(track("acme"));
  const log = vi.spyOn(console, "log");
  await ask("When was acme last seen, pretty please?");
  const lines = log.mock.calls.flat().join("\n");
  expect(lines).toContain("console_ask");
  expect(lines).not.toMatch(/acme|pretty|seen/);
  log.mockRestore();
});

it("needs the scope “ask”", async () => {
  page = await signedIn((await workspace.newKey(["read"])).key);
  expect((await ask("Which accounts are at risk?")).status).toBe(403);
});

const listAnswer: Answer = {
  knows: true,
  answer: "2 accounts.",
  value: [{ id: "acc_1", externalId: ".." }],
  interpretation: { intent: "list", measure: "accounts", subject: null, restated: "Which accounts are there?" },
  window: null,
  evidence: [],
  confidence: "high",
};

describe("links to the accounts of an answer", () => {
  const links = accountLinks({ id: "ws_1" }, listAnswer);

  it("use the internal id if the answer gives it, and otherwise the external id", () => {
    expect(links("..")).toBe("/console/w/ws_1/accounts/acc_1");
    expect(links("../x y")).toBe("/console/w/ws_1/accounts/..%2Fx%20y");
  });

  it("are missing for ids that browsers would remove from paths", () => {
    expect(links(".")).toBeNull();
    expect(accountLinks({ id: "ws_1" }, { ...listAnswer, value: [] })("..")).toBeNull();
  });
});
