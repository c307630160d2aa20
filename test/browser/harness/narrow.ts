import type { Page } from "playwright-core";

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
