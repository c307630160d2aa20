/** What axe finds on a page as it stands. It runs as the debugger's code does, which no policy of the page stops. */
import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const FAILING = new Set(["serious", "critical"]);

/** @returns a line for each serious or critical finding, with where it is */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const results = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return results.violations
    .filter(({ impact }) => FAILING.has(impact ?? ""))
    .flatMap(({ id, help, nodes }) => nodes.map((node) => `${id} (${help}): ${node.target.join(" ")} ${why(node)}`));
}

const why = ({ any }: AxeResults["violations"][number]["nodes"][number]): string => any[0]?.message ?? "";
