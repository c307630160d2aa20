/** Asking questions in the console. */
import { env } from "cloudflare:workers";
import { html as rendered } from "hono/html";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { AnswerView } from "../../../src/console/ask/answer-view.tsx";
import { MAX_QUESTION_CHARS } from "../../../src/config.ts";
import { recompute } from "../../../src/services/recompute/recompute-workspaces.ts";
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
const ask = (q: string) => page.post(at, { q });
const askQuery = (query: unknown) => page.post(at, { query: JSON.stringify(query) });

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', "#39": "'", lt: "<", gt: ">", amp: "&" };

/** The buttons that ask, with what they send. */
const buttonsOn = (html: string): { text: string; sent: Record<string, string> }[] =>
  [...html.matchAll(/<button type="submit" name="(\w+)" value="([^"]*)">(.*?)<\/button>/gs)].map(
    ([, name = "", value = "", text = ""]) => ({
      text: textOf(text),
      sent: { [name]: value.replaceAll(/&(quot|#39|lt|gt|amp);/g, (entity, code) => ENTITIES[code] ?? entity) },
    }),
  );

const questionOn = (html: string): string => textOf(/id="q"[^>]* value="([^"]*)"/.exec(html)?.[1] ?? "");

describe("an answer", () => {
  it("is a sentence, with its interpretation, its period and its evidence", async () => {
    const id = await send(track("acme"), track("acme"), track("acme"));
    const { status, html } = await ask("How many events did acme have in the last 7 days?");
    expect(status).toBe(200);
    expect(html).toContain('class="answer-text">The account acme had 3 events in the last 7 days (');
    const text = textOf(html);
    expect(text).toContain("How many events from the account acme were there in the last 7 days?");
    expect(text).toContain("acme, found by id");
    expect(text).toMatch(/Events counted, \d+ \w+( \d+)? to \d+ \w+ \d+ 3 \d{4}-\d\d-\d\d \d\d:\d\d/);
    expect(html).toContain(`Account: <a href="/console/w/${workspace.id}/accounts/${id}">acme</a>`);
    expect(questionOn(html)).toBe("How many events did acme have in the last 7 days?");
  });

  it("that is a list links to the accounts, and has a table of those that it leaves out", async () => {
    const others = Array.from({ length: 11 }, (_, number) => track(`other-${number}`));
    await send(track("acme"), track("acme"), track("a/b c"), ...others);
    const { html } = await ask("Top 20 accounts by events");
    const [lines = "", table = ""] = html.slice(html.indexOf('class="answer-lines"')).split("<table");
    expect(textOf(lines)).toContain("acme: 2 events");
    expect(textOf(lines)).toContain("and 3 more");
    expect(textOf(table)).toContain("Name Events acme 2");
    for (const part of [lines, table]) {
      expect(part).toContain(`<a href="/console/w/${workspace.id}/accounts/acme">acme</a>`);
      expect(part).toContain(`<a href="/console/w/${workspace.id}/accounts/a%2Fb%20c">a/b c</a>`);
    }
    expect(lines).not.toContain("/accounts/other-9");
    expect(table).toContain("/accounts/other-9");
    expect((await page.get(`/console/w/${workspace.id}/accounts/a%2Fb%20c`)).status).toBe(200);
  });

  it("that ranks two currencies links to the accounts of both", async () => {
    const paying = ["EUR", "USD"].flatMap((currency) =>
      Array.from({ length: 12 }, (_, mrr) => group(`${currency}-${mrr}`, { mrr, currency })),
    );
    await send(...paying);
    const { html } = await ask("Top 12 accounts by MRR");
    const [lines = ""] = html.slice(html.indexOf('class="answer-lines"')).split("</ul>");
    expect([...lines.matchAll(/href="[^"]*\/accounts\/(\w+)-/g)].map(([, currency]) => currency)).toEqual(
      ["EUR", "USD"].flatMap((currency) => Array.from({ length: 10 }, () => currency)),
    );
  });

  it("doesn't link accounts whose ids browsers would remove from paths", async () => {
    await send(track(".."), track("acme"));
    const { html } = await ask("Top 5 accounts by events");
    expect(textOf(html)).toContain("..: 1 event");
    expect(html).not.toContain("/accounts/..");
    expect(html).toContain('/accounts/acme"');
  });

  it("about users links to their accounts", async () => {
    await send(track("acme"), track("globex"));
    const measure = "account";
    const { html } = await askQuery({ find: "users", show: "list", measure });
    expect(html).toContain(`<td><a href="/console/w/${workspace.id}/accounts/acme">acme</a></td>`);
  });

  it("shows amounts with their currency, and what is unknown as a dash", async () => {
    const others = Array.from({ length: 9 }, (_, number) => track(`other-${number}`));
    const [euros, yens] = [group("acme", { mrr: 1200, currency: "EUR" }), group("globex", { mrr: 9, currency: "JPY" })];
    await send(euros, yens, ...others);
    const { html } = await askQuery({ find: "accounts", show: "list", with: ["mrr"] });
    expect(textOf(html)).toContain("Name MRR acme €1,200 globex ¥9 other-0 –");
  });

  it("names the spelling that it corrected", async () => {
    await send(track("globex"));
    const text = textOf((await ask("When was gloebx last seen?")).html);
    expect(text).toContain('I read "gloebx" as globex.');
    expect(text).toContain("Medium confidence");
    expect(text).toContain("found by a similar name");
  });

  it("escapes names that are markup", async () => {
    const name = `<img src=x onerror=alert(1)>"'&`;
    await send(track(name, name), group(name, { plan: name, industry: name, mrr: 5 }));
    const pages = [
      await page.get(at),
      await ask(`How many events did "${name.replace('"', '""')}" have?`),
      await ask("Top 5 accounts by MRR"),
    ];
    for (const { html } of pages) {
      expect(html).toContain("&lt;img src=x");
      expect(html).not.toContain("<img src=x");
    }
  });
});

