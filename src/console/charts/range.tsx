/** The days that a page's charts show: a number of days up to yesterday, or a quarter. The address names them. */
import type { FC } from "hono/jsx";

import { DAY_MS } from "../../core/durations.ts";
import type { Day } from "../../core/health/model.ts";
import { dateOf } from "../../core/health/texts.ts";

/** For links and forms whose response replaces the page's view, the element with this id, without a jump. */
export const IN_PLACE = {
  "hx-boost": "true",
  "hx-target": "#view",
  "hx-select": "#view",
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

/** The first day of a quarter, counted from the year 0. */
const startOf = (quarter: number): Day => Date.UTC(Math.floor(quarter / 4), (quarter % 4) * 3, 1) / DAY_MS;

/** Lists the ranges to choose from: days up to yesterday, and the last quarters that have data. */
function rangesAt(today: Day, firstDay: Day | null): Range[] {
  const now = new Date(today * DAY_MS);
  const latest = now.getUTCFullYear() * 4 + Math.floor(now.getUTCMonth() / 3);
  const quarters = Array.from({ length: QUARTERS }, (_, back) => latest - back).map((quarter) => {
    const [year, number] = [Math.floor(quarter / 4), (quarter % 4) + 1];
    const to = Math.min(startOf(quarter + 1), today) - 1;
    return { name: `${year}-Q${number}`, title: `Q${number} ${year}`, from: startOf(quarter), to };
  });
  return [
    ...LENGTHS.map((days) => ({ name: `${days}`, title: `${days} days`, from: today - days, to: today - 1 })),
    ...quarters.filter(({ to }) => to >= (firstDay ?? today)),
  ];
}

export const rangeOf = (name: string, today: Day): Range => {
  const ranges = rangesAt(today, 0);
  const chosen = ranges.find((range) => range.name === name) ?? ranges.find((range) => range.name === "90");
  if (chosen === undefined) throw new Error("There is no default range.");
  return chosen;
};

export const rangeDates = ({ from, to }: Range): string => `${dateOf(from)} – ${dateOf(Math.max(from, to))}`;

interface RangeNavProps {
  range: Range;
  today: Day;
  /** Quarters that end before this day are not offered. */
  firstDay: Day | null;
  hrefOf: (name: string) => string;
}

export const RangeNav: FC<RangeNavProps> = ({ range, today, firstDay, hrefOf }) => (
  <nav class="cluster range no-print" aria-label="Period" {...IN_PLACE}>
    {rangesAt(today, firstDay).map(({ name, title }) => (
      <a
        class="button"
        id={`range-${name}`}
        href={hrefOf(name)}
        aria-current={name === range.name ? "true" : undefined}
      >
        {title}
      </a>
    ))}
  </nav>
);
