/** Charts as what is sent of them: where lines run, what stands at their axes, and the words in their place. */
import { jsx } from "hono/jsx";
import { renderToString } from "hono/jsx/dom/server";
import { describe, expect, it } from "vitest";

import { describeSeries, LineChart, Sparkline } from "../../../../src/console/charts/line-chart.tsx";
import { countTicks, timeLabel, timeTicks } from "../../../../src/console/charts/plot.tsx";

const DAY_MS = 86_400_000;
/** 2026-11-12. */
const DAY = Date.UTC(2026, 10, 12) / DAY_MS;

const days = (...values: (number | null)[]) => values.map((value, place) => ({ day: DAY + place, value }));
const chart = (points: ReturnType<typeof days>, values?: number[]) =>
  renderToString(jsx(LineChart, { title: "Score", name: "Score of acme", points, ...(values && { values }) }));
const sparkline = (points: ReturnType<typeof days>) =>
  renderToString(jsx(Sparkline, { name: "Score of <acme>", points, tone: "bad" }));
const pathOf = (html: string, name: string) => new RegExp(`class="${name}" d="([^"]*)"`).exec(html)?.[1];

describe("the description of a series", () => {
  it("names both ends and the extremes", () => {
    expect(describeSeries("Score of acme", days(71, 31, 90, 34))).toBe(
      "Score of acme over 4 days: from 71 to 34, lowest 31, highest 90",
    );
  });

  it("names a constant value once, and skips days without a value", () => {
    expect(describeSeries("Score of acme", days(5, null, 5))).toBe("Score of acme over 3 days: 5 throughout");
    expect(describeSeries("Score of acme", days(null, 3, 4, null))).toBe(
      "Score of acme over 4 days: from 3 to 4, lowest 3, highest 4",
    );
    expect(describeSeries("Score of acme", days(7))).toBe("Score of acme over 1 day: 7 throughout");
  });

  it("is missing without a value", () => {
    expect(describeSeries("Score of acme", days(null, null))).toBeNull();
    expect(describeSeries("Score of acme", [])).toBeNull();
  });
});

describe("ticks", () => {
  it("are at the first of each month over 90 days", () => {
    const from = Date.UTC(2026, 7, 24);
    expect(timeTicks([from, from + 89 * DAY_MS]).map(timeLabel)).toEqual(["1 Sep", "1 Oct", "1 Nov"]);
  });

  it("are at full hours within a day, in UTC", () => {
    const from = Date.UTC(2026, 10, 12, 13, 7);
    expect(timeTicks([from, from + 3_600_000]).map(timeLabel)).toEqual(["13:15", "13:30", "13:45", "14:00"]);
    expect(timeLabel(Date.UTC(2026, 10, 12))).toBe("12 Nov");
  });

  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 2, 4]],
    [7, [0, 5, 10]],
    [180, [0, 100, 200]],
    [12_345, [0, 10_000, 20_000]],
  ])("of counts up to %i are whole, few, and reach it", (highest, marks) => {
    expect(countTicks(highest)).toEqual(marks);
  });
});

describe("a line chart", () => {
  it("fills the frame from 0 to the highest mark", () => {
    const html = chart(days(100, 0, 50), [0, 40, 70, 100]);
    expect(pathOf(html, "line")).toBe("M0,10L50,148L100,79");
    expect(pathOf(html, "area")).toBe("M0,148L0,10L50,148L100,79L100,148Z");
    expect([...html.matchAll(/text-anchor="end">(\d+)</g)].map(([, mark]) => mark)).toEqual(["0", "40", "70", "100"]);
  });

  it("has a gap where a day has no value, and a dot for one between gaps", () => {
    expect(pathOf(chart(days(100, 0, null, 100, null, 0, 0), [0, 100]), "line")?.match(/M/g)).toHaveLength(3);
    expect(pathOf(chart(days(null, 50, null), [0, 100]), "line")).toBe("M50,79Z");
  });

  it("chooses marks by the highest value", () => {
    expect(chart(days(3, 17))).toContain(">20</text>");
  });

  it("has a title and a description for screen readers", () => {
    const html = chart(days(71, 34));
    expect(html).toContain('role="img" aria-label="Score of acme over 2 days: from 71 to 34, lowest 34, highest 71"');
  });

  it("is missing without a value", () => {
    expect(chart(days(null, null))).toBe("");
    expect(chart([])).toBe("");
  });

  it("has no inline styles", () => {
    expect(chart(days(1, 2))).not.toContain("style=");
  });
});

describe("a sparkline", () => {
  it("ranges from 0 to 100, and ends in a dot of its tone", () => {
    const html = sparkline(days(100, 0));
    expect(html).toContain('d="M3,3L93,23"');
    expect(html).toContain('<circle class="bad" cx="93" cy="23"');
  });

  it("ends at the last day with a value", () => {
    expect(sparkline(days(100, 0, null))).toContain('cx="48" cy="23"');
  });

  it("has a description with escaped names", () => {
    expect(sparkline(days(71, 34))).toContain(
      "<title>Score of &lt;acme&gt; over 2 days: from 71 to 34, lowest 34, highest 71</title>",
    );
  });

  it("is missing without a value", () => {
    expect(sparkline(days(null))).toBe("");
    expect(sparkline([])).toBe("");
  });
});
