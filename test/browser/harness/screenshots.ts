/**
 * Screenshots of each page, taken with SCREENSHOTS=1: on a desktop and a phone, in light and dark mode. Those that the
 * README shows go to docs/images, all others to a temporary folder.
 */
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { Page } from "playwright-core";

export const DESK = { width: 1_280, height: 800 };
export const TELEPHONE = { width: 360, height: 740 };

const SHOWN = fileURLToPath(new URL("../../../docs/images/", import.meta.url));
export const TEMPORARY = join(tmpdir(), "behavior-ingest-screenshots");

/** Whether this run takes screenshots. */
export const MAKES_IMAGES = process.env["SCREENSHOTS"] === "1";

/** Hiding the caret needs an inline style, which the page's content security policy blocks. */
const AS_IT_IS = { animations: "allow", caret: "initial" } as const;

/** Takes a screenshot of the whole page. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!MAKES_IMAGES) return;
  mkdirSync(TEMPORARY, { recursive: true });
  await page.screenshot({ ...AS_IT_IS, fullPage: true, path: join(TEMPORARY, `${name}.png`) });
}

/** Takes a screenshot for the README. */
export async function image(page: Page, name: string): Promise<void> {
  if (!MAKES_IMAGES) return;
  mkdirSync(SHOWN, { recursive: true });
  await page.screenshot({ ...AS_IT_IS, path: join(SHOWN, `${name}.png`) });
}
