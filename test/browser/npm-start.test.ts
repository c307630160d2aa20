/**
 * A real `npm start`: its sign-in link works, the event of its first command arrives, and pages of other origins send to it
 * with unmodified browser libraries, by the snippets that its console shows.
 */
import { execFileSync } from "node:child_process";

import type { BrowserContext, Frame, Page } from "playwright-core";
import { expect } from "vitest";

import { Reader, storedMessages } from "../e2e/senders/stored.ts";
import { type Service, startService } from "../harness/service.ts";
import { signIn } from "./harness/actions.ts";
import { browserTest as base } from "./harness/browser-test.ts";
import { serveWebApp } from "./harness/web-app.ts";

const LINK = /^ +(http:\S+\/console\/sign-in\?link=\S+)$/m;
const FIRST_COMMAND = /^ +curl .*?(?=\n\n)/ms;

const browserTest = base
  // oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern which fixtures one takes
  .extend("started", { scope: "file" }, async ({}, { onCleanup }): Promise<Service> => {
    const service = await startService();
    onCleanup(() => service[Symbol.asyncDispose]());
    return service;
  })
  .extend("origin", ({ started }) => started.url);

browserTest(
  "opens by the link that `npm start` prints, and shows the event of its first command",
  async ({ page, started }) => {
    await page.goto(LINK.exec(started.output())?.[1] ?? "");
    expect(new URL(page.url()).pathname).toMatch(/^\/console\/w\/ws_\w+\/live$/);
    await page.getByText("No messages yet").waitFor();

    const [command = ""] = FIRST_COMMAND.exec(started.output()) ?? [];
    expect(execFileSync("bash", ["-c", command], { encoding: "utf8" })).toContain('"ok":true');
    await page.getByRole("row").filter({ hasText: "report.exported" }).getByRole("link", { name: "acme" }).waitFor();
  },
);

browserTest("refuses changed and expired links", async ({ page, started, watch }) => {
  const link = new URL(LINK.exec(started.output())?.[1] ?? "");
  const [endsAt, signature] = (link.searchParams.get("link") ?? "").split(".");
  for (const changed of [`${Number(endsAt) + 1}.${signature}`, `1.${signature}`, `${endsAt}.`, "", "%"]) {
    watch.expectRefusal(403);
    link.searchParams.set("link", changed);
    await page.goto(link.href);
    await page.getByRole("alert").getByText("Link expired").waitFor();
  }
});

const LIBRARIES = ["@segment/analytics-next", "@rudderstack/analytics-js"] as const;
/** Half of the workspace's, which is the default of a key for pages. */
const KEY_LIMIT = 12;
const BURST = 12;
/** The libraries wait twice as long after each failure. Only prevents hanging. */
const DELIVERED_MS = 90_000;
const SLOW_MS = 180_000;

/** Creates a key for an origin on the page that shows the snippets. */
async function snippetsFor(page: Page, service: Service, workspace: { id: string }, origin: string) {
  await signIn(page, service.adminToken);
  await page.goto(`/console/w/${workspace.id}/start`);
  await page.getByLabel("Where do you send from?").selectOption("pages");
  await page.getByLabel("Origins of your web pages").fill(origin);
  await page.getByRole("button", { name: "Create a key" }).click();
  const textOf = async (label: string) => (await page.getByLabel(label, { exact: true }).textContent()) ?? "";
  const key = (await textOf("The new key")).trim();
  const [segment = "", rudder = ""] = await Promise.all(LIBRARIES.map((library) => textOf(`Script: ${library}`)));
  // The page would go on asking for the first event while the service restarts.
  await page.goto("about:blank");
  return { key, segment: segment.trim(), rudder: rudder.trim() };
}

/** Tracks as the app does. Both libraries have this call. */
const trackOn = (page: Page, event: string, count: number) =>
  page.evaluate(
    ([name, times]) => {
      for (let number = 0; number < times; number += 1) analytics.track(name, { number });
    },
    [event, count] as const,
  );

/** Collects where the pages of a context send requests to, and the answers with a status. */
function watchRequests(context: BrowserContext) {
  const hosts = new Set<string>();
  const waits: string[] = [];
  context.on("request", (request) => hosts.add(new URL(request.url()).origin));
  context.on("response", async (response) => {
    if (response.status() === 429) waits.push((await response.allHeaders())["retry-after"] ?? "");
  });
  return { hosts, waits };
}

