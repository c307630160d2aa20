/** What a person does on each page. The workers tests check all other details. */
import type { Page } from "playwright-core";
import { expect } from "vitest";

import { browserTest } from "./harness/browser-test.ts";
import { PICTURE, SCRIPT } from "./harness/fill.ts";
import { openTab, signIn, submitSecret } from "./harness/actions.ts";

const SIGN_IN = /\/console\/sign-in/;
const MESSAGE = { type: "track", userId: "u1", event: "Opened" };

const accountsOn = (page: Page): Promise<string[]> => page.getByRole("rowheader").getByRole("link").allTextContents();
browserTest(
  "signs in after a wrong secret, and opens the page that was asked for",
  async ({ page, service, watch }) => {
    const wanted = `/console/w/${service.full.id}/accounts?sort=trend`;
    await page.goto(wanted);
    expect(page.url()).toMatch(SIGN_IN);
    watch.expectRefusal(401);
    await submitSecret(page, "bik_000000000000000000000000000000");
    await page.getByRole("alert").getByText("Invalid key or token").waitFor();
    expect(await page.locator("input[name=secret]").inputValue()).toBe("");
    await submitSecret(page, service.full.key);
    await page.waitForURL(service.url + wanted);

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(SIGN_IN);
    await page.goto(wanted);
    expect(page.url()).toMatch(SIGN_IN);
  },
);

browserTest("sorts, filters and searches accounts, and shows one with its reasons", async ({ page, service }) => {
  await signIn(page, service.full.key);
  await openTab(page, "Accounts");
  expect((await accountsOn(page)).slice(0, 3)).toEqual(["globex", PICTURE, SCRIPT]);

  const title = (name: string) => page.getByRole("columnheader", { name });
  await page.evaluate(() => scrollTo(0, 100));
  await title("MRR").getByRole("link").click();
  await expect.poll(() => accountsOn(page)).toEqual(expect.objectContaining({ 0: "globex", 1: "hooli", 2: "acme" }));
  expect(await title("MRR").getAttribute("aria-sort")).toBe("descending");
  expect(new URL(page.url()).search).toBe("?sort=mrr");
  // Only the list is replaced: the page keeps its position, and the title the focus.
  expect(await page.evaluate(() => [scrollY, document.activeElement?.id])).toEqual([100, "sort-mrr"]);
  await page.getByLabel("Health").focus();
  await page.getByLabel("Health").selectOption({ label: "At risk (3)" });
  await expect.poll(() => accountsOn(page)).toEqual(["globex", PICTURE, SCRIPT]);
  expect(new URL(page.url()).search).toBe("?state=at_risk&sort=mrr");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("by-state");
  await page.goBack();
  await expect.poll(() => accountsOn(page)).toHaveLength(50);
  await page.goForward();
  await expect.poll(() => accountsOn(page)).toEqual(["globex", PICTURE, SCRIPT]);
  await page.getByLabel("Health").selectOption("");
  await expect.poll(() => accountsOn(page)).toHaveLength(50);
  await page.getByLabel("Search").fill("nobody");
  await page.getByLabel("Search").press("Enter");
  await page.getByText("No matching accounts").waitFor();
  await page.getByLabel("Search").fill("LOB");
  await page.getByLabel("Search").press("Enter");

  await page.getByRole("link", { name: "globex", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "globex" }).waitFor();
  const main = page.getByRole("main");
  await main.getByText("caps the score").waitFor();
  await main.getByRole("img", { name: /Score of globex/ }).waitFor();
  await main.getByRole("row", { name: /globex-1/ }).waitFor();
  await main.getByRole("row", { name: /report\.exported .*−\d+%/ }).waitFor();
  await main
    .getByRole("link", { name: /^View in inbox: .*globex/ })
    .first()
    .click();
  await page.getByRole("complementary").getByRole("link", { name: "globex" }).waitFor();
});

browserTest("saves a view, opens it, exports it and deletes it", async ({ page, service }) => {
  const workspace = await service.createWorkspace();
  expect(await service.send(workspace, [{ ...MESSAGE, properties: { company_id: "acme" } }])).toBe(200);
  await signIn(page, workspace.key);
  await openTab(page, "Accounts");
  const views = page.getByRole("navigation", { name: "Views" });
  await page.getByLabel("Stage").selectOption("Customer");
  await page.getByText("Save view").click();
  await page.getByLabel("Name of the view").fill("Customers");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await views.locator("[aria-current=page]").getByText("Customers").waitFor();
  await views.getByRole("link", { name: "All accounts" }).click();
  await views.locator("[aria-current=page]").getByText("All accounts").waitFor();
  await views.getByRole("link", { name: "Customers" }).click();
  await expect.poll(() => page.getByLabel("Stage").inputValue()).toBe("active");
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export CSV" }).click();
  expect((await download).suggestedFilename()).toBe("accounts.csv");
  await page.getByRole("button", { name: "Delete view" }).click();
  await expect.poll(() => views.getByRole("link").allTextContents()).toEqual(["All accounts", "New accounts"]);
});

