/** Pages that update by themselves: the start page and the live page. */
import { execFileSync } from "node:child_process";

import type { Page } from "playwright-core";
import { expect } from "vitest";

import { browserTest } from "./harness/browser-test.ts";
import { openTab, signIn } from "./harness/actions.ts";

/** Returns a function that tells whether the page is still the same document. */
async function remember(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => Object.assign(globalThis, { isTheSame: true }));
  return () => page.evaluate(() => Reflect.has(globalThis, "isTheSame"));
}

browserTest("creates a workspace once, and shows the first event as it arrives", async ({ page, service }) => {
  await signIn(page, service.adminToken);
  await page.getByLabel("Name").fill("   ");
  await page.getByLabel("Limit (messages per 10 s)").fill("250");
  await page.getByRole("button", { name: "Create workspace" }).click();
  expect(await page.locator("input:invalid").getAttribute("name")).toBe("name");
  expect(await page.getByLabel("Limit (messages per 10 s)").inputValue()).toBe("250");
  await page.getByLabel("Name").fill("First steps");
  await page.getByRole("button", { name: "Create workspace" }).click();
  await page.getByRole("heading", { name: "First steps is ready" }).waitFor();

  const curl = page.locator(".snippet").filter({ hasText: "curl http" });
  await curl.getByRole("button", { name: "Copy" }).click();
  await curl.getByRole("button", { name: "Copied" }).waitFor();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(execFileSync("bash", ["-c", command], { encoding: "utf8", stdio: "pipe" })).toContain('"ok":true');
  await page.getByText("Your first event arrived").waitFor();
  await page.getByText("report.exported from acme").waitFor();
  await page.getByText(/^bik_\w+$/).waitFor();

  await page.reload();
  await page.getByText("This workspace already exists").waitFor();
  expect(await page.getByText(/bik_\w/).count()).toBe(0);
  await page.getByRole("link", { name: "View accounts" }).click();
  await page.getByRole("link", { name: "acme" }).waitFor();
  await page.getByRole("link", { name: "Workspaces" }).click();
  expect(await page.getByRole("link", { name: "First steps" }).count()).toBe(1);
});

browserTest("shows why a first message was rejected", async ({ page, service }) => {
  const workspace = await service.createWorkspace();
  await signIn(page, workspace.key);
  await openTab(page, "Get started");
  await page.getByText("Waiting for your first event").waitFor();
  expect(await service.send(workspace, [{ type: "track", userId: "u1" }])).toBe(200);
  await page.getByText("A message was rejected").waitFor();
  await page.getByText(/^event\b/).waitFor();
});

browserTest("shows messages, rejects and counts without a reload, and keeps the focus", async ({ page, service }) => {
  const workspace = await service.createWorkspace();
  await signIn(page, workspace.key);
  await openTab(page, "Live");
  await page.getByText("No messages yet").waitFor();
  const isTheSame = await remember(page);

  const stored = { type: "track", messageId: "m1", userId: "u1", event: "Report Exported" };
  const named = { ...stored, properties: { company_id: "acme" } };
  expect(await service.send(workspace, [named, named, { type: "track", userId: "u1", event: "?!" }])).toBe(200);
  const message = page.getByRole("listitem").filter({ hasText: "report.exported" });
  await message.getByRole("link", { name: "acme" }).waitFor();
  await message.getByText("Processing details").click();
  await message.getByText("properties.company_id").waitFor();
  const reject = page.getByRole("listitem").filter({ hasText: "invalid message" });
  await reject.getByText("event").first().waitFor();

  // Opened details stay open and keep the focus when more arrives.
  await service.send(workspace, [{ type: "track", userId: "u1", event: "Board Shared" }]);
  await page.getByText("board.shared").first().waitFor();
  expect(await message.getByText("properties.company_id").isVisible()).toBe(true);
  expect(await message.locator("summary").evaluate((summary) => summary === document.activeElement)).toBe(true);
  const range = page.getByRole("navigation", { name: "Time range" }).getByRole("link").nth(1);
  await range.focus();
  const figure = (name: string) => page.locator(".stat").filter({ hasText: name }).locator("dd").first();
  for (const [name, count] of Object.entries({ Stored: "2", Rejected: "1" })) {
    await expect.poll(() => figure(name).textContent(), { timeout: 15_000 }).toBe(count);
  }
  await page.getByText("4 of 100 messages").waitFor();
  expect(await range.evaluate((link) => link === document.activeElement)).toBe(true);
  expect(await isTheSame()).toBe(true);
});
