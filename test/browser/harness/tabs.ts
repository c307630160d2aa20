import type { Page } from "playwright-core";

/** To another page of the workspace, by the bar, and until all of it is there: a click alone may not wait for that. */
export async function openTab(page: Page, name: string): Promise<void> {
  const bar = page.getByRole("navigation", { name: "Workspace" });
  await bar.getByRole("link", { name, exact: true }).click();
  await bar.locator("[aria-current=page]").getByText(name, { exact: true }).waitFor();
  await page.waitForLoadState();
}