browserTest("shows the pages of a search, and no search in an address", async ({ page, service }) => {
  const workspace = await service.createWorkspace();
  const accounts = Array.from({ length: 60 }, (_, place) => `acme-${place}`);
  const messages = accounts.map((id) => ({
    type: "track",
    userId: id,
    event: "Opened",
    properties: { company_id: id },
  }));
  expect(await service.send(workspace, messages)).toBe(200);
  await signIn(page, workspace.key);
  await openTab(page, "Accounts");
  await page.getByLabel("Search").fill("acme");
  await page.getByLabel("Search").press("Enter");
  await expect.poll(() => accountsOn(page)).toHaveLength(50);
  await page.getByRole("button", { name: "Next page" }).click();
  await expect.poll(() => accountsOn(page)).toHaveLength(10);
  await page.getByRole("button", { name: "First page" }).click();
  await expect.poll(() => accountsOn(page)).toHaveLength(50);
  await page.getByRole("columnheader", { name: "Account" }).getByRole("button").click();
  await expect
    .poll(() => accountsOn(page))
    .toEqual(expect.objectContaining({ 0: "acme-0", 1: "acme-1", 2: "acme-10" }));
  expect(page.url()).not.toContain("acme");
});

browserTest("creates a key that works, once, and revokes it", async ({ page, service }) => {
  const workspace = await service.createWorkspace();
  await signIn(page, service.adminToken);
  await page.goto(`/console/w/${workspace.id}/settings/keys`);
  await page.getByRole("textbox", { name: "Name" }).last().fill("Website");
  await page.getByRole("button", { name: "Create key" }).click();
  const key = (await page.getByText(/^bik_\w+$/).textContent()) ?? "";
  expect(await service.send({ ...workspace, key }, [MESSAGE])).toBe(200);

  await page.reload();
  await page.getByRole("status").getByText("This key already exists").waitFor();
  expect(await page.getByText(/bik_\w/).count()).toBe(0);
  const row = page.getByRole("row", { name: /Website/ });
  expect(await row.count()).toBe(1);
  await row.getByText("Revoke", { exact: true }).click();
  await row.getByRole("button", { name: /^Revoke key/ }).click();
  await page.getByRole("status").getByText("Key revoked").waitFor();
  expect(await service.send({ ...workspace, key }, [MESSAGE])).toBe(401);
});

browserTest("changes the limit, and accepts and withdraws the agreement", async ({ page, service }) => {
  const workspace = await service.createWorkspace();
  expect(await service.send(workspace, [MESSAGE])).toBe(200);
  const attach = () => service.attach(workspace, { userId: "u1", traits: { name: "Jo Doe" } });
  await signIn(page, service.adminToken);
  await page.goto(`/console/w/${workspace.id}/settings`);
  await page.getByRole("link", { name: "Privacy" }).click();
  await page.getByText("The controller is the company").waitFor();
  await page.getByLabel("Accepted by").fill("Jo Doe, Acme");
  await page.getByLabel("Version").fill("2026-01");
  await page.getByRole("button", { name: "Accept agreement" }).click();
  await page.getByText("Version 2026-01, by Jo Doe, Acme").waitFor();
  expect(await attach()).toBe(200);
  await page.getByText("Withdraw", { exact: true }).click();
  await page.getByRole("button", { name: "Withdraw and erase identity traits" }).click();
  await page.getByText("Names and e-mail addresses can’t be attached").waitFor();
  expect(await attach()).toBe(403);

  await page.getByRole("link", { name: "General" }).click();
  await page.getByLabel("Limit (messages per 10 s)").fill("1");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByRole("status").getByText("Workspace updated").waitFor();
  expect(await service.send(workspace, [MESSAGE, MESSAGE])).toBe(429);
});

browserTest("links each page of the settings to its documentation", async ({ page, service }) => {
  await signIn(page, service.adminToken);
  for (const section of ["", "/keys", "/privacy", "/destinations", "/system"]) {
    await page.goto(`/console/w/${service.full.id}/settings${section}`);
    await page.getByRole("link", { name: "Documentation" }).click();
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await page.title()).toMatch(/ · Behavior Ingest$/);
  }
  await page.getByRole("link", { name: "All pages" }).click();
  await page.getByRole("heading", { name: "Documentation" }).waitFor();
  await page.getByRole("link", { name: "senders", exact: true }).click();
  await page.waitForURL("/console/docs/senders");
});
