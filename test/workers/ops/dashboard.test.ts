/** ops/dashboard: each panel shows what the service did, by its log. */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";

import { Panel, valuesOf } from "../../../ops/alert.ts";
import { D1_BROKEN, D1_OVERLOADED, databaseWith, failing } from "../support/faulty-env.ts";
import { deliver, runCron } from "../support/run-cron.ts";
import { newWorkspace } from "../support/workspace.ts";
import { ask, at, EVENTS, MINUTE, post, recordLog, sendTo, SERVICE, times } from "./recorded-log.ts";

recordLog();

const files = import.meta.glob("../../../ops/dashboard/*.json", { eager: true, import: "default" });
const PANELS = Object.entries(files).map(([path, json]) => ({ path, panel: Panel.parse(json) }));

/** The values of a panel now, by group. */
function shown(name: string): Record<string, number> {
  const found = PANELS.find(({ panel }) => panel.name === name);
  if (found === undefined) throw new Error(`no panel ${name}`);
  return Object.fromEntries(valuesOf(ask(found.panel.measured)));
}

it.each(PANELS)("$path has the name of its file, and a query of its own", ({ path, panel }) => {
  expect(path).toMatch(new RegExp(`/${panel.name}\\.json$`));
  expect(panel.measured.query.queryId).toBe(`${SERVICE}-${panel.name}`);
});

it("shows requests by status, and refused ones by workspace too", async () => {
  const workspace = await newWorkspace({ writeLimit: 3 });
  const created = shown("requests");
  await times(3, () => post(workspace));
  await times(2, () => post(workspace));
  await post(workspace, { DB: databaseWith(failing(D1_OVERLOADED)).DB });
  await sendTo({}, "bik_unknown", "GET", EVENTS);
  const requests = shown("requests");
  const added = Object.entries(requests).map(([status, count]) => [status, count - (created[status] ?? 0)]);
  expect(Object.fromEntries(added.filter(([, count]) => count !== 0))).toEqual({ 200: 3, 401: 1, 429: 3 });
  expect(shown("refused")).toEqual({ [`429,${workspace.id}`]: 3, "401,undefined": 1 });
  at(61 * MINUTE);
  expect([shown("requests"), shown("refused")]).toEqual([{}, {}]);
});

it("shows how full each database is, and for how long its oldest message has waited", async () => {
  const workspace = await newWorkspace({ database: "DB_1" });
  await post(workspace);
  at(20 * MINUTE);
  await runCron(Date.now());
  const { size_after: bytes } = (await env.DB_1.prepare("SELECT 1").run()).meta;
  expect(shown("unprocessed")).toEqual({ DB: 0, DB_1: 20 * MINUTE, DB_2: 0 });
  const fill = shown("fill");
  expect(Object.keys(fill).toSorted()).toEqual(["DB", "DB_1", "DB_2"]);
  expect(fill["DB_1"]).toBeCloseTo(bytes / Number(env.MAX_DATABASE_BYTES), 4);
});

it("shows each failed attempt of a task", async () => {
  const workspace = await newWorkspace();
  await post(workspace);
  const { DB } = databaseWith(failing(D1_BROKEN));
  await times(2, async () => deliver({ task: "recompute", workspace: await workspace.ref() }, { DB }));
  expect(shown("failed-tasks")).toEqual({ recompute: 2 });
});
