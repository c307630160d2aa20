/** Runs axe on a page. It is injected like debugger code, which the page's content security policy can't block. */
import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const FAILING = new Set(["serious", "critical"]);

/** @returns a line with the element for each serious or critical finding */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const results = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return results.violations
    .filter(({ impact }) => FAILING.has(impact ?? ""))
    .flatMap(({ id, help, nodes }) => nodes.map((node) => `${id} (${help}): ${node.target.join(" ")} ${why(node)}`));
}

const why = ({ any }: AxeResults["violations"][number]["nodes"][number]): string => any[0]?.message ?? "";
