/**
 * A soak as `npm run soak` makes it, a short one: traffic near the limits with the recompute running, and then the
 * account of every message. What it measures is not judged here.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";

import { markedProcesses, newMark } from "../harness/marked-processes.ts";
import { WindowWatch } from "../soak/load/window-watch.ts";

const WORKSPACES = 8;
const TIMEOUT_MS = 240_000;
const CHECKS = 16;

const Report = z.object({
  ok: z.boolean(),
  rows: z.array(z.object({ tally: z.object({ messages: z.number() }) })),
  checks: z.array(z.object({ name: z.string(), ok: z.boolean(), figures: z.record(z.string(), z.number()) })),
  surprises: z.array(z.string()),
  faults: z.array(z.string()),
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "soak-test-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const mark = newMark();

function startSoak(...options: string[]): ChildProcess {
  const args = ["--workspaces", String(WORKSPACES), ...options];
  return fork(new URL("../soak/main.ts", import.meta.url), args, {
    // A group of its own, as a shell makes it one.
    detached: true,
    env: { ...process.env, ...mark, TMPDIR: folder },
    execArgv: [],
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
}

async function endOf(soak: ChildProcess): Promise<{ printed: string; code: unknown }> {
  const [printed, [code]] = await Promise.all([soak.stdout === null ? "" : text(soak.stdout), once(soak, "exit")]);
  return { printed, code };
}

describe("a soak", () => {
  it(
    "finds every message stored once, counted once and folded once, and no request failed",
    async () => {
      const { printed, code } = await endOf(startSoak("--json", "--minutes", "0.2"));
      const report = Report.parse(JSON.parse(printed));

      expect({ surprises: report.surprises, faults: report.faults }).toEqual({ surprises: [], faults: [] });
      expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
      expect(report.checks).toHaveLength(CHECKS);
      // A check over nothing holds always.
      for (const [name, figure] of [
        ["no refusal without a reason", "judged"],
        ["the rollups count the log's events, by account, user, event and day", "events"],
      ] as const) {
        expect(report.checks.find((check) => check.name === name)?.figures[figure], name).toBeGreaterThan(0);
      }
      expect(report.rows.reduce((sum, { tally }) => sum + tally.messages, 0)).toBeGreaterThan(0);
      expect(code).toBe(0);
    },
    TIMEOUT_MS,
  );

  it(
    "is ended early by Ctrl-C, with the account all the same and nothing left behind",
    async () => {
      const soak = startSoak("--minutes", "60");
      // The first line comes as the traffic begins.
      soak.stdout?.once("data", () => process.kill(-(soak.pid ?? Number.NaN), "SIGINT"));

      const { printed, code } = await endOf(soak);

      expect(printed.match(/^✗.*$/gm)).toBeNull();
      expect(printed.match(/^✓/gm)).toHaveLength(CHECKS);
      expect(code).toBe(0);
      expect(markedProcesses(mark)).toEqual([]);
      expect(await readdir(folder)).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

/** What senders can prove must be provable: a limiter that errs is found out. */
describe("the watch over the write limit", () => {
  const LIMIT = 10;
  let watch: WindowWatch;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["performance"] });
    watch = new WindowWatch(LIMIT);
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const admit = (cost: number, tookMs = 0) => {
    const asked = watch.send(cost);
    vi.advanceTimersByTime(tookMs);
    watch.admitted(asked, null);
  };

  it("tells an excess within a window", () => {
    admit(6);
    vi.advanceTimersByTime(9_900);
    admit(5);
    expect(watch.figures).toMatchObject({ most: 11, tooMany: 1 });
  });

  it("claims none where a request may lie in the window before", () => {
    admit(6, 200);
    vi.advanceTimersByTime(9_900);
    admit(5);
    expect(watch.figures).toMatchObject({ most: 6, tooMany: 0 });
  });

  it("tells a refusal for which there is no reason", () => {
    admit(6);
    watch.refused(watch.send(4), null);
    expect(watch.figures).toMatchObject({ refusals: 1, needless: 1 });
    watch.refused(watch.send(5), null);
    expect(watch.figures).toMatchObject({ refusals: 2, needless: 1 });
  });

  it("takes what is under way for a reason", () => {
    watch.send(7);
    watch.refused(watch.send(4), null);
    expect(watch.figures).toMatchObject({ refusals: 1, needless: 0 });
  });

  it("tells a second refusal after Retry-After, unless another request came between", () => {
    admit(LIMIT);
    vi.advanceTimersByTime(1);
    const first = watch.send(1);
    watch.refused(first, null);
    vi.advanceTimersByTime(5_000);
    const second = watch.send(1);
    watch.refused(second, first);
    expect(watch.figures).toMatchObject({ returned: 1, refusedAgain: 1 });
    admit(1);
    vi.advanceTimersByTime(5_000);
    watch.refused(watch.send(1), second);
    expect(watch.figures).toMatchObject({ returned: 1, refusedAgain: 1 });
  });
});
