/** The volume of messages over time, as what is sent of it. */
import { jsx } from "hono/jsx";
import { renderToString } from "hono/jsx/dom/server";
import { describe, expect, it } from "vitest";

import { Traffic } from "../../../../src/console/live/traffic.tsx";

const START = Date.UTC(2026, 10, 12, 14, 0);
const MINUTE_MS = 60_000;

const chart = (...counts: [stored: number, rejected: number][]) => {
  const buckets = counts.map(([stored, rejected], place) => ({ start: START + place * MINUTE_MS, stored, rejected }));
  const filter = { q: "", span: "hour", show: "all" } as const;
  return renderToString(jsx(Traffic, { workspace: { id: "ws_1" }, filter, buckets, total: 0, refused: 0 }));
};

interface DrawnBar {
  tone: string | undefined;
  x: string | undefined;
  y: number;
  height: number;
}

const bars = (html: string): DrawnBar[] =>
  [...html.matchAll(/<rect class="(\w+)" x="([\d.]+)%" width="[\d.]+%" y="([\d.]+)" height="([\d.]+)"/g)]
    .map(([, tone, x, y, height]) => ({ tone, x, y: Number(y), height: Number(height) }))
    .filter(({ height }) => height > 0);

describe("the bars of the message volume", () => {
  it("stack, with stored messages at the bottom", () => {
    expect(bars(chart([10, 10], [0, 0], [0, 5], [20, 0]))).toEqual([
      { tone: "accent", x: "3.5", y: 79, height: 69 },
      { tone: "bad", x: "3.5", y: 10, height: 69 },
      { tone: "bad", x: "53.5", y: 113.5, height: 34.5 },
      { tone: "accent", x: "78.5", y: 10, height: 138 },
    ]);
  });

  it("have three marks, and times in UTC", () => {
    const html = chart(...Array.from({ length: 60 }, (): [number, number] => [20, 0]));
    expect([...html.matchAll(/text-anchor="end">([\d,]+)</g)].map(([, mark]) => mark)).toEqual(["0", "10", "20"]);
    expect(html).toContain(">14:15</text>");
  });

  it("have a legend, and counts as tooltips", () => {
    const html = chart([3, 1]);
    expect(html).toMatch(
      /<rect class="accent"[^>]*><\/rect><\/svg>Stored<\/dt>.*<rect class="bad"[^>]*><\/rect><\/svg>Rejected<\/dt>/,
    );
    expect(html).toContain("<title>14:00: Stored 3, Rejected 1</title>");
  });

  it("have a description, and a table without empty rows", () => {
    const html = chart([1_200, 1], [0, 0], [3, 0]);
    expect(html).toContain('aria-label="Messages, last hour: a peak of 1,201 at 14:00 UTC"');
    expect([...html.matchAll(/<dd class="figure">(?:<a[^>]*>)?([^<]*)/g)].map(([, figure]) => figure)).toEqual([
      "1,203",
      "1",
      "0",
    ]);
    expect([...html.matchAll(/<th scope="row">([^<]*)/g)].map(([, time]) => time)).toEqual([
      "2026-11-12 14:00",
      "2026-11-12 14:02",
    ]);
    expect(html).toContain('<td class="num">1,200</td><td class="num">1</td>');
  });

  it("of zeros are an empty frame without a table", () => {
    const html = chart([0, 0], [0, 0]);
    expect(bars(html)).toEqual([]);
    expect(html).toContain(': none"');
    expect(html).not.toContain("<table");
  });
});
