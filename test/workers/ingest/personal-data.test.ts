/** No personal data reaches the database or the log: docs/wire.md §5. */
import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";

import { allRows } from "../support/database.ts";
import { cdpMessage, nativeCapture, type Planted } from "./planted-messages.ts";
import { type IngestSender, newSender } from "./sender.ts";

/** Everything the service logged. */
const lines: string[] = [];
for (const level of ["log", "info", "warn", "error", "debug"] as const) {
  vi.spyOn(console, level).mockImplementation((...words: unknown[]) => {
    lines.push(words.map(String).join(" "));
  });
}

/** Returns every row of the database and every line of the log as one text. */
async function allText(): Promise<string> {
  return JSON.stringify([await allRows(), lines]).toLowerCase();
}

async function expectNowhere(planted: Planted[]): Promise<void> {
  const text = await allText();
  const found = planted.flatMap(({ body, secrets }) =>
    secrets.filter((secret) => text.includes(asJson(secret))).map((secret) => ({ secret, body })),
  );
  expect(found.slice(0, 3)).toEqual([]);
}

/** Writes a secret as the text would contain it. */
const asJson = (secret: string): string => JSON.stringify(secret).slice(1, -1).toLowerCase();

const post = (sender: IngestSender, path: string, body: unknown) => sender.workspace.post(path, body);

describe("personal data", () => {
  it(
    "§5 from compatibility messages, valid or not, is neither stored nor logged",
    {
      timeout: 120_000,
    },
    async () => {
      const sender = await newSender();
      const batches = fc.array(cdpMessage, { minLength: 30, maxLength: 60 });
      let [stored, rejected] = [0, 0];
      await fc.assert(
        fc.asyncProperty(batches, async (planted) => {
          const { status, text, body } = await post(sender, "/api/v1/cdp", { batch: planted.map((one) => one.body) });
          expect(status, text).toBe(200);
          stored += body.stored ?? 0;
          rejected += body.rejected?.length ?? 0;
          await expectNowhere(planted);
        }),
        { numRuns: 30 },
      );
      expect(Math.min(stored, rejected)).toBeGreaterThan(200);
      // The log has at most ten similar requests a second, so a fast machine logs only ten.
      expect(lines.length).toBeGreaterThanOrEqual(10);
    },
  );

  it(
    "§5 from native captures, valid or not, is neither stored nor logged",
    {
      timeout: 120_000,
    },
    async () => {
      const sender = await newSender();
      const requests = fc.array(fc.tuple(nativeCapture, fc.boolean()), { minLength: 15, maxLength: 15 });
      let stored = 0;
      await fc.assert(
        fc.asyncProperty(requests, async (planted) => {
          for (const [{ body }, versioned] of planted) {
            const { status, text } = await post(sender, versioned ? "/api/v1/events" : "/api/events", body);
            expect([200, 400, 413], text).toContain(status);
            if (status === 200) stored += 1;
          }
          await expectNowhere(planted.map(([one]) => one));
        }),
        { numRuns: 12 },
      );
      expect(stored).toBeGreaterThan(30);
    },
  );

  it("§5 from an invalid body is neither stored nor logged", async () => {
    const sender = await newSender();
    const bodies = [
      '{"type":"track","userId":"u1","email":"qqbroken@example.com"',
      '"qqbroken@example.com"',
      '{"batch":{"email":"qqbroken"}}',
    ];
    for (const path of ["/api/v1/cdp", "/api/v1/events"]) {
      for (const body of bodies) expect((await post(sender, path, body)).status).toBe(400);
    }
    expect(await allText()).not.toContain("qqbroken");
  });
});
