/**
 * Replaces pictures of charts with uPlot's: a crosshair that mouse, finger and arrow keys move, on all charts of the page at
 * once, and a line that reads out the day. Without this script, and on paper, the pictures remain.
 */
import uPlot from "uplot";

import { dateOf, momentDate } from "../../core/health/texts.ts";
import type { ChartData } from "./scripts/chart-data.ts";

const DAY_SECONDS = 86_400;
const HEIGHT = 176;
const AXIS_WIDTH = 52;
const AXIS_HEIGHT = 26;

const numbers = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

const probe = document.createElement("span");
probe.hidden = true;

/** Resolves a color of the style sheet, which depends on the color scheme. @param tone the class that sets it */
function color(name: string, tone = ""): string {
  probe.className = tone;
  probe.style.color = `var(${name})`;
  return getComputedStyle(probe).color;
}

const muted = () => color("--muted");

const charts = new Map<HTMLElement, uPlot>();
const resizes = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    const chart = target instanceof HTMLElement ? charts.get(target) : undefined;
    if (chart && contentRect.width > 0 && chart.width !== contentRect.width) {
      chart.setSize({ width: contentRect.width, height: HEIGHT });
    }
  }
});

function draw(figure: HTMLElement): void {
  const data: ChartData = JSON.parse(figure.dataset["chart"] ?? "");
  const { first, step, heights, series, bands, tones, marks } = data;
  const days = (series[0]?.values ?? []).map((_, index) => (first + index * step) * DAY_SECONDS);
  const readout = document.createElement("p");
  readout.className = "note readout";
  const plain = readoutOf(data, days.length - 1);
  readout.textContent = plain;
  figure.querySelector("figcaption")?.after(readout);
  const hasAverage = series.length > 1;
  const font = `12px ${getComputedStyle(figure).fontFamily}`;
  const chart = new uPlot(
    {
      width: Math.max(figure.clientWidth, 1),
      height: HEIGHT,
      legend: { show: false },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), "Etc/UTC"),
      cursor: { y: false, drag: { x: false, y: false }, sync: { key: "day" } },
      scales: { y: { range: [0, heights.at(-1) ?? 1] } },
      axes: [
        {
          font,
          stroke: muted,
          size: AXIS_HEIGHT,
          space: 70,
          grid: { show: false },
          ticks: { show: false },
          values: (_, splits) => splits.map((seconds) => momentDate(seconds * 1_000).slice(0, -" 2026".length)),
        },
        {
          font,
          stroke: muted,
          size: AXIS_WIDTH,
          splits: () => [...heights],
          values: (_, splits) => splits.map((value) => numbers.format(value)),
          grid: { stroke: () => color("--line"), width: 1 },
          ticks: { show: false },
        },
      ],
      series: [
        {},
        ...series.map((_, index) => ({
          width: hasAverage && index === 0 ? 1 : 2,
          stroke: () => color(hasAverage && index === 0 ? "--line-strong" : "--accent"),
          ...(bands.length === 0 && index === 0 && { fill: () => color("--accent-soft") }),
          points: { show: days.length === 1 },
        })),
      ],
      hooks: {
        drawClear: [
          (drawn) => {
            const { ctx, bbox } = drawn;
            const { left, top, width, height } = bbox;
            const x = (day: number) =>
              Math.min(Math.max(drawn.valToPos(day * DAY_SECONDS, "x", true), left), left + width);
            for (const [from, to, tone] of bands) {
              ctx.fillStyle = color("--tone-soft", tones[tone]?.[0]);
              const start = x(first + from - 0.5);
              ctx.fillRect(start, top, x(first + to + 0.5) - start, height);
            }
            ctx.fillStyle = color("--text");
            for (const [day] of marks) ctx.fillRect(Math.round(x(day)) - 1, top, 2, height);
          },
        ],
        setCursor: [({ cursor: { idx } }) => (readout.textContent = idx == null ? plain : readoutOf(data, idx))],
      },
    },
    [days, ...series.map(({ values }) => [...values])],
    figure,
  );
  charts.set(figure, chart);
  resizes.observe(figure);
  figure.classList.add("drawn");
  listenToKeys(chart, readout, figure.dataset["description"] ?? "");
}

const readoutOf = ({ first, step, series, bands, tones, marks }: ChartData, index: number): string => {
  const day = first + index * step;
  const texts = [
    ...series.map(({ name, values }) => `${name} ${values[index] == null ? "–" : numbers.format(values[index])}`),
    ...bands.filter(([from, to]) => index >= from && index <= to).map(([, , tone]) => tones[tone]?.[1] ?? ""),
    ...marks.filter(([marked]) => marked === day).map(([, text]) => text),
  ];
  return `${dateOf(day)}: ${texts.join(" · ")}`;
};

/** Reads out only the chart that has the focus, because the crosshair moves on all of them. */
function listenToKeys(chart: uPlot, readout: HTMLElement, description: string): void {
  const { root, data } = chart;
  root.tabIndex = 0;
  root.role = "img";
  root.ariaLabel = `${description}. Arrow keys move through the days.`;
  root.addEventListener("focus", () => (readout.ariaLive = "polite"));
  root.addEventListener("blur", () => (readout.ariaLive = null));
  root.addEventListener("keydown", (event) => {
    const last = data[0].length - 1;
    const at = chart.cursor.idx ?? last + 1;
    const moved = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (moved === undefined) return;
    event.preventDefault();
    const index = Math.min(Math.max(moved, 0), last);
    for (const one of charts.values()) one.setCursor({ left: one.valToPos(data[0][index] ?? 0, "x"), top: 0 });
  });
}

function drawAll(): void {
  for (const [figure, chart] of charts) {
    if (figure.isConnected) continue;
    resizes.unobserve(figure);
    chart.destroy();
    charts.delete(figure);
  }
  document.body.append(probe);
  for (const figure of document.querySelectorAll<HTMLElement>("figure[data-chart]:not(.drawn)")) draw(figure);
}
drawAll();
document.addEventListener("htmx:afterSettle", drawAll);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  for (const chart of charts.values()) chart.redraw();
});

document.addEventListener("click", ({ target }) => {
  if (target instanceof Element && target.closest("[data-print]") !== null) print();
});
