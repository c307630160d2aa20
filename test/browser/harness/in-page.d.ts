/** Globals that the harness installs in pages. */
import type * as Axe from "axe-core";

declare global {
  var axe: typeof Axe;
  /** The elements that Tab must reach, in document order. */
  var tabStops: () => { element: HTMLElement; group: Element[]; label: string }[];
  function reportViolation(text: string): void;
  /** The library of a page of `web-app.ts`. */
  var analytics: { track(event: string, properties: object): unknown; ready(callback: () => void): unknown };
}
