/** A value by day. Where a day has none, the line has a gap. */
import { area, line } from "d3-shape";
import type { FC } from "hono/jsx";

import { DAY_MS } from "../../core/durations.ts";
import type { Day } from "../../core/health/model.ts";
import { describeSeries, type Point, type Valued } from "./describe-series.ts";
import { BOTTOM, heightOf, idOf, Plot, PLOT_HEIGHT, round } from "./plot.tsx";
import { countTicks, timeTicks } from "./ticks.ts";

interface LineChartProps {
  /** What stands above it. */
  title: string;
  /** Whose values they are, as `Score of acme`. */
  name: string;
  /** Ascending, a day each. */
  points: readonly Point[];
  /** The marks upwards, ascending; by default round ones that nothing is above. */
  values?: readonly number[];
}

/** Charts of the same days are aligned with each other. Without any value there is none. */
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

/** A single day stands in the middle. */
const percentOf = (first: Day, last: Day) => (day: Day) =>
  first === last ? 50 : round((100 * (day - first)) / (last - first));
