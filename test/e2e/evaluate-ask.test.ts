/** `npm run evaluate:ask`: what it asks is the app's own, though only a part of it is wired, without types and in Node. */
// oxlint-disable-next-line import/no-unassigned-import -- it declares what src/db is written in, and exports nothing

import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { ask } from "../../evals/ask/service/ask.ts";
import { openService, type Service } from "../../evals/ask/service/service.ts";
import type { World } from "../../evals/ask/world/model.ts";

const NOW = Date.parse("2026-11-20T15:30:00Z");
const HOUR_MS = 3_600_000;

const feature = { event: "report.exported", sent: "Report Exported", spoken: "report exported" };
const user = { id: "ann", account: "acme", traits: {}, asked: ["ann"] };
const WORLD: World = {
  name: "small",
  now: NOW,
  firstDay: Math.floor(NOW / (24 * HOUR_MS)),
  accounts: [
    {
      id: "acme",
      isSolo: false,
      company: "Acme Works",
      asked: ["acme"],
      firstAt: NOW - 3 * HOUR_MS,
      attributes: {},
      traits: {},
      users: [user],
      course: "steady",
    },
  ],
  users: [user],
  features: [feature],
  happenings: [3, 2, 1].map((hours) => ({ at: NOW - hours * HOUR_MS, account: "acme", user: "ann", feature })),
  facts: [],
  recomputes: [NOW - HOUR_MS],
};

let service: Service;
beforeEach(async () => {
  vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
  // A line of the log for each request.
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  service = await openService(WORLD);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("is told of a world, and answers from it", async () => {
  const asked = await ask(service, { body: { question: "How many events did Acme Works have today?" } });
  expect(asked).toMatchObject({ status: 200, response: { knows: true, value: 3 } });
});

it("lists what the world has, and refuses as the service does", async () => {
  expect(await (await service.request("/api/v1/accounts")).json()).toMatchObject({
    accounts: [{ externalId: "acme" }],
  });
  expect((await service.request("/api/v1/inbox")).status).toBe(200);
  const refused = await service.request("/api/v1/ask", { question: 1 });
  expect([refused.status, refused.headers.get("Content-Type")]).toEqual([400, "application/json"]);
  expect(refused.headers.get("X-Request-Id")).toMatch(/^[\w-]{36}$/);
});
