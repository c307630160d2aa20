import type { Page } from "playwright-core";

/** To another page of the workspace, by the bar. */
export const openTab = (page: Page, name: string): Promise<void> =>
  page.getByRole("navigation", { name: "Workspace" }).getByRole("link", { name, exact: true }).click();