describe("§15.6 a refusal", () => {
  it.each([
    ["Will acme churn?", "I can’t predict the future"],
    ["Should I call acme?", "I can’t give advice"],
    ["What is the NPS of acme?", "This is not recorded"],
    ["What's the weather?", "This is not about your accounts"],
    ["How many events did acme have in 2019?", "No data for this period"],
  ])("%s: %s", async (question, reason) => {
    await send(track("acme"));
    const { status, html } = await ask(question);
    expect(status).toBe(200);
    expect(titlesOn(html)[0]).toBe(reason);
    expect(questionOn(html)).toBe(question);
  });

  it("offers each reading of an ambiguous question as a button that answers it", async () => {
    await send(track("Uniq-GmbH"), track("uniq.gmbh"));
    const { html } = await ask("When was uniq gmbh last seen?");
    expect(titlesOn(html)[0]).toBe("Did you mean one of these?");
    const options = buttonsOn(html);
    expect(options.map(({ text }) => text)).toEqual([
      "When was the account Uniq-GmbH last active?",
      "When was the account uniq.gmbh last active?",
    ]);
    for (const { text, sent } of options) {
      const answer = await page.post(at, sent);
      expect(answer.html).toContain('class="answer-text"');
      expect(questionOn(answer.html)).toBe(text);
    }
  });

  it("lists the accounts and users that may be meant, with links to the accounts", async () => {
    const ids = [await send(track("acme north")), await send(track("acme south"))];
    const { html } = await ask("When was acme last seen?");
    expect(titlesOn(html)[0]).toBe("More than one account or user has this name");
    for (const id of ids)
      expect(html).toContain(`<li>account <a href="/console/w/${workspace.id}/accounts/${id}">acme `);
  });

  it("offers the nearest question as a button that answers it", async () => {
    await send(track("acme"));
    const where = [{ dimension: "account", is: "acme" }];
    const query = { find: "accounts", where, show: "when", measure: "last_seen" } as const;
    const nearestAnswerable = { query, restated: 'When was the account "acme" last active?' };
    const freshness = { lastEventAt: null, lastRecomputeAt: null, firstDay: null, isBehind: false };
    const written = { refusal: { reason: "unmeasured_attribute", detail: "" } } as const;
    const answered = { written, asked: null, subject: null, window: null, freshness, nearestAnswerable };
    const [button] = buttonsOn((await rendered`${AnswerView({ workspace, answered })}`).toString());
    expect(button).toEqual({ text: nearestAnswerable.restated, sent: { query: JSON.stringify(query) } });
    expect((await page.post(at, button?.sent)).html).toContain("The account acme was last active on ");
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

  it.each(["{", "{}", '{"find":"accounts","show":"value"}', '{"find":"accounts","show":"list","limit":1e9}'])(
    "is an error of the form for the query %s",
    async (query) => {
      const { status, html } = await page.post(at, { query });
      expect(status).toBe(400);
      expect(textOf(html)).toContain("This query is invalid.");
    },
  );

  it("names an account of a query that is unknown", async () => {
    const where = [{ dimension: "account", is: "nobody" }];
    const { html } = await askQuery({ find: "accounts", where, show: "summary" });
    expect(titlesOn(html)[0]).toBe("No account or user with this name");
  });
});

describe("before a question", () => {
  it("there are no examples without an account", async () => {
    const { html } = await page.get(at);
    expect(textOf(html)).toContain("No data to ask about yet");
    expect(html).toContain(`href="/console/w/${workspace.id}/start"`);
  });

  it("the examples name what the workspace has, and have answers", async () => {
    const days = Array.from({ length: 60 }, (_, day) => new Date(Date.now() - day * DAY_MS).toISOString());
    await send(
      ...days.map((timestamp) => ({ ...track("globex"), timestamp })),
      ...days.slice(0, 9).map((timestamp) => ({ ...track("globex", "report.shared"), timestamp })),
      track("acme"),
      group("acme", { mrr: 10 }),
      group("globex", { mrr: 900, plan: "pro", industry: "retail" }),
    );
    await recompute(env, { now: Date.now(), trigger: "admin", clock: Date.now, budgetMs: 60_000 });
    const examples = buttonsOn((await page.get(at)).html);
    expect(examples.map(({ text }) => text)).toEqual([
      "Tell me about the account globex",
      "Why is the health of the account globex as it is?",
      "Accounts that are at risk",
      "Accounts on the pro plan, highest MRR first",
      "How many accounts have the industry retail?",
      "Which 5 accounts that used report.exported had the most events in the last 28 days?",
      "Which 5 accounts had the most events in the last 28 days?",
    ]);
    for (const { text, sent } of examples) {
      const { html } = await page.post(at, sent);
      expect(html, text).toContain('class="answer-text"');
      expect(questionOn(html)).toBe(text);
    }
  });

  it("the examples have answers as soon as there is an account, whatever its name", async () => {
    await send(track(`the "best" accounts`));
    const examples = buttonsOn((await page.get(at)).html);
    expect(examples[0]?.text).toBe('Tell me about the account "the ""best"" accounts"');
    for (const { text, sent } of examples)
      expect((await page.post(at, sent)).html, text).toContain('class="answer-text"');
  });

  it("ignores a question in the address", async () => {
    await send(track("acme"));
    const { status, html } = await page.get(`${at}?q=When+was+acme+last+seen%3F`);
    expect(status).toBe(200);
    expect(questionOn(html)).toBe("");
    expect(titlesOn(html)).toEqual(["Examples"]);
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
  expect((await page.get(at)).status).toBe(403);
  expect((await ask("Which accounts are at risk?")).status).toBe(403);
  expect((await askQuery({ find: "accounts", show: "list" })).status).toBe(403);
});

it("refuses questions from another site", async () => {
  const { status } = await page.post(at, { q: "Which accounts are at risk?" }, { Origin: "https://elsewhere.test" });
  expect(status).toBe(403);
});

it("answers nothing in another workspace", async () => {
  await send(track("acme"));
  const other = await signedIn((await newWorkspace()).key);
  for (const form of [{ q: "All accounts" }, { query: JSON.stringify({ find: "accounts", show: "list" }) }]) {
    expect((await page.post(at, form)).html).toContain("acme");
    const { status, html } = await other.post(at, form);
    expect(status).toBe(404);
    expect(html).not.toContain("acme");
  }
});
