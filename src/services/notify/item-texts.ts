/** What messages for people say about an item. */
import { dateOf } from "../../core/health/texts.ts";
import { describeResolution, KIND_NAMES } from "../../core/inbox/kind-names.ts";
import type { Severity } from "../../core/inbox/model.ts";
import type { StoredItem } from "../../db/inbox/list-items.ts";
import { namesIn, presentItem } from "../present/present-item.ts";
import { formatMrr, lineOf } from "./content.ts";

/** As the console writes it: `High`. */
export const severityName = (severity: Severity): string => severity.replace(/^./, (first) => first.toUpperCase());

/** The title of a resolved item: the item's own would read as if it was still open. */
export function resolvedTitle(stored: StoredItem): string {
  const name = KIND_NAMES[stored.kind];
  return stored.account === null ? name : `${name}, ${namesIn(stored).account}`;
}

/** Says why an item was resolved, and since when it was open. */
export function resolvedText({ kind, resolution, openedDay }: StoredItem): string {
  const why = resolution === null ? "" : `${describeResolution(kind, resolution)} `;
  return `${why}Open since ${dateOf(openedDay)}.`;
}

/** An open item in a list: `High: acme has gone silent · 490 EUR · Ann`. */
export const openLine = (stored: StoredItem): string =>
  lineOf(
    `${severityName(stored.severity)}: ${presentItem(stored).title}`,
    formatMrr(stored.mrr, stored.currency),
    stored.owner,
  );

/** A resolved item in a list whose heading says so. */
export const resolvedLine = (stored: StoredItem): string =>
  lineOf(resolvedTitle(stored), formatMrr(stored.mrr, stored.currency), stored.owner, resolvedText(stored));
