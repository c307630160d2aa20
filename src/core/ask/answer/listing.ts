/** Lists: a few rows in the sentence, up to a hundred in the value, and how many are not told. */
import type { Entity } from "../model.ts";
import { type Finding, type Ground, idsOf, nameGrounds } from "./finding.ts";
import { named, several } from "./wording.ts";

/** Rows that a sentence names unless another number was asked for. */
export const SHOWN_ROWS = 10;
export const MAX_VALUE_ROWS = 100;

/** Of something that has a name: `"acme" (42 events)`. */
export interface ListedRow {
  entity: Entity;
  /** What stands in brackets after the name; nothing where it is empty. */
  says: string;
  fields: Record<string, unknown>;
  grounds: readonly Ground[];
}

export interface ListSettings {
  /** At most so many rows are named. */
  limit?: number;
}

/**
 * A sentence that ends in a list.
 *
 * @param head what the list is of, its number included: `3 accounts used "x"`
 * @param count the ground of that number
 */
export function listing(
  head: string,
  rows: readonly ListedRow[],
  count: readonly Ground[],
  settings: ListSettings = {},
): Finding {
  const kept = rows.slice(0, MAX_VALUE_ROWS);
  const shown = kept.slice(0, settings.limit ?? SHOWN_ROWS);
  const texts = shown.map(({ entity, says }) => `${named(entity)}${says === "" ? "" : ` (${says})`}`);
  const cut = cutOff(rows.length, shown.length);
  return {
    says: `${head}${texts.length === 0 ? "" : `: ${texts.join(", ")}`}${cut.says}.`,
    value: kept.map(({ entity, fields }) => ({ ...idsOf(entity), ...fields })),
    grounds: [...count, ...kept.flatMap(({ entity, grounds }) => [...nameGrounds(entity), ...grounds]), ...cut.grounds],
  };
}

/** `, and 15 more`, where not all are shown. */
export function cutOff(count: number, shown: number): { says: string; grounds: Ground[] } {
  const more = count - shown;
  if (more <= 0) return { says: "", grounds: [] };
  return { says: `, and ${MORE.format(more)} more`, grounds: [{ kind: "rollup", measure: "more", value: more }] };
}

const MORE = new Intl.NumberFormat("en-US");

/** The first rows of a ranking, and how many more are as high as the last of them. */
export function firstOf(
  rows: readonly ListedRow[],
  limit: number,
  field: string,
): { rows: readonly ListedRow[]; says: string; grounds: readonly Ground[] } {
  const kept = rows.slice(0, limit);
  const lowest = kept.at(-1)?.fields[field];
  const tied = rows.slice(limit).filter(({ fields }) => fields[field] === lowest).length;
  if (tied === 0) return { rows: kept, says: "", grounds: [] };
  return {
    rows: kept,
    says: ` ${several(tied, "other")} had as many.`,
    grounds: [{ kind: "rollup", measure: "tied", value: tied }],
  };
}

/** `The account`, `The 3 accounts`: those that a ranking begins with. */
export const theFirst = (count: number, noun: string): string =>
  count === 1 ? `The ${noun}` : `The ${several(count, noun)}`;

/** A finding with a sentence more. */
export const withNote = (finding: Finding, { says, grounds }: Pick<Finding, "says" | "grounds">): Finding => ({
  ...finding,
  says: `${finding.says}${says}`,
  grounds: [...finding.grounds, ...grounds],
});
