/**
 * Pictures of each page as people see it, made with SCREENSHOTS=1: on a desk and on a telephone, by day and by night.
 * Those that the README shows go to docs/images, all others to a temporary folder.
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

/** Whether this run makes the README's pictures. */
export const MAKES_IMAGES = process.env["SCREENSHOTS"] === "1";

/** Left as it is: to hide the caret, playwright would put a style into the page, which the page's policy stops. */
const AS_IT_IS = { animations: "allow", caret: "initial" } as const;

/** The whole page, however long. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!MAKES_IMAGES) return;
  mkdirSync(TEMPORARY, { recursive: true });
  await page.screenshot({ ...AS_IT_IS, fullPage: true, path: join(TEMPORARY, `${name}.png`) });
}

/** One of the README's. */
export async function image(page: Page, name: string): Promise<void> {
  if (!MAKES_IMAGES) return;
  mkdirSync(SHOWN, { recursive: true });
  await page.screenshot({ ...AS_IT_IS, path: join(SHOWN, `${name}.png`) });
}
