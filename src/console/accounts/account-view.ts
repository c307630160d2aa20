/** What the page of an account shows, as its address says. Actions lead back to the same view. */
import * as z from "zod";

import { DAY_MS } from "../../core/durations.ts";
import type { Day } from "../../core/health/model.ts";
import { dateOf } from "../../core/health/texts.ts";
import { pathOf, withQuery } from "../paths.ts";

/** Ignores what is invalid. */
export const accountView = z.object({
  range: z.string().catch("90"),
  /** Changes are listed since this day. */
  since: z.iso.date().optional().catch(undefined),
  /** The event whose use has a chart. */
  feature: z.string().max(256).optional().catch(undefined),
  /** The page of users. */
  users: z.coerce.number().int().min(1).max(10_000).catch(1),
});
export type AccountView = z.infer<typeof accountView>;

/** Returns the path of the page, or of an action. */
export const viewPath = (
  workspace: { id: string },
  account: string,
  { range, since, feature, users }: Partial<AccountView>,
  ...action: string[]
): string =>
  withQuery(
    pathOf(workspace, "accounts", account, ...action),
    { range, since, feature, users: users?.toString() },
    { range: "90", users: "1" },
  );

/** For links and forms whose response replaces the page's content, without a jump. */
export const IN_PLACE = {
  "hx-boost": "true",
  "hx-target": "#account",
  "hx-select": "#account",
  "hx-swap": "outerHTML show:none",
};

/** Complete days, both ends included. */
export interface Range {
  name: string;
  title: string;
  from: Day;
  to: Day;
}

const LENGTHS = [30, 90, 365];
const QUARTERS = 5;

/** Lists the ranges to choose from: days up to yesterday, and the last quarters. */
export function rangesAt(today: Day): Range[] {
  const now = new Date(today * DAY_MS);
  const latest = now.getUTCFullYear() * 4 + Math.floor(now.getUTCMonth() / 3);
  const firstDay = (quarter: number) => Date.UTC(Math.floor(quarter / 4), (quarter % 4) * 3, 1) / DAY_MS;
  return [
    ...LENGTHS.map((days) => ({ name: `${days}`, title: `${days} days`, from: today - days, to: today - 1 })),
    ...Array.from({ length: QUARTERS }, (_, back) => latest - back).map((quarter) => {
      const [year, number] = [Math.floor(quarter / 4), (quarter % 4) + 1];
      const to = Math.min(firstDay(quarter + 1), today) - 1;
      return { name: `${year}-Q${number}`, title: `Q${number} ${year}`, from: firstDay(quarter), to };
    }),
  ];
}

export const rangeOf = (name: string, today: Day): Range => {
  const ranges = rangesAt(today);
  const chosen = ranges.find((range) => range.name === name) ?? ranges.find((range) => range.name === "90");
  if (chosen === undefined) throw new Error("There is no default range.");
  return chosen;
};

export const rangeDates = ({ from, to }: Range): string => `${dateOf(from)} – ${dateOf(Math.max(from, to))}`;

export const dayOfDate = (date: string): Day => Date.parse(date) / DAY_MS;
