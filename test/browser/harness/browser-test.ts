/**
 * A test in a browser context of its own. Whatever `watch.ts` finds fails the test.
 *
 *     browserTest("§… what a person does", async ({ page, service }) => {
 *       await signIn(page, service.adminToken);
 *       await page.getByRole("link", { name: "Accounts" }).click();
 *     });
 */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { inject, test } from "vitest";

import { type Console, consoleOf } from "./console.ts";
import { launchChromium } from "./launch.ts";
import { DESK } from "./screenshots.ts";
import { watch, type Watch } from "./watch.ts";

/** Much longer than any step takes. */
const HUNG_AFTER_MS = 20_000;

interface Visit {
  context: BrowserContext;
  page: Page;
  watch: Watch;
}

const LOCALE = { locale: "en-GB", timezoneId: "UTC" };

export const browserTest = test
  // oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern which fixtures one takes
  .extend("browser", { scope: "file" }, async ({}, { onCleanup }): Promise<Browser> => {
    const browser = await launchChromium();
    onCleanup(() => browser.close());
    return browser;
  })
  .extend("service", { scope: "file" }, (): Console => consoleOf(inject("served")))
  /** The origin of the pages. */
  .extend("origin", ({ service }) => service.url)
  .extend("hasScript", true)
  .extend("visit", async ({ browser, origin, hasScript }, { onCleanup }): Promise<Visit> => {
    const context = await browser.newContext({
      ...LOCALE,
      baseURL: origin,
      viewport: DESK,
      // Keeps screenshots free of transitions.
      reducedMotion: "reduce",
      javaScriptEnabled: hasScript,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    context.setDefaultTimeout(HUNG_AFTER_MS);
    const watched = await watch(context, origin);
    const page = await watched.newPage();
    onCleanup(async () => {
      await context.close();
      const problems = watched.problems();
      if (problems.length > 0) throw new Error(["Problems during the test:", ...problems].join("\n"));
    });
    return { context, page, watch: watched };
  })
  .extend("page", ({ visit }) => visit.page)
  .extend("watch", ({ visit }) => visit.watch);
