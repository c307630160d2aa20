/** A short `npm run soak`. It judges no times. */
import { describe, expect, it } from "vitest";

import { mostAdmitted, overfullWindows } from "../soak/limit-check.ts";
import { soak } from "../soak/soak.ts";

const WORKSPACES = 8;
const RUN_MS = 12_000;
const TIMEOUT_MS = 240_000;

describe("a soak", () => {
  it(
    "finds every message stored once, counted once and folded once, and no failed request",
    async () => {
      const { messages, checks, problems } = await soak({ workspaces: WORKSPACES, forMs: RUN_MS, rowMs: RUN_MS });
      expect(problems).toEqual([]);
      expect(checks.filter(({ ok }) => !ok)).toEqual([]);
      expect(messages).toBeGreaterThan(0);
      // A check of nothing always holds.
      const figure = (name: string) => checks.flatMap(({ figures }) => figures[name] ?? []);
      for (const name of ["checked", "acknowledged", "compared", "events"])
        expect(Math.max(...figure(name)), name).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );
});

describe("the check of the write limit", () => {
  const full = { cost: 6, sentAt: 0, answeredAt: 0 };

  it("finds a window with more than the limit", () => {
    const admitted = [full, { cost: 5, sentAt: 9_900, answeredAt: 9_900 }];
    expect(overfullWindows(admitted, 10)).toBe(1);
    expect(overfullWindows(admitted, 11)).toBe(0);
  });

  it("leaves out a request that may belong to the window before", () => {
    expect(overfullWindows([full, { cost: 5, sentAt: 9_900, answeredAt: 10_000 }], 10)).toBe(0);
  });

  it("finds a run with more than its windows allow, even if each request may belong to another window", () => {
    const admitted = [0, 1, 2].map((n) => ({ cost: 10, sentAt: 0, answeredAt: 9_000 + n }));
    expect(mostAdmitted(admitted, 10)).toBe(10);
    expect(mostAdmitted([...admitted, { cost: 30, sentAt: 0, answeredAt: 10_001 }], 10)).toBe(60);
  });
});
