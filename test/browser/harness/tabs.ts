import type { Page } from "playwright-core";

/** Opens a tab of the workspace, and waits until it is loaded: a click alone may not. */
export async function openTab(page: Page, name: string): Promise<void> {
  const bar = page.getByRole("navigation", { name: "Workspace" });
  await bar.getByRole("link", { name, exact: true }).click();
  await bar.locator("[aria-current=page]").getByText(name, { exact: true }).waitFor();
  await page.waitForLoadState();
}
