/** Asking in the console: the API's answers in words, with everything that they stand on. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";

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
/** @returns the id of the account of the last of them */
const send = async (...batch: unknown[]): Promise<string> => {
  const { status, body } = await workspace.post("/api/v1/cdp", batch);
  expect(status).toBe(200);
  return body.account?.id ?? "";
};
const ask = (q: string) => page.get(`${at}?q=${encodeURIComponent(q)}`);

describe("an answer", () => {
  it("stands in words, with how it was understood, its days and its evidence", async () => {
    const id = await send(track("acme"), track("acme"), track("acme"));
    const { status, html } = await ask("How many reports did acme export in the last 7 days?");
    expect(status).toBe(200);
    expect(html).toMatch(/class="answer-text">&quot;acme&quot; had 3 &quot;report.exported&quot; events from /);
    const text = textOf(html);
    expect(text).toContain('How many events of type "report.exported" did the account "acme" have from ');
    expect(text).toContain("(“in the last 7 days”)");
    expect(text).toContain("acme, found by its id");
    expect(text).toMatch(/Events counted, \d+ \w+( \d+)? to \d+ \w+ \d+ 3 \d{4}-\d\d-\d\d \d\d:\d\d/);
    expect(text).toContain("Feature attribute report.exported");
    expect(text).toContain("Days are UTC.");
    expect(html).toContain(`href="/console/w/${workspace.id}/accounts/${id}"`);
    expect(html).toContain('value="How many reports did acme export in the last 7 days?"');
  });

  it("that is a list has its rows, each account with its page", async () => {
    const id = await send(track("globex"), track("acme"), track("acme"));
    const { html } = await ask("Which accounts use report.exported?");
    const rows = html.slice(html.indexOf("<table"), html.indexOf("</table>"));
    expect(textOf(rows)).toContain("Who Events acme 2 globex 1");
    expect(html).toContain(`/accounts/${id}">acme</a>`);
  });

  it("says that a misspelt name was taken for another", async () => {
    await send(track("globex"));
    const text = textOf((await ask("When was gloebx last seen?")).html);
    expect(text).toContain('Taking "gloebx" for "globex".');
    expect(text).toContain("Medium confidence");
    expect(text).toContain("found by a name that is nearly the same");
  });

  it("shows names and the question as text, whatever stands in them", async () => {
    const name = `<script>alert(1)</script>`;
    await send(track(name));
    const { html } = await ask(`When was "${name}" last seen?`);
    expect(html).not.toContain("<script>alert");
    expect(textOf(html)).toContain(`"${name}" was last seen`);
  });
});

describe("no answer", () => {
  it("tells the reason, and asks the nearest question by a link", async () => {
    await send(track("acme"));
    const { status, html } = await ask("How many events did acme have on mobile today?");
    expect(status).toBe(200);
    expect(titlesOn(html)[0]).toBe("Some of these words are not understood");
    const nearest = /This can be answered: <a href="([^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(textOf((await page.get(nearest)).html)).toContain('"acme" had 1 event on');
  });

  it("lists who may be meant, each with its page", async () => {
    const ids: string[] = [];
    for (const name of ["Uniq-GmbH", "uniq.gmbh"]) ids.push(await send(track(name)));
    const { html } = await ask("When was uniq gmbh last seen?");
    expect(titlesOn(html)[0]).toBe("Several have that name");
    for (const id of ids) expect(html).toContain(`/accounts/${id}">`);
  });

  it.each([
    ["Will acme churn?", "The future is not known here"],
    ["Should I call acme?", "That is for people to judge"],
    ["What is the NPS of acme?", "That is not measured here"],
    ["What's the weather?", "That is not about your accounts"],
    ["How many events did acme have in 2019?", "There are no records of that time"],
  ])("%s: %s", async (question, reason) => {
    await send(track("acme"));
    expect(titlesOn((await ask(question)).html)[0]).toBe(reason);
  });

  it.each(["", "   ", "x".repeat(MAX_QUESTION_CHARS + 1)])(
    "is a fault of the form for a question like %.9s",
    async (question) => {
      const { status, html } = await ask(question);
      expect(status).toBe(400);
      expect(textOf(html)).toContain(`“Your question” must have 1 to ${MAX_QUESTION_CHARS} characters.`);
      expect(html).toContain('aria-invalid="true"');
    },
  );
});

/** What is offered before anything was asked. */
const examples = async (): Promise<{ question: string; href: string }[]> => {
  const { html } = await page.get(at);
  return [...html.matchAll(/<li><a href="([^"]*)">(.*?)<\/a>/g)].map(([, href = "", question = ""]) => ({
    question: textOf(question),
    href: href.replaceAll("&amp;", "&"),
  }));
};

describe("before a question", () => {
  it("there is nothing to ask about without an account", async () => {
    const { html } = await page.get(at);
    expect(textOf(html)).toContain("There is nothing to ask about yet");
    expect(html).toContain(`href="/console/w/${workspace.id}/start"`);
  });

  it("there are examples with the account of the highest MRR and what it does most, and all are answered", async () => {
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

  it("an account whose name cannot be quoted is asked about by its id", async () => {
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

it("takes the scope “ask”", async () => {
  page = await signedIn((await workspace.newKey(["read"])).key);
  expect((await ask("Which accounts are at risk?")).status).toBe(403);
});

it("is 404 for a key of another workspace", async () => {
  page = await signedIn((await newWorkspace()).key);
  expect((await ask("Which accounts are at risk?")).status).toBe(404);
});
