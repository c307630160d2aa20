/** Section 14: people dismiss and snooze inbox items, and what all marks have in common. */
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import { allRows } from "../support/database.ts";
import { envWith, sendWith, splitIsolates } from "../support/faulty-env.ts";
import { setEntry, setState } from "../support/half-changed.ts";
import { DAY, DAY_MS, NOW, type Outcomes, outcomesOf } from "../support/outcomes.ts";
import { type Answer, refusal, send } from "../support/send.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const iso = (ms: number) => new Date(ms).toISOString();
const IN_AN_HOUR = NOW + 3_600_000;

let workspace: TestWorkspace;
let outcomes: Outcomes;
let item: { number: number; id: string };
beforeAll(splitIsolates);
beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace();
  outcomes = await outcomesOf(workspace);
  item = await outcomes.item({ account: (await outcomes.account("acme")).number });
});
afterEach(() => {
  vi.useRealTimers();
});

/** @param body sent as application/json */
const mark = (method: string, name: string, body?: unknown, { key }: { key: string } = workspace, id = item.id) =>
  send(method, `/api/v1/inbox/${id}/${name}`, body, {
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
  });
const dismiss = () => mark("POST", "dismiss");
const snooze = (until: unknown) => mark("POST", "snooze", { until });

const listedAs = async (status: string): Promise<unknown[]> => {
  const { body } = await workspace.get(`/api/v1/inbox?status=${status}`);
  return [body.items].flat().map((listed) => Object(listed).id);
};
const told = ({ status, body }: Answer) => {
  expect(status).toBe(200);
  expect(body).toEqual({ ok: true, item: expect.objectContaining({ id: item.id, status: "open" }) });
  const { dismissedAt, snoozedUntil } = Object(body.item);
  return { dismissedAt, snoozedUntil };
};
const UNMARKED = { dismissedAt: null, snoozedUntil: null };

describe("§14 dismissing", () => {
  it("§14 removes an item from the open ones, and returns it", async () => {
    expect(told(await dismiss())).toEqual({ dismissedAt: iso(NOW), snoozedUntil: null });
    expect([await listedAs("open"), await listedAs("dismissed")]).toEqual([[], [item.id]]);
  });

  it("§14 twice keeps the first time", async () => {
    await dismiss();
    vi.setSystemTime(NOW + 1_000);
    expect(told(await dismiss())).toEqual({ dismissedAt: iso(NOW), snoozedUntil: null });
  });

  it("§14 can be undone, also repeatedly and without a mark", async () => {
    await dismiss();
    for (let time = 0; time < 2; time += 1) expect(told(await mark("DELETE", "dismiss"))).toEqual(UNMARKED);
    expect([await listedAs("open"), await listedAs("dismissed")]).toEqual([[item.id], []]);
  });

  it.each(["handled", "not_a_problem", "wrong", "other"])(
    "§14 keeps the reason %s of the first time",
    async (reason) => {
      expect((await mark("POST", "dismiss", { reason })).body.item).toMatchObject({ dismissReason: reason });
      for (const again of [undefined, {}, { reason: "other" }]) {
        expect((await mark("POST", "dismiss", again)).body.item).toMatchObject({ dismissReason: reason });
      }
      expect((await mark("DELETE", "dismiss")).body.item).toMatchObject({ dismissReason: null });
    },
  );

  it.each([
    ["application/json", undefined],
    ["text/plain", undefined],
    ["application/json", "{}"],
  ])("§14 needs no reason: %s, %j", async (type, body) => {
    const headers = { Authorization: `Bearer ${workspace.key}`, "Content-Type": type };
    const { body: answer } = await send("POST", `/api/v1/inbox/${item.id}/dismiss`, body, { headers });
    expect(answer.item).toMatchObject({ dismissedAt: iso(NOW), dismissReason: null });
  });

  it.each([
    [{ reason: "done" }, 400, "invalid_request", "reason"],
    [{ reason: null }, 400, "invalid_request", "reason"],
    [{ why: "handled" }, 400, "invalid_request", "why"],
    ["{", 400, "invalid_json", undefined],
    [" ".repeat(100_000), 413, "message_too_large", undefined],
  ])("§14 refuses the body %.20j, and marks nothing", async (body, status, code, field) => {
    const refused = field === undefined ? refusal(status, code) : refusal(status, code, field);
    expect(await mark("POST", "dismiss", body)).toMatchObject(refused);
    expect(await listedAs("open")).toEqual([item.id]);
  });

  it("§14 refuses a body that isn't JSON", async () => {
    const headers = { Authorization: `Bearer ${workspace.key}`, "Content-Type": "text/plain" };
    const answer = await send("POST", `/api/v1/inbox/${item.id}/dismiss`, "reason=handled", { headers });
    expect(answer).toMatchObject(refusal(415, "unsupported_media_type"));
    expect(await listedAs("open")).toEqual([item.id]);
  });
});

