/**
 * No personal data reaches the database or the log: docs/wire/personal-data.md §5. `core/ingest/invariants` shows it of
 * any message.
 */
import { describe, expect, it, vi } from "vitest";

import { allRows } from "../support/database.ts";
import { batch } from "../support/messages.ts";
import { newSender } from "./sender.ts";

/** Everything the service logged. */
const lines: string[] = [];
for (const level of ["log", "info", "warn", "error", "debug"] as const) {
  vi.spyOn(console, level).mockImplementation((...words: unknown[]) => {
    lines.push(words.map(String).join(" "));
  });
}

const ADDRESS = "Qqjane.Doe+tag@qqjane.example";
const tree = {
  email: "qqjane",
  list: [1, { homePhone: { qqjane: ["qqjane"] }, note: `to:${ADDRESS}, again` }],
  [`of ${ADDRESS}`]: `<${ADDRESS}>`,
};
/** Personal data in every field that may have some: stored, partly stored, or never read. */
const planted = {
  event: `Invited ${ADDRESS}`,
  properties: tree,
  traits: { ...tree, name: "qqjane" },
  context: tree,
  integrations: tree,
  accountPlan: `of ${ADDRESS}`,
  account_stage: ADDRESS,
  anonymousId: ADDRESS,
  email: "qqjane",
  [ADDRESS]: ADDRESS,
};
/** Fields that make the message invalid, and some that don't. */
const FLAWS: Record<string, unknown>[] = [
  {},
  ...[
    "timestamp",
    "sentAt",
    "trialEndsAt",
    "accountContractEndsAt",
    "accountSeats",
    "properties",
    "traits",
    "type",
  ].map((field) => ({
    [field]: ADDRESS,
  })),
  { event: `!${"!".repeat(300)} ${ADDRESS}` },
  { pad: ADDRESS.repeat(1_000) },
  { pad: JSON.parse("[".repeat(40) + "]".repeat(40)) },
];

async function expectNowhere(): Promise<void> {
  expect(lines.length).toBeGreaterThan(0);
  expect(JSON.stringify([await allRows(), lines]).toLowerCase()).not.toContain("qqjane");
}

describe("personal data", () => {
  it("§5 from compatibility messages, valid or not, is neither stored nor logged", async () => {
    const sender = await newSender();
    const senders = [{ userId: "u1", groupId: "acme" }, { userId: "u2", messageId: [] }, { groupId: "acme" }, {}];
    const messages = ["track", "identify", "group", "page"].flatMap((type) =>
      senders.flatMap((ids) => FLAWS.map((flaw) => ({ type, ...ids, ...planted, ...flaw }))),
    );
    let [stored, rejected] = [0, 0];
    for (let first = 0; first < messages.length; first += 20) {
      const answer = await sender.post(batch(messages.slice(first, first + 20)));
      stored += answer.stored;
      rejected += answer.rejected.length;
    }
    expect([stored > 15, rejected > 100]).toEqual([true, true]);
    for (const message of messages.filter(({ userId }) => userId === "u1")) {
      await sender.workspace.post("/api/v1/cdp", message);
    }
    await expectNowhere();
  });

  it("§5 from native captures, valid or not, is neither stored nor logged", async () => {
    const sender = await newSender();
    const capture = { ...planted, accountId: "acme", userId: "u1", event: "report.exported" };
    const statuses = [];
    for (const path of ["/api/v1/events", "/api/events"]) {
      for (const flaw of [...FLAWS, { userId: null }]) {
        statuses.push((await sender.workspace.post(path, { ...capture, ...flaw })).status);
      }
    }
    expect(new Set(statuses)).toEqual(new Set([200, 400, 413]));
    await expectNowhere();
  });

  it("§5 from an invalid body is neither stored nor logged", async () => {
    const sender = await newSender();
    const bodies = [
      '{"type":"track","userId":"u1","email":"qqjane@example.com"',
      '"qqjane@example.com"',
      '{"batch":{"email":"qqjane"}}',
    ];
    for (const path of ["/api/v1/cdp", "/api/v1/events"]) {
      for (const body of bodies) expect((await sender.workspace.post(path, body)).status).toBe(400);
    }
    await expectNowhere();
  });
});
