/**
 * A test that walks the console in a browser of its own: cookies, storage and all. Whatever `watch.ts` finds on the way
 * fails it.
 *
 *     walk("§… what a person can do", async ({ page, service }) => {
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

/** Many times what anything takes. */
const HUNG_AFTER_MS = 20_000;

interface Visit {
  context: BrowserContext;
  page: Page;
  watch: Watch;
}

const LOCALE = { locale: "en-GB", timezoneId: "UTC" };

export const walk = test
  // oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern which fixtures one takes
  .extend("browser", { scope: "file" }, async ({}, { onCleanup }): Promise<Browser> => {
    const browser = await launchChromium();
    onCleanup(() => browser.close());
    return browser;
  })
  .extend("service", { scope: "file" }, (): Console => consoleOf(inject("served")))
  /** Where the pages are. */
  .extend("origin", ({ service }) => service.url)
  .extend("hasScript", true)
  .extend("visit", async ({ browser, origin, hasScript }, { onCleanup }): Promise<Visit> => {
    const context = await browser.newContext({
      ...LOCALE,
      baseURL: origin,
      viewport: DESK,
      // Pictures are not taken in the middle of a change.
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
      if (problems.length > 0) throw new Error(["On the way:", ...problems].join("\n"));
    });
    return { context, page, watch: watched };
  })
  .extend("page", ({ visit }) => visit.page)
  .extend("watch", ({ visit }) => visit.watch);