describe("§14 snoozing", () => {
  it("§14 removes an item from the open ones until its time", async () => {
    expect(told(await snooze(iso(IN_AN_HOUR)))).toEqual({ dismissedAt: null, snoozedUntil: iso(IN_AN_HOUR) });
    vi.setSystemTime(IN_AN_HOUR - 1);
    expect([await listedAs("open"), await listedAs("snoozed")]).toEqual([[], [item.id]]);
    vi.setSystemTime(IN_AN_HOUR);
    expect([await listedAs("open"), await listedAs("snoozed")]).toEqual([[item.id], []]);
  });

  it("§14 again changes the time, also to an earlier one", async () => {
    await snooze(iso(IN_AN_HOUR));
    for (const until of [IN_AN_HOUR + 1_000, IN_AN_HOUR - 1_000, IN_AN_HOUR - 1_000]) {
      expect(told(await snooze(iso(until)))).toEqual({ dismissedAt: null, snoozedUntil: iso(until) });
    }
  });

  it("§14 does not affect dismissal, nor the reverse", async () => {
    await snooze(iso(IN_AN_HOUR));
    expect(told(await dismiss())).toEqual({ dismissedAt: iso(NOW), snoozedUntil: iso(IN_AN_HOUR) });
    expect(told(await mark("DELETE", "dismiss"))).toEqual({ dismissedAt: null, snoozedUntil: iso(IN_AN_HOUR) });
    await dismiss();
    expect(told(await mark("DELETE", "snooze"))).toEqual({ dismissedAt: iso(NOW), snoozedUntil: null });
  });

  it.each([
    ["2030-01-08T08:00:00+01:00", "2030-01-08T07:00:00.000Z"],
    ["2030-01-08T07:00Z", "2030-01-08T07:00:00.000Z"],
    [iso(NOW + 1), iso(NOW + 1)],
    [iso(NOW + 366 * DAY_MS), iso(NOW + 366 * DAY_MS)],
  ])("§14 accepts until %s", async (until, stored) => {
    expect(told(await snooze(until))).toMatchObject({ snoozedUntil: stored });
  });

  it.each([
    iso(NOW),
    iso(NOW - DAY_MS),
    iso(NOW + 366 * DAY_MS + 1),
    "2030-02-01",
    "2030-02-01T00:00:00",
    "2030-02-30T00:00:00Z",
    "tomorrow",
    NOW + 1_000,
    null,
    undefined,
    [iso(IN_AN_HOUR)],
  ])("§14 refuses until %j, names it in issues, and marks nothing", async (until) => {
    expect(await snooze(until)).toMatchObject(refusal(400, "invalid_request", "until"));
    expect(await listedAs("open")).toEqual([item.id]);
  });

  it("§14 refuses another field", async () => {
    const until = iso(IN_AN_HOUR);
    expect(await mark("POST", "snooze", { until, why: "later" })).toMatchObject(refusal(400, "invalid_request", "why"));
  });
});

const MARKS: [method: string, name: string, body?: unknown][] = [
  ["POST", "dismiss"],
  ["DELETE", "dismiss"],
  ["POST", "snooze", { until: iso(IN_AN_HOUR) }],
  ["DELETE", "snooze"],
  ["POST", "contacted"],
  ["DELETE", "contacted"],
  ["PUT", "note", { text: "a" }],
];

describe("§14 a mark", () => {
  it.each(MARKS)("§14 by %s …/%s of an unknown item is 404", async (method, name, body) => {
    for (const id of ["itm_000000000000000000000000", "1", "%00", "'--", "😀"]) {
      expect(await mark(method, name, body, workspace, id), id).toMatchObject(refusal(404, "not_found"));
    }
  });

  it.each(MARKS)("§14 by %s …/%s of another workspace's item is 404 and marks nothing", async (method, name, body) => {
    const other = await newWorkspace();
    await dismiss();
    await snooze(iso(IN_AN_HOUR + 1));
    await mark("POST", "contacted");
    const before = (await allRows()).inbox_marks;
    expect((await mark(method, name, body, other)).status).toBe(404);
    expect((await allRows()).inbox_marks).toEqual(before);
  });

  it("§14 does not reopen a resolved item", async () => {
    await outcomes.resolve(item.number);
    expect((await dismiss()).body.item).toMatchObject({ status: "resolved", dismissedAt: iso(NOW) });
    expect([await listedAs("resolved"), await listedAs("dismissed")]).toEqual([[item.id], []]);
  });

  it("§14 does not apply to the next occurrence of an item", async () => {
    await dismiss();
    await outcomes.resolve(item.number, DAY - 20);
    const { results } = await env.DB.prepare("SELECT account FROM inbox_items WHERE number = ?")
      .bind(item.number)
      .all();
    const again = await outcomes.item({ account: Number(results[0]?.account), occurrence: 2 });
    expect(await listedAs("open")).toEqual([again.id]);
  });
});

/** Sends from another isolate, which may have the key in its cache. */
const elsewhere = (key: string, [method, name, body]: [string, string, unknown?]) =>
  sendWith(envWith({}), method, `/api/v1/inbox/${item.id}/${name}`, body, {
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
  });

describe("§14 §2 a cached key", () => {
  it.each(MARKS)("§14 §2 can no longer mark by %s …/%s once it is revoked", async (...call) => {
    const { key, keyId } = await workspace.newKey();
    expect((await elsewhere(key, call)).status).toBe(200);
    await workspace.revoke(keyId);
    await dismiss();
    const before = (await allRows()).inbox_marks;
    expect(await elsewhere(key, call)).toMatchObject(refusal(401, "unauthorized"));
    expect((await allRows()).inbox_marks).toEqual(before);
  });

  it.each(MARKS)("§14 §9 can no longer mark by %s …/%s once its workspace is being erased", async (...call) => {
    expect((await elsewhere(workspace.key, call)).status).toBe(200);
    await setEntry(workspace, { erasedAt: 1 });
    const before = (await allRows()).inbox_marks;
    expect((await elsewhere(workspace.key, call)).status).toBe(401);
    expect((await allRows()).inbox_marks).toEqual(before);
  });

  it.each(MARKS)("§9.1 §14 gets 503 from %s …/%s while the workspace moves", async (...call) => {
    await setState(await workspace.ref(), "moving");
    const before = (await allRows()).inbox_marks;
    expect(await elsewhere(workspace.key, call)).toMatchObject(refusal(503, "unavailable"));
    expect((await allRows()).inbox_marks).toEqual(before);
  });
});
