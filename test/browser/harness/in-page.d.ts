/** What the harness puts into pages: functions that run there find it under these names. */
import type * as Axe from "axe-core";

declare global {
  var axe: typeof Axe;
  /** What Tab has to reach, in the order of the document. */
  var tabStops: () => { element: HTMLElement; group: Element[]; label: string }[];
  function reportViolation(text: string): void;
}
