/** From nothing to the first event, as somebody does it who was given the admin token. */
import { execFileSync } from "node:child_process";

import { expect } from "vitest";

import { signIn } from "./harness/sign-in.ts";
import { openTab } from "./harness/tabs.ts";
import { walk } from "./harness/walk.ts";

walk("makes a workspace, copies what sends a first event, and sees it arrive", async ({ page, service }) => {
  await signIn(page, service.adminToken);
  await page.getByLabel("Name").fill("First steps");
  await page.getByRole("button", { name: "Make the workspace" }).click();
  await page.getByRole("heading", { name: "First steps is ready" }).waitFor();

  await page.getByText("Waiting for your first event").waitFor();

  const curl = page.locator(".snippet").filter({ hasText: "curl http" });
  await curl.getByRole("button", { name: "Copy" }).click();
  await curl.getByRole("button", { name: "Copied" }).waitFor();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(execFileSync("bash", ["-c", command], { encoding: "utf8", stdio: "pipe" })).toContain('"ok":true');

  await page.getByText("Your first event arrived").waitFor();
  await page.getByText("report.exported of acme").waitFor();
  await page.getByText(/^bik_\w+$/).waitFor();
  await page.getByRole("link", { name: "See the accounts" }).click();
  await page.getByRole("link", { name: "acme" }).waitFor();
});

walk("says what was wrong with a first message that was rejected", async ({ page, service }) => {
  const workspace = await service.createWorkspace();
  await signIn(page, workspace.key);
  await openTab(page, "Get started");
  await page.getByText("Waiting for your first event").waitFor();
  expect(await service.send(workspace, [{ type: "track", userId: "u1" }])).toBe(200);
  await page.getByText("Something came, and was rejected").waitFor();
  await page.getByText(/^event\b/).waitFor();
});

walk("shows a workspace's key once: loaded anew, the page has none", async ({ page, service }) => {
  await signIn(page, service.adminToken);
  await page.getByLabel("Name").fill("Shown once");
  await page.getByRole("button", { name: "Make the workspace" }).click();
  const key = page.getByText(/^bik_\w+$/);
  expect(await key.textContent()).toMatch(/^bik_\w{30}$/);
  await openTab(page, "Get started");
  await page.getByText("Waiting for your first event").waitFor();
  expect(await page.getByText(/bik_\w/).count()).toBe(0);
});

walk("refuses a workspace that is not right, and keeps what was typed", async ({ page, service, watch }) => {
  await signIn(page, service.adminToken);
  await page.getByLabel("Name").fill("   ");
  await page.getByLabel("Messages in 10 s").fill("250");
  watch.expectRefusal(400);
  await page.getByRole("button", { name: "Make the workspace" }).click();
  await page.getByRole("alert").waitFor();
  expect(await page.getByLabel("Messages in 10 s").inputValue()).toBe("250");
});
