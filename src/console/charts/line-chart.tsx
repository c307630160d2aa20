/** A line chart of a value by day. The line has a gap where a day has no value. */
import { area, line } from "d3-shape";
import type { FC } from "hono/jsx";

import { DAY_MS } from "../../core/durations.ts";
import type { Day } from "../../core/health/model.ts";
import { describeSeries, type Point, type Valued } from "./describe-series.ts";
import { BOTTOM, heightOf, idOf, Plot, PLOT_HEIGHT, round } from "./plot.tsx";
import { countTicks, timeTicks } from "./ticks.ts";

interface LineChartProps {
  title: string;
  /** Names the values for screen readers, as `Score of acme`. */
  name: string;
  /** One for each day, ascending. */
  points: readonly Point[];
  /** The marks of the value axis, ascending. Default: round values up to the maximum. */
  values?: readonly number[];
}

/** Charts of the same days align with each other. Renders nothing without any value. */
export const LineChart: FC<LineChartProps> = ({ title, name, points, values }) => {
  const [first] = points;
  const last = points.at(-1);
  const description = describeSeries(name, points);
  if (first === undefined || last === undefined || description === null) return <></>;
  const marks = values ?? countTicks(Math.max(...points.map(({ value }) => value ?? 0)));
  const highest = marks.at(-1) ?? 1;
  const along = percentOf(first.day, last.day);
  const x = ({ day }: Point) => along(day);
  const y = ({ value }: Point) => heightOf(value ?? 0, highest);
  const drawn = line<Point>(x, y).digits(2).defined(isValued)([...points]);
  const filled = area<Point>(x, BOTTOM, y).digits(2).defined(isValued)([...points]);
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <Plot
        id={idOf(title)}
        title={title}
        description={description}
        values={marks}
        times={timeTicks(first.day * DAY_MS, last.day * DAY_MS)}
      >
        <svg viewBox={`0 0 100 ${PLOT_HEIGHT}`} preserveAspectRatio="none">
          <path class="area" d={filled ?? ""} />
          <path class="line" d={drawn ?? ""} vector-effect="non-scaling-stroke" />
        </svg>
      </Plot>
    </figure>
  );
};

const isValued = (point: Point): point is Valued => point.value !== null;

/** A single day is in the middle. */
const percentOf = (first: Day, last: Day) => (day: Day) =>
  first === last ? 50 : round((100 * (day - first)) / (last - first));
