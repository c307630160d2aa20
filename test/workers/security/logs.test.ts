/** Section 8: no operation logs an id, a name, a property, a key or a token that was sent, whatever fails. */
import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { D1_BROKEN, D1_OVERLOADED, databaseWith, envWith, sendWith } from "../support/faulty-env.ts";
import { admin } from "../support/workspace.ts";
import { CANARIES, newTenant, nobody, START, type Tenant, withOutcomes } from "./tenant.ts";
import { OPERATIONS } from "./tenant-operations.ts";
import { requestOf, type Step } from "./tenant-play.ts";
import { cases } from "../../thorough.ts";

const lines: string[] = [];
beforeEach(() => {
  lines.length = 0;
  vi.useFakeTimers({ now: START, toFake: ["Date"] });
  for (const level of ["log", "info", "warn", "error", "debug"] as const) {
    vi.spyOn(console, level).mockImplementation(
      (...values: unknown[]) => void lines.push(values.map(String).join(" ")),
    );
  }
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const draws = fc.array(fc.nat(2_519), { minLength: 16, maxLength: 16 });
const ENDING = ["DELETE /admin/workspaces/:id/keys/:keyId", "DELETE /admin/workspaces/:id"];
const ROUTES = [...Object.keys(OPERATIONS).filter((route) => !ENDING.includes(route)), ...ENDING];
/** Keeps the write limit from refusing a step. */
const STEP_MS = 3_600_000;
/** Draws the same steps of each operation in each run. */
const steps = (times: number): Step[] =>
  ROUTES.flatMap((route, seed) =>
    fc.sample(draws, { seed, numRuns: times }).map((drawn): Step => ({ by: 0, route, draws: drawn })),
  );

async function tenantWithOutcomes(): Promise<Tenant> {
  const tenant = await newTenant(CANARIES[0]);
  await admin("POST", "/recompute");
  return withOutcomes(tenant);
}

function expectNothingOf({ workspace: { key }, account, user, item }: Tenant): void {
  const log = lines.join("\n");
  const sent = [CANARIES[0], "acme", "globex", "report.exported", '"u1"', account, user, item];
  for (const secret of [...sent, key, key.slice(4, 28), env.ADMIN_TOKEN ?? "", "Bearer", "bik_"]) {
    expect(log).not.toContain(secret);
  }
}

it("§8 no operation logs what it was sent", { timeout: 300_000 }, async () => {
  const tenant = await tenantWithOutcomes();
  lines.length = 0;
  const made = steps(cases(4));
  for (const [place, step] of made.entries()) {
    vi.setSystemTime(START + place * STEP_MS);
    const { method, path, body, init } = requestOf(tenant, nobody(tenant.ref), step);
    await sendWith(envWith({}), method, path, body, init);
  }
  expect(lines).toHaveLength(made.length);
  expectNothingOf(tenant);
});

it.each([D1_BROKEN, D1_OVERLOADED])(
  "§8 no operation logs what it was sent when a round trip to the database fails: %s",
  { timeout: 300_000 },
  async (message) => {
    const tenant = await tenantWithOutcomes();
    lines.length = 0;
    let failed = 0;
    for (const [place, step] of steps(2).entries()) {
      vi.setSystemTime(START + place * STEP_MS);
      for (const at of [1, 2, 3]) {
        const { DB, trips } = databaseWith((run, number) =>
          number === at ? Promise.reject(new Error(message)) : run(),
        );
        const { method, path, body, init } = requestOf(tenant, nobody(tenant.ref), step);
        const { text } = await sendWith(envWith({ DB }), method, path, body, init);
        if (trips() >= at) failed += 1;
        expect(text, path).not.toMatch(/very_secret_table|overloaded/);
      }
    }
    expect(failed).toBeGreaterThan(100);
    expectNothingOf(tenant);
  },
);
