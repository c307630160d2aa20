/** ops/alerts: the files, and a healthy log, on which no alert fires. */
import { expect, it } from "vitest";

import { FILL_SHARE, UNPROCESSED_MS } from "../../../src/core/alert-thresholds.ts";
import { envWith, sendWith } from "../support/faulty-env.ts";
import { batch, tracks } from "../support/messages.ts";
import { runCron } from "../support/run-cron.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { ALERTS, at, EVENTS, firing, log, MINUTE, post, recordLog, sendTo, SERVICE, times } from "./recorded-log.ts";

recordLog();

/** A healthy hour and a half: traffic with refusals below every threshold, readiness checks, and the cron. */
async function healthyLog(workspace: TestWorkspace): Promise<void> {
  for (let minutes = 0; minutes <= 90; minutes += 5) {
    at(minutes * MINUTE);
    await times(5, () => post(workspace));
    await sendTo({}, workspace.key, "POST", "/api/v1/cdp", batch(tracks(3)));
    await sendTo({}, workspace.key, "GET", EVENTS);
    await sendTo({}, "bik_unknown", "GET", EVENTS);
    await post(workspace, {}, { accountId: 5 });
    expect((await sendWith(envWith({}), "GET", "/readyz")).status).toBe(200);
    await runCron(Date.now());
  }
}

it.each(ALERTS)("$path has the name of its file, and queries of its own", ({ path, alert }) => {
  expect(path).toMatch(new RegExp(`/${alert.name}\\.json$`));
  expect([alert.measured, alert.base].flatMap((each) => each?.query.queryId ?? [])).toEqual(
    [`${SERVICE}-${alert.name}`, `${SERVICE}-${alert.name}-base`].slice(0, alert.base === undefined ? 1 : 2),
  );
});

it("the console marks figures from the same thresholds on", () => {
  const thresholds = ALERTS.map(({ alert }) => [alert.name, alert.threshold.atLeast] as const);
  expect(thresholds).toContainEqual(["database-fill", FILL_SHARE]);
  expect(thresholds).toContainEqual(["unprocessed-messages", UNPROCESSED_MS]);
});

it("no alert fires on a healthy log, at any minute", async () => {
  const workspace = await newWorkspace();
  await healthyLog(workspace);
  expect(log.lines.length).toBeGreaterThan(100);
  expect(log.lines.some(({ fields }) => Object(fields).outcome === "done")).toBe(true);
  for (let minute = 0; minute <= 90; minute += 1) {
    at(minute * MINUTE);
    const known = log.lines;
    log.lines = known.filter(({ timestamp }) => timestamp <= Date.now());
    expect([minute, firing()]).toEqual([minute, {}]);
    log.lines = known;
  }
});
