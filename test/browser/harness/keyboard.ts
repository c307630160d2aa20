/** What a page is to somebody who has no mouse: where Tab goes, and whether one sees where one is. */
import type { Page } from "playwright-core";

const REACHABLE = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";

interface Stop {
  /** Its place among what Tab has to reach; -1 for anything else. */
  at: number;
  label: string;
  isVisiblyFocused: boolean;
}

/**
 * Goes through a page by Tab, once around: a page may begin in the middle, at the field that one came for.
 *
 * @returns what is wrong: what Tab passes over, what comes out of order, what does not show that it has the focus
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
    // Between the last one and the first the focus is on nothing of the page.
    if (stop === null) continue;
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

/** What Tab has to reach, in the order of the document. */
async function labelsOfReachable(page: Page): Promise<string[]> {
  await install(page);
  return page.evaluate(() => globalThis.tabStops().map(({ label }) => label));
}

/** @returns `null` where nothing of the page has the focus */
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
 * Asked anew at each step: a part of the page that shows what happens now is another one a second later. Of a group of
 * radio buttons Tab reaches one.
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
