/** The account page in a browser: charts that react, actions in place, and the print style. */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";

import { signIn } from "./harness/actions.ts";
import { browserTest } from "./harness/browser-test.ts";
import type { Console } from "./harness/console.ts";
import { picture } from "./harness/screenshots.ts";

async function openAccount(page: Page, service: Console): Promise<void> {
  await signIn(page, service.adminToken);
  await page.goto(await service.accountOfFirstItem(service.full));
}

const scoreOf = (page: Page) => page.locator("figure", { has: page.getByText("Score", { exact: true }) });

const at = (page: Page): Promise<number> => page.evaluate(() => scrollY);

describe("the charts", () => {
  browserTest("tell the day under the crosshair, by mouse and by keys", async ({ page, service }) => {
    await openAccount(page, service);
    const chart = scoreOf(page).locator(".uplot");
    const readout = scoreOf(page).locator(".readout");
    const latest = await readout.textContent();
    expect(latest).toMatch(/^\d+ \w+ \d{4}: Score [\d.]+ · /);
    await chart.hover({ position: { x: 200, y: 60 } });
    await expect.poll(() => readout.textContent()).not.toBe(latest);
    await chart.focus();
    await page.keyboard.press("Home");
    const first = await readout.textContent();
    await page.keyboard.press("ArrowRight");
    const second = await readout.textContent();
    expect(new Set([latest, first, second]).size).toBe(3);
    expect(await readout.getAttribute("aria-live")).toBe("polite");
    const users = page.locator("figure", { has: page.getByText("Active users", { exact: true }) });
    expect((await users.locator(".readout").textContent())?.split(":")[0]).toBe(second?.split(":")[0]);
    await page.keyboard.press("End");
    expect(await readout.textContent()).toBe(latest);
    await picture(page, "account-crosshair");
  });

  browserTest("tell where an item opened", async ({ page, service }) => {
    await openAccount(page, service);
    await scoreOf(page).locator(".uplot").focus();
    const readout = scoreOf(page).locator(".readout");
    await page.keyboard.press("End");
    for (let back = 0; back < 90 && !(await readout.textContent())?.includes("Opened: "); back += 1) {
      await page.keyboard.press("ArrowLeft");
    }
    expect(await readout.textContent()).toContain("Opened: ");
  });

  browserTest(
    "change their colors with the color scheme, and their width with the window",
    async ({ page, service }) => {
      await openAccount(page, service);
      const pixels = () =>
        scoreOf(page)
          .locator("canvas")
          .evaluate((canvas) => (canvas instanceof HTMLCanvasElement ? canvas.toDataURL() : ""));
      await page.emulateMedia({ colorScheme: "light" });
      const light = await pixels();
      await page.emulateMedia({ colorScheme: "dark" });
      await expect.poll(pixels).not.toBe(light);
      await page.setViewportSize({ width: 390, height: 800 });
      const width = async () => (await scoreOf(page).locator("canvas").boundingBox())?.width;
      await expect.poll(width).toBeLessThan(390);
    },
  );

  browserTest("show another period and another feature without a jump", async ({ page, service }) => {
    await openAccount(page, service);
    const period = page.getByRole("navigation", { name: "Period" });
    await period.scrollIntoViewIfNeeded();
    const before = await at(page);
    await period.getByRole("link", { name: "30 days" }).click();
    await page.waitForURL(/range=30/);
    await expect.poll(() => period.locator("[aria-current]").textContent()).toBe("30 days");
    await expect.poll(() => page.locator(".uplot").count()).toBeGreaterThan(3);
    expect(await at(page)).toBe(before);
    const names = await page.locator("#feature option").allTextContents();
    await page.locator("#feature").selectOption({ index: names.length - 1 });
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await expect.poll(() => page.locator("figcaption").allTextContents()).toContain(`Events: ${names.at(-1)}`);
    expect(page.url()).toContain("range=30");
  });
});

browserTest("changes since a day and an owner appear in place", async ({ page, service }) => {
  await signIn(page, service.adminToken);
  const workspace = await service.createWorkspace();
  await service.send(workspace, [
    { type: "track", userId: "u1", event: "Board Shared", properties: { accountId: "acme" } },
  ]);
  await page.goto(`/console/w/${workspace.id}/accounts/acme`);
  await page.getByLabel("Since").fill("2026-01-01");
  await page.getByRole("button", { name: "Show changes" }).click();
  await page.waitForURL(/since=2026-01-01/);
  await page.getByLabel("Owner", { exact: true }).fill("Ann Lee");
  await page.getByRole("button", { name: "Save owner" }).click();
  await page.getByText("The administrator saved it").waitFor();
  expect(page.url()).toContain("since=2026-01-01");
  await page.reload();
  expect(await page.getByLabel("Owner", { exact: true }).inputValue()).toBe("Ann Lee");
});

browserTest("an owner's whole name shows at every width", async ({ page, service }) => {
  await signIn(page, service.adminToken);
  const workspace = await service.createWorkspace();
  const ends = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const traits = { seats: 9, mrr: 120, contractEndsAt: ends };
  await service.send(workspace, [{ type: "group", userId: "u1", groupId: "acme", traits }]);
  await page.goto(`/console/w/${workspace.id}/accounts/acme`);
  const owner = page.getByLabel("Owner", { exact: true });
  await owner.fill("Alexandra Featherstone");
  for (const width of [1_440, 1_280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await owner.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth), `${width}`).toBe(true);
  }
});

browserTest("prints a business review: pictures of charts, no buttons, nothing cut off", async ({ page, service }) => {
  await openAccount(page, service);
  await page.setViewportSize({ width: 720, height: 1_000 });
  await page.emulateMedia({ media: "print" });
  for (const role of ["button", "textbox", "combobox"] as const) expect(await page.getByRole(role).count()).toBe(0);
  expect(await page.getByRole("heading", { name: "To do" }).count()).toBe(0);
  // What the team does about the account.
  expect(await page.getByText("has gone silent").filter({ visible: true }).count()).toBe(0);
  expect(await page.getByText("nobody", { exact: true }).isVisible()).toBe(false);
  expect(await page.getByText(/^Northwind · \d+ \w+ \d{4}$/).isVisible()).toBe(true);
  expect(await page.getByText("Points by component").isVisible()).toBe(false);
  const moment = page.locator("time[title]").first();
  expect(await moment.evaluate((time) => getComputedStyle(time, "::after").content)).toMatch(/UTC"$/);
  expect(await page.locator(".uplot").first().isVisible()).toBe(false);
  expect(await scoreOf(page).locator(".plot").isVisible()).toBe(true);
  expect(await page.getByRole("heading", { name: "Main reasons" }).isVisible()).toBe(true);
  expect(await page.evaluate(() => (document.scrollingElement?.scrollWidth ?? 0) <= innerWidth)).toBe(true);
  await picture(page, "account-print");
});

describe("without script", () => {
  browserTest.override({ hasScript: false });

  browserTest("charts are pictures, and periods are links", async ({ page, service }) => {
    await openAccount(page, service);
    expect(await scoreOf(page).locator(".plot").isVisible()).toBe(true);
    await page.getByRole("link", { name: "365 days" }).click();
    await page.waitForURL(/range=365/);
    expect(await page.locator("figure").count()).toBeGreaterThan(3);
  });
});
