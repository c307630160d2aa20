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
  await page.goto("/console/workspaces");
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

const track = (event: string, more = {}) => ({ type: "track", userId: "u1", event, ...more });

browserTest(
  "shows messages and counts without a reload, and keeps what a person does there",
  async ({ page, service }) => {
    const workspace = await service.createWorkspace();
    await signIn(page, workspace.key);
    await openTab(page, "Live");
    await page.getByText("No messages yet").waitFor();
    const isTheSame = await remember(page);
    const rows = page.locator("table.log tbody tr:not(.opened)");

    const named = track("Report Exported", { messageId: "m1", properties: { company_id: "acme" } });
    expect(await service.send(workspace, [named, named, track("?!")])).toBe(200);
    await rows.filter({ hasText: "report.exported" }).getByRole("link", { name: "acme" }).waitFor();
    await rows.filter({ hasText: "invalid message" }).waitFor();
    const figure = (name: string) => page.locator(".stat").filter({ hasText: name }).locator("dd").first();
    for (const [name, count] of Object.entries({ Stored: "1", Rejected: "1" })) {
      await expect.poll(() => figure(name).textContent(), { timeout: 15_000 }).toBe(count);
    }
    await page.getByText("3 of 100 messages").waitFor();

    // What is being typed, and the focus, stay when more arrives.
    await page.getByLabel("Search").fill("m1");
    await service.send(workspace, [track("Board Shared")]);
    await rows.filter({ hasText: "board.shared" }).waitFor();
    expect(await page.getByLabel("Search").inputValue()).toBe("m1");
    const range = page.getByRole("navigation", { name: "Time range" }).getByRole("link").nth(1);
    await range.focus();
    await expect.poll(() => figure("Stored").textContent(), { timeout: 15_000 }).toBe("2");
    expect(await range.evaluate((link) => link === document.activeElement)).toBe(true);

    // An opened message stays where it is, because the log is held.
    await page.getByRole("button", { name: "Open report.exported" }).click();
    await page.getByText("properties.company_id").waitFor();
    await page.getByRole("button", { name: "Copy as JSON" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const copied: unknown = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
    expect(copied).toMatchObject({ messageId: "m1", event: "report.exported", accountId: "acme", userId: "u1" });
    await service.send(workspace, [track("Page Printed")]);
    await page.getByRole("link", { name: "Resume" }).click();
    await rows.filter({ hasText: "page.printed" }).waitFor();
    await service.send(workspace, [track("Form Sent")]);
    await rows.filter({ hasText: "form.sent" }).waitFor();

    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("link", { name: "Resume" }).waitFor();
    await page.getByLabel("Search").fill("m1");
    await page.getByLabel("Search").press("Enter");
    await expect.poll(() => rows.count()).toBe(1);
    expect(page.url()).not.toContain("m1");
    await page.getByRole("button", { name: "Rejected" }).click();
    await page.getByText("Nothing found").waitFor();
    await page.getByRole("link", { name: "Clear" }).click();
    await rows.filter({ hasText: "invalid message" }).waitFor();
    expect(await rows.count()).toBe(1);
    expect(await isTheSame()).toBe(true);
  },
);
