/** Checks of a page: accessibility, its width, the order of Tab, and a visible focus. */
import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const FAILING = new Set(["serious", "critical"]);

/**
 * Runs axe. It is injected like debugger code, which the page's content security policy can't block.
 *
 * @returns a line with the element for each serious or critical finding
 */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const results = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return results.violations
    .filter(({ impact }) => FAILING.has(impact ?? ""))
    .flatMap(({ id, help, nodes }) => nodes.map((node) => `${id} (${help}): ${node.target.join(" ")} ${why(node)}`));
}

const why = ({ any }: AxeResults["violations"][number]["nodes"][number]): string => any[0]?.message ?? "";

/**
 * Finds the elements that make a page wider than its window. Elements that scroll by themselves are fine.
 */
export const overflowing = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    if ((document.scrollingElement?.scrollWidth ?? 0) <= innerWidth) return [];
    const all = [...document.body.querySelectorAll("*")];
    const scrollers = all.filter((element) => getComputedStyle(element).overflowX !== "visible");
    const shown = all.filter((element) => element.checkVisibility());
    const wide = shown.filter((element) => {
      const { right, width } = element.getBoundingClientRect();
      const isInScroller = scrollers.some((scroller) => scroller !== element && scroller.contains(element));
      return width > 0 && right > innerWidth + 1 && !isInScroller;
    });
    const innermost = wide.filter((element) => !wide.some((other) => other !== element && element.contains(other)));
    return innermost.map((element) => {
      const by = Math.round(element.getBoundingClientRect().right - innerWidth);
      return `${by} pixels too wide: ${element.outerHTML.slice(0, 100)}`;
    });
  });

const REACHABLE = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";

interface Stop {
  /** The index among the elements that Tab must reach; -1 for any other element. */
  at: number;
  label: string;
  isVisiblyFocused: boolean;
}

/**
 * Presses Tab once around a page. A page may start in the middle, at a focused field.
 *
 * @returns the elements that Tab skips, that come out of order, and that have no visible focus
 */
export async function keyboardProblems(page: Page): Promise<string[]> {
  const labels = await labelsOfReachable(page);
  const problems: string[] = [];
  if (labels[0]?.startsWith("a Skip ") !== true)
    problems.push(`First is “${labels[0]}”, and no link past the navigation`);
  const beginsAtTop = (await stopOf(page)) === null;
  const reached: number[] = [];
  for (let presses = 0; presses < 2 * labels.length + 2; presses += 1) {
    await page.keyboard.press("Tab");
    const stop = await stopOf(page);
    // Between the last element and the first, nothing has the focus.
    if (stop === null) continue;
    // A date has a stop for each of its parts.
    if (stop.at === reached.at(-1)) continue;
    if (reached.includes(stop.at)) break;
    if (!stop.isVisiblyFocused) problems.push(`“${stop.label}” does not show that it has the focus`);
    if (stop.at >= 0) reached.push(stop.at);
  }
  problems.push(...labels.filter((_, at) => !reached.includes(at)).map((label) => `Tab passes over “${label}”`));
  const backwards = reached.filter((at, number) => at < (reached[number - 1] ?? reached.at(-1) ?? at));
  if (backwards.length > 1 || (beginsAtTop && reached[0] !== 0))
    problems.push(`Tab goes ${reached.map((at) => labels[at]).join(", ")}`);
  return problems;
}

/** The elements that Tab must reach, in document order. */
async function labelsOfReachable(page: Page): Promise<string[]> {
  await install(page);
  return page.evaluate(() => globalThis.tabStops().map(({ label }) => label));
}

/** @returns `null` if nothing has the focus */
async function stopOf(page: Page): Promise<Stop | null> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return null;
    const stops = globalThis.tabStops();
    const at = stops.findIndex((stop) => stop.element === element || stop.group.includes(element));
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const { top, bottom } = element.getBoundingClientRect();
    const isInView = bottom > 0 && top < innerHeight;
    const isVisiblyFocused = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1 && isInView;
    return { at, label: stops[at]?.label ?? element.outerHTML.slice(0, 80), isVisiblyFocused };
  });
}

/**
 * Installs a function that finds the elements again at each step, because live parts of a page are replaced. Tab reaches
 * only one of a group of radio buttons.
 */
async function install(page: Page): Promise<void> {
  await page.evaluate((selector) => {
    globalThis.tabStops = () =>
      [...document.querySelectorAll<HTMLElement>(selector)]
        .filter((element) => element.checkVisibility({ visibilityProperty: true }) && element.tabIndex >= 0)
        .filter((element) => !element.matches(":disabled"))
        .map((element) => {
          const field = element instanceof HTMLInputElement ? element : null;
          const others = `input[type=radio][name="${CSS.escape(field?.name ?? "")}"]`;
          const group = field?.type === "radio" ? [...(field.form ?? document).querySelectorAll(others)] : [];
          const name = element.getAttribute("aria-label") ?? field?.labels?.[0]?.textContent ?? element.textContent;
          const words = name.trim().replaceAll(/\s+/g, " ").slice(0, 40);
          return { element, group, label: `${element.tagName.toLowerCase()} ${words}` };
        })
        .filter(({ element, group }) => group.length === 0 || group[0] === element);
  }, REACHABLE);
}
