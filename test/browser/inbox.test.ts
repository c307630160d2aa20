/** Working through the inbox with the keyboard alone, and without script. */
import type { Page } from "playwright-core";
import { expect } from "vitest";

import { signIn } from "./harness/actions.ts";
import { browserTest } from "./harness/browser-test.ts";
import { picture } from "./harness/screenshots.ts";

const panelTitle = (page: Page) => page.locator("#item-title");
const openCount = async (page: Page): Promise<number> =>
  Number(/\d+/.exec((await page.getByRole("link", { name: /^Open \d/ }).textContent()) ?? "")?.[0]);
const focusedItem = (page: Page): Promise<string | null> =>
  page.evaluate(() => (document.activeElement?.matches(".item-link") === true ? document.activeElement.id : null));
const itemIds = (page: Page): Promise<string[]> =>
  page.locator(".item-link").evaluateAll((links) => links.map(({ id }) => id));

browserTest(
  "forty items are worked through with the keyboard, and the page doesn't jump",
  async ({ page, service }) => {
    await signIn(page, service.busy.key);
    await page.goto(`/console/w/${service.busy.id}/inbox`);
    const all = await openCount(page);
    expect(all).toBeGreaterThan(40);
    expect(
      await page
        .locator(".item-link")
        .evaluateAll((links) => links.filter((link) => link.getBoundingClientRect().bottom < innerHeight).length),
    ).toBeGreaterThanOrEqual(12);
    const keys = ["s", "e", "c"] as const;
    let left = all;
    await page.keyboard.press("j");
    for (let done = 0; done < 40; done += 1) {
      const key = keys[done % keys.length];
      const ids = await itemIds(page);
      const current = await focusedItem(page);
      const next = ids[ids.indexOf(current ?? "") + 1];
      if (key !== "c") await page.keyboard.press("Enter");
      if (key !== "c") await panelTitle(page).waitFor();
      const before = await page.evaluate(() => scrollY);
      await page.keyboard.press(key ?? "");
      // The first choice has the focus.
      if (key === "s")
        await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Tomorrow 9:00");
      if (key === "e")
        await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Handled");
      if (key !== "c") await page.keyboard.press("Enter");
      left -= key === "c" ? 0 : 1;
      await expect.poll(() => focusedItem(page)).toBe(next);
      expect(await openCount(page)).toBe(left);
      if (key !== "c") expect(await page.evaluate(() => scrollY)).toBe(before);
      await page.keyboard.press("Escape");
      await panelTitle(page).waitFor({ state: "detached" });
    }
  },
);

browserTest("several items are snoozed at once, that is undone, and they get an owner", async ({ page, service }) => {
  await signIn(page, service.full.key);
  await page.goto(`/console/w/${service.full.id}/inbox`);
  const all = await openCount(page);
  for (const key of ["j", "x", "j", "x"]) await page.keyboard.press(key);
  await page.keyboard.press("s");
  await page.keyboard.press("Enter");
  await page
    .getByRole("status")
    .getByText(/^Snoozed until .*: 2 items/)
    .waitFor();
  expect(await openCount(page)).toBe(all - 2);
  await page.keyboard.press("u");
  await page.getByRole("status").getByText("Undone: 2 items").waitFor();
  expect(await openCount(page)).toBe(all);
  for (const key of ["j", "x", "j", "x", "o"]) await page.keyboard.press(key);
  await page.keyboard.type("Ada");
  await picture(page, "inbox-bulk");
  await page.keyboard.press("Enter");
  await page.getByRole("status").getByText("Owner saved, Ada: 2 items").waitFor();
});

browserTest("a note and an owner are written in the panel; keys in a field are text", async ({ page, service }) => {
  await signIn(page, service.busy.key);
  await page.goto(`/console/w/${service.busy.id}/inbox`);
  await page.keyboard.press("j");
  await page.keyboard.press("n");
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("TEXTAREA");
  await page.keyboard.type("Calls back in June. Sounds okay?");
  await page.getByRole("button", { name: "Save note" }).click();
  await expect.poll(() => focusedItem(page)).not.toBeNull();
  expect(await page.getByLabel("Note").inputValue()).toBe("Calls back in June. Sounds okay?");
  for (const [key, text] of [
    ["Escape", "Left by Esc"],
    ["Control+Enter", "Left by Ctrl+Enter"],
  ] as const) {
    await page.getByLabel("Note").fill(text);
    await page.keyboard.press(key);
    await page.getByText("Not saved yet").waitFor({ state: "hidden" });
    await page.reload();
    expect(await page.getByLabel("Note").inputValue()).toBe(text);
  }
  await page.keyboard.press("o");
  await page.keyboard.type("Ada Jones");
  await page.keyboard.press("Enter");
  await page.getByRole("complementary").getByText("Ada Jones").waitFor();
});