browserTest(
  "§19 unmodified libraries deliver each event once, of its account, through a burst, a reload and a restart",
  { timeout: SLOW_MS },
  async ({ browser, page, started }) => {
    await using app = await serveWebApp();
    const reports = await Promise.all(
      LIBRARIES.map(async (library, index) => {
        const workspace = await started.createWorkspace({ writeLimit: 2 * KEY_LIMIT });
        return { library, workspace, reader: new Reader(started, workspace), path: `/${index}` };
      }),
    );
    for (const { library, workspace, path } of reports) {
      const { segment, rudder } = await snippetsFor(page, started, workspace, app.origin);
      await app.add(path, library === LIBRARIES[0] ? segment : rudder);
    }
    const context = await browser.newContext();
    const { hosts, waits } = watchRequests(context);
    const pages = await Promise.all(
      reports.map(async ({ path, reader }) => {
        const tab = await context.newPage();
        await tab.goto(app.origin + path);
        await expect.poll(() => reader.events()).toHaveLength(1);
        await trackOn(tab, "Clicked", BURST);
        await expect.poll(async () => (await reader.events()).length).toBeGreaterThan(5);
        return tab;
      }),
    );
    await expect.poll(() => waits.length).toBeGreaterThanOrEqual(2);
    expect(waits.every((wait) => Number(wait) >= 1)).toBe(true);
    await Promise.all(pages.map((tab) => tab.reload()));
    await Promise.all(pages.map((tab) => tab.waitForFunction(() => "analytics" in globalThis)));
    const restarted = started.restart();
    await Promise.all(pages.map((tab) => trackOn(tab, "Closed", 2)));
    await restarted;

    const expected = [...Array(BURST).fill("clicked"), "closed", "closed", "report.exported", "report.exported"];
    for (const { reader, workspace } of reports) {
      await expect
        .poll(async () => (await reader.events()).map(({ name }) => name).toSorted(), { timeout: DELIVERED_MS })
        .toEqual(expected);
      const events = await reader.events();
      expect(new Set(events.map(({ messageId }) => messageId)).size).toBe(expected.length);
      for (const { account, user } of events) expect([account?.externalId, user?.externalId]).toEqual(["acme", "u1"]);
      // Each load of the page also identified the user and grouped it. These may arrive after the events.
      await expect.poll(() => storedMessages(started, workspace), { timeout: DELIVERED_MS }).toBe(expected.length + 4);
    }
    expect([...hosts].toSorted()).toEqual([app.origin, started.url].toSorted());
    await context.close();
  },
);

/** Sends an event with a script of a page. @returns what the script can read of the responses */
const answersIn = (frame: Frame, url: string, key: string) =>
  frame.evaluate(
    async ([host, writeKey]) => {
      const headers = { authorization: `Basic ${btoa(`${writeKey}:`)}`, "x-retry-count": "1" };
      const body = JSON.stringify({ userId: "u1", event: "Forged" });
      const answers = [
        await fetch(`${host}/v1/t`, { method: "POST", headers, body }),
        await fetch(`${host}/v1/projects/${writeKey}/settings`),
        await fetch(`${host}/beacon/v1/batch?writeKey=${writeKey}`, { method: "POST", body, credentials: "include" }),
      ];
      return Promise.all(answers.map(async (answer) => [answer.status, Reflect.get(await answer.json(), "code")]));
    },
    [url, key] as const,
  );

browserTest(
  "§19 a beacon arrives when the visitor leaves, and pages of other origins can read that they are refused",
  { timeout: SLOW_MS },
  async ({ browser, page, started }) => {
    await using app = await serveWebApp();
    await using other = await serveWebApp();
    const workspace = await started.createWorkspace();
    const reader = new Reader(started, workspace);
    const { key, rudder } = await snippetsFor(page, started, workspace, app.origin);
    await app.add("/", rudder.replace("configUrl:", "useBeacon: true,\n  configUrl:"));
    const context = await browser.newContext();
    const { hosts } = watchRequests(context);
    const problems: string[] = [];
    context.on("console", (message) => problems.push(message.text()));
    const tab = await context.newPage();
    await tab.goto(app.origin);
    await tab.waitForFunction(() => "analytics" in globalThis);
    await tab.evaluate(() => new Promise<void>((resolve) => analytics.ready(resolve)));
    await trackOn(tab, "Closed", 1);
    await tab.goto(other.origin);
    await expect.poll(async () => (await reader.events()).map(({ name }) => name)).toHaveLength(2);
    expect(problems).toEqual([]);

    const refused = Array.from({ length: 3 }, () => [403, "origin_not_allowed"]);
    expect(await answersIn(tab.mainFrame(), started.url, key)).toEqual(refused);
    await tab.setContent('<iframe sandbox="allow-scripts" srcdoc="<title>No origin</title>"></iframe>');
    const [, sandboxed] = tab.frames();
    if (sandboxed === undefined) throw new Error("the page has no frame");
    expect(await answersIn(sandboxed, started.url, key)).toEqual(refused);
    expect((await reader.events()).map(({ name }) => name)).not.toContain("forged");
    expect([...hosts].toSorted()).toEqual([app.origin, other.origin, started.url].toSorted());
    await context.close();
  },
);
