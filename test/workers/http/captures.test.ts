/** Section 3 over HTTP. The rules of the fields are tested in core/ingest/from-native. */
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import { readAttribute } from "../../../src/core/ingest/account-attributes.ts";
import { ISO_4217 } from "../../core/ingest/iso-4217.ts";
import { storedState } from "../db/stored-state.ts";
import { gzip } from "../support/bytes.ts";
import { tablesWith } from "../support/database.ts";
import { capture, ofBytes, utf8 } from "../support/messages.ts";
import { refusal } from "../support/send.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const PATH = "/api/v1/events";
const LIMIT = 16_384;
const NOW = Date.UTC(2030, 4, 6, 7, 8, 9, 10);

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace({ writeLimit: 100_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const post = (fields: Record<string, unknown>, path = PATH) => workspace.post(path, capture(fields));
const newest = async () => (await workspace.get(`${PATH}?limit=1`)).body.events?.[0];

describe("§3 a capture", () => {
  it.each([PATH, "/api/events"])("§3 to %s returns ok, deduped, account and user", async (path) => {
    const { status, body } = await workspace.post(path, capture());
    expect(status).toBe(200);
    expect(body).toEqual({
      ok: true,
      deduped: false,
      account: { id: expect.stringMatching(/^acc_./), externalId: "acme" },
      user: { id: expect.stringMatching(/^usr_./), externalId: "u1" },
    });
    expect((await workspace.post(path, capture({ event: "other" }))).body).toEqual(body);
  });

  it("§3 is stored with its properties and its time in UTC", async () => {
    const properties = { n: 0.1, s: "é", b: false, z: null, a: [1, [2]], o: { p: {} }, "": 1, "a.b": 2, "$[0]": 3 };
    await post({ event: "a1_b.c2", properties, timestamp: "2026-01-31T09:30:00.123456-05:30" });
    expect(await newest()).toMatchObject({ name: "a1_b.c2", properties, occurredAt: "2026-01-31T15:00:00.123Z" });
  });

  it("§3 without a timestamp has the time of receipt", async () => {
    vi.setSystemTime(NOW);
    await post({});
    const now = "2030-05-06T07:08:09.010Z";
    expect(await newest()).toMatchObject({ properties: {}, occurredAt: now, receivedAt: now });
  });

  it("§3 §8 with several faults names each of them and stores nothing", async () => {
    const own = await newWorkspace();
    const answer = await own.post(PATH, { userId: 1.5, event: "No", properties: [], accountSeats: -1 });
    expect(answer).toMatchObject(refusal(400, "invalid_request"));
    expect(answer.body.error?.issues?.map(({ path }) => path).toSorted()).toEqual([
      "accountId",
      "accountSeats",
      "event",
      "properties",
      "userId",
    ]);
    expect(answer.body).toMatchObject({
      message: "accountId is required.",
      error: { message: "accountId is required." },
    });
    expect((await own.get(PATH)).body.events).toEqual([]);
  });
});

describe("§3 ignored and redacted", () => {
  it("§3 names other fields in ignored, and stores the event without them", async () => {
    const { status, body } = await post({
      event: "with.extras",
      color: "violet-7f3a",
      Properties: {},
      messageId: "m1",
    });
    expect([status, body["ignored"]]).toEqual([200, ["color", "Properties", "messageId"]]);
    expect(await newest()).toMatchObject({ name: "with.extras", properties: {} });
    expect(await tablesWith("violet-7f3a")).toEqual([]);
  });

  it("§3 §5 names the places of personal data, and stores none of it", async () => {
    const { status, body } = await post({
      event: "redacted",
      properties: { email: "jo.secret@example.com", plan: "pro", deep: [{ phone: "555-7f3b" }] },
      accountStage: "won by ann.secret@example.com",
    });
    expect([status, body["redacted"]]).toEqual([200, ["properties.email", "properties.deep.0.phone", "accountStage"]]);
    expect(await newest()).toMatchObject({ name: "redacted", properties: { plan: "pro", deep: [{}] } });
    for (const text of ["secret@example.com", "555-7f3b"]) expect(await tablesWith(text)).toEqual([]);
  });
});

describe("§3 the body of a capture", () => {
  it.each([
    ["ASCII", "x"],
    ["4-byte characters", "😀"],
  ])("§3 has at most 16,384 bytes of %s; 16,385 are 413 message_too_large", async (_what, filler) => {
    const own = await newWorkspace();
    const over = await own.post(PATH, JSON.stringify(ofBytes(capture(), LIMIT + 1, filler)));
    expect(over).toMatchObject(refusal(413, "message_too_large"));
    expect((await own.get(PATH)).body.events).toEqual([]);
    expect((await own.post(PATH, JSON.stringify(ofBytes(capture(), LIMIT, filler)))).status).toBe(200);
  });

  it("§3 §4.1 counts with its blanks, and as decoded bytes", async () => {
    const body = JSON.stringify(capture());
    const headers = { Authorization: `Bearer ${workspace.key}`, "Content-Encoding": "gzip" };
    for (const [bytes, status] of [
      [LIMIT, 200],
      [LIMIT + 1, 413],
    ] as const) {
      expect((await workspace.post(PATH, body.padEnd(bytes))).status).toBe(status);
      expect((await workspace.post(PATH, await gzip(utf8(body.padEnd(bytes))), { headers })).status).toBe(status);
    }
  });
});

/** Returns the stored attributes of an account; a cleared one is null. */
async function stored(accountId: string): Promise<Record<string, unknown>> {
  const { accounts } = await storedState(await workspace.ref());
  const values = Object.entries(accounts[`company:${accountId}`] ?? {}).map(([name, [value]]) => [name, value]);
  return Object.fromEntries(values);
}

describe("§3 account attributes", () => {
  const attributes = {
    accountStage: "paid",
    trialEndsAt: "2026-01-31T09:30:00+02:00",
    accountPlan: "Pro 2",
    accountSeats: 0,
    accountMrr: 99.5,
    accountCurrency: "chf",
    accountContractEndsAt: "2027-01-31T00:00:00+02:00",
  };

  it("§3 are stored by the versioned path; null clears one, and an absent one stays", async () => {
    const values = {
      stage: "paid",
      trialEndsAt: "2026-01-31T07:30:00.000Z",
      plan: "Pro 2",
      seats: 0,
      mrr: 99.5,
      contractEndsAt: "2027-01-30T22:00:00.000Z",
    };
    expect((await post({ accountId: "all", ...attributes })).body["ignored"]).toBeUndefined();
    expect(await stored("all")).toEqual({ ...values, currency: "CHF" });
    await post({ accountId: "all", accountCurrency: null });
    expect(await stored("all")).toEqual({ ...values, currency: null });
  });

  it("§3 except stage and trial end are ignored by the unversioned path, usable or not, and not cleared", async () => {
    await post({ accountId: "old", accountPlan: "pro" });
    const { status, body } = await post(
      { accountId: "old", ...attributes, accountPlan: null, accountSeats: -1 },
      "/api/events",
    );
    expect(status).toBe(200);
    expect(body["ignored"]).toEqual([
      "accountPlan",
      "accountSeats",
      "accountMrr",
      "accountCurrency",
      "accountContractEndsAt",
    ]);
    expect(await stored("old")).toEqual({ plan: "pro", stage: "paid", trialEndsAt: "2026-01-31T07:30:00.000Z" });
  });

  it("§3 accept each currency of ISO 4217, although workerd has another list than Node", () => {
    expect(ISO_4217.filter((code) => readAttribute("currency", code, false) !== code)).toEqual([]);
  });
});

const withKey = (key: string) => ({ headers: { "Idempotency-Key": key } });

describe("§3 Idempotency-Key", () => {
  let own: TestWorkspace;
  beforeEach(async () => {
    own = await newWorkspace();
  });
  const storedIds = async () => (await own.get(`${PATH}?limit=200`)).body.events?.map(({ messageId }) => messageId);

  it("§3 makes a repeat return deduped with the first account and user, and store nothing", async () => {
    const first = await own.post(PATH, capture(), withKey("k1"));
    expect(first).toMatchObject({ status: 200, body: { deduped: false } });
    const other = capture({ accountId: "other", userId: "u2", event: "other" });
    for (const path of [PATH, "/api/events"]) {
      expect((await own.post(path, other, withKey("k1"))).body).toEqual({ ...first.body, deduped: true });
    }
    expect((await own.get(PATH)).body.events).toMatchObject([{ messageId: "k1", name: "report.exported" }]);
    expect((await own.get("/api/v1/users/u2")).status).toBe(404);
  });

  it("§3 is case-sensitive, and its own in each workspace", async () => {
    for (const key of ["k1", "K1", "1"]) await own.post(PATH, capture(), withKey(key));
    expect(await storedIds()).toEqual(["1", "K1", "k1"]);
    expect((await (await newWorkspace()).post(PATH, capture(), withKey("k1"))).body.deduped).toBe(false);
  });

  it("§3 has 1 to 255 characters", async () => {
    for (const length of [0, 256]) {
      expect(await own.post(PATH, capture(), withKey("k".repeat(length)))).toMatchObject(
        refusal(400, "invalid_request", "Idempotency-Key"),
      );
    }
    expect(await storedIds()).toEqual([]);
    for (const length of [1, 255]) {
      const init = withKey("k".repeat(length));
      expect((await own.post(PATH, capture(), init)).body.deduped).toBe(false);
      expect((await own.post(PATH, capture(), init)).body.deduped).toBe(true);
    }
  });
});