browserTest(
  "a note that is left by a click elsewhere is kept as a draft until it is saved",
  async ({ page, service }) => {
    await signIn(page, service.busy.key);
    await page.goto(`/console/w/${service.busy.id}/inbox`);
    const [first, second] = [page.locator(".item-link").nth(-1), page.locator(".item-link").nth(-2)];
    const note = page.getByLabel("Note");
    await first.click();
    await note.fill("Ask Jane, jane@example.com");
    await page.getByText("Not saved yet").waitFor();
    await second.click();
    await expect.poll(() => note.inputValue()).toBe("");
    expect(await page.getByText("Not saved yet").isVisible()).toBe(false);
    await page.goto(`/console/w/${service.busy.id}/home`);
    await page.goBack();
    await first.click();
    await expect.poll(() => note.inputValue()).toBe("Ask Jane, jane@example.com");
    await page.getByRole("button", { name: "Save note" }).click();
    // As it is stored.
    await expect.poll(() => note.inputValue()).toMatch(/^Ask Jane, (?!jane@)/);
    expect(await page.getByText("Not saved yet").isVisible()).toBe(false);
    await note.fill("Secret");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(/sign-in/);
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain("Secret");
  },
);

browserTest("an error is told in sentences, until an action succeeds", async ({ page, service, watch }) => {
  await signIn(page, service.busy.key);
  await page.goto(`/console/w/${service.busy.id}/inbox`);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByLabel("Or until").fill("2020-01-01");
  watch.expectRefusal(400);
  await page.getByRole("button", { name: "Snooze", exact: true }).click();
  const error = page.getByRole("alert");
  await error.waitFor();
  expect(await error.textContent()).toBe(
    "Invalid request: You can snooze an item until a day in the year after today.",
  );
  await page.getByRole("button", { name: "Contacted" }).last().click();
  await error.waitFor({ state: "detached" });
});

browserTest("the palette opens pages and finds accounts, and the keys are explained", async ({ page, service }) => {
  await signIn(page, service.full.key);
  await page.keyboard.press("/");
  await page.keyboard.type("acc");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/accounts$/);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("glob");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "globex" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("sett");
  await page.getByRole("dialog").getByText("No account, and no user").waitFor({ state: "attached" });
  expect(await page.getByRole("dialog").getByText("No account, and no user").isVisible()).toBe(false);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("init");
  const hit = page.getByRole("dialog").getByRole("link", { name: "initech" });
  await hit.waitFor();
  await page.keyboard.press("ArrowDown");
  expect(await hit.evaluate((link) => link === document.activeElement)).toBe(true);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/accounts\/acc_\w+$/);
  await page.getByRole("heading", { name: "initech" }).waitFor();
  await page.goto(`/console/w/${service.full.id}/inbox`);
  await page.keyboard.press("?");
  await page.getByRole("dialog").getByText("dismiss with a reason").waitFor();
});

browserTest("an administrator changes to another workspace", async ({ page, service }) => {
  await signIn(page, service.adminToken);
  await page.goto(`/console/w/${service.full.id}/home`);
  await page.locator("a.workspace").click();
  await page.getByRole("dialog").getByRole("link", { name: "Southwind" }).click();
  await page.waitForURL(new RegExp(`/console/w/${service.busy.id}`));
});

const withoutScript = browserTest.extend("hasScript", false);

withoutScript("an item is snoozed and found among the snoozed ones without script", async ({ page, service }) => {
  await signIn(page, service.full.key);
  await page.goto(`/console/w/${service.full.id}/inbox?kind=usage_growth`);
  await page
    .getByRole("link", { name: /hooli|initech/ })
    .first()
    .click();
  await page.getByRole("button", { name: "Monday 9:00" }).last().click();
  await page
    .getByRole("status")
    .getByText(/^Snoozed until Mon/)
    .waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page
    .getByRole("status")
    .getByText(/^Undone/)
    .waitFor();
});
