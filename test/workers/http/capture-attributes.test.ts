/** Section 3: the account attributes of a native capture. */
import { beforeAll, describe, expect, it } from "vitest";

import { readAttribute } from "../../../src/core/ingest/account-attributes.ts";
import { ISO_4217 } from "../../core/ingest/iso-4217.ts";
import { storedState } from "../db/stored-state.ts";
import { capture } from "../support/messages.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const VERSIONED = "/api/v1/events";
const UNVERSIONED = "/api/events";
const ON_BOTH = new Set(["accountStage", "trialEndsAt"]);

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace({ writeLimit: 100_000 });
});

/** The stored value, under the attribute's own name: `null` once cleared. */
async function stored(accountId: string, field: string): Promise<unknown> {
  const { accounts } = await storedState(await workspace.ref());
  const bare = field.replace(/^account/, "");
  return accounts[`company:${accountId}`]?.[bare.charAt(0).toLowerCase() + bare.slice(1)]?.[0];
}

const ACCEPTED: [field: string, given: unknown, kept: unknown][] = [
  ["accountStage", "trial", "trial"],
  ["accountStage", "x".repeat(64), "x".repeat(64)],
  ["trialEndsAt", "2026-01-31T09:30:00Z", "2026-01-31T09:30:00.000Z"],
  ["trialEndsAt", "2026-01-31T09:30:00+02:00", "2026-01-31T07:30:00.000Z"],
  ["accountPlan", "Pro 2", "Pro 2"],
  ["accountSeats", 0, 0],
  ["accountSeats", 25, 25],
  ["accountMrr", 0, 0],
  ["accountMrr", 99.5, 99.5],
  ["accountCurrency", "EUR", "EUR"],
  ["accountCurrency", "usd", "USD"],
  ["accountCurrency", "jPy", "JPY"],
];
const REFUSED: [field: string, given: unknown][] = [
  ["accountStage", "x".repeat(65)],
  ["accountStage", 5],
  ["accountStage", {}],
  ["trialEndsAt", "2026-01-31"],
  ["trialEndsAt", "2026-01-31T09:30:00"],
  ["trialEndsAt", "soon"],
  ["trialEndsAt", 1_700_000_000_000],
  ["accountPlan", 5],
  ["accountPlan", ["pro"]],
  ["accountSeats", -1],
  ["accountSeats", 1.5],
  ["accountSeats", "5"],
  ["accountMrr", -0.01],
  ["accountMrr", "99"],
  ["accountMrr", true],
  ["accountCurrency", "EURO"],
  ["accountCurrency", "E"],
  ["accountCurrency", "€"],
  ["accountCurrency", "QQQ"],
  ["accountCurrency", 978],
];

describe("§3 account attributes on the versioned path", () => {
  it.each(ACCEPTED)("§3 %s %j is stored as %j", async (field, given, kept) => {
    const accountId = crypto.randomUUID();
    const { status, body } = await workspace.post(VERSIONED, capture({ accountId, [field]: given }));
    expect([status, body["ignored"]]).toEqual([200, undefined]);
    expect(await stored(accountId, field)).toBe(kept);
  });

  it.each(REFUSED)("§3 %s %j is refused", async (field, given) => {
    expect(await workspace.post(VERSIONED, capture({ [field]: given }))).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_request", issues: [{ path: field }] } },
    });
  });

  it.each(ACCEPTED)("§3 an explicit null clears %s (%j), an absent one leaves it", async (field, given, kept) => {
    const accountId = crypto.randomUUID();
    await workspace.post(VERSIONED, capture({ accountId, [field]: given }));
    await workspace.post(VERSIONED, capture({ accountId }));
    expect(await stored(accountId, field)).toBe(kept);
    expect((await workspace.post(VERSIONED, capture({ accountId, [field]: null }))).status).toBe(200);
    expect(await stored(accountId, field)).toBeNull();
  });

  it("§3 every code of ISO 4217 is a currency to this runtime too, whose own list is not that of Node", () => {
    expect(ISO_4217.filter((code) => readAttribute("currency", code, false) !== code)).toEqual([]);
  });

  it("§3 one call may set all of them", async () => {
    const accountId = crypto.randomUUID();
    const attributes = {
      accountStage: "paid",
      trialEndsAt: null,
      accountPlan: "pro",
      accountSeats: 5,
      accountMrr: 10,
      accountCurrency: "chf",
    };
    expect((await workspace.post(VERSIONED, capture({ accountId, ...attributes }))).status).toBe(200);
    const { accounts } = await storedState(await workspace.ref());
    const values = Object.entries(accounts[`company:${accountId}`] ?? {}).map(([name, [value]]) => [name, value]);
    expect(Object.fromEntries(values)).toEqual({
      stage: "paid",
      trialEndsAt: null,
      plan: "pro",
      seats: 5,
      mrr: 10,
      currency: "CHF",
    });
  });
});

describe("§3 account attributes on the unversioned path", () => {
  it.each(ACCEPTED.filter(([field]) => ON_BOTH.has(field)))(
    "§3 %s %j is stored as %j there too",
    async (field, given, kept) => {
      const accountId = crypto.randomUUID();
      const { body } = await workspace.post(UNVERSIONED, capture({ accountId, [field]: given }));
      expect(body["ignored"]).toBeUndefined();
      expect(await stored(accountId, field)).toBe(kept);
    },
  );

  it.each(REFUSED.filter(([field]) => ON_BOTH.has(field)))("§3 %s %j is refused there too", async (field, given) => {
    expect((await workspace.post(UNVERSIONED, capture({ [field]: given }))).status).toBe(400);
  });

  const versionedOnly = [...ACCEPTED, ...REFUSED]
    .map(([field, given]): [string, unknown] => [field, given])
    .filter(([field]) => !ON_BOTH.has(field));
  it.each(versionedOnly)(
    "§3 %s %j is not stored there but named as ignored, and the event is stored",
    async (field, given) => {
      const [accountId, event] = [crypto.randomUUID(), `e.x${crypto.randomUUID().replaceAll("-", "")}`];
      const answer = await workspace.post(UNVERSIONED, capture({ accountId, event, [field]: given }));
      expect(answer).toMatchObject({ status: 200, body: { ok: true, ignored: [field] } });
      expect(await stored(accountId, field)).toBeUndefined();
      expect((await workspace.get(`${VERSIONED}?limit=1`)).body.events).toMatchObject([{ name: event }]);
    },
  );

  it("§3 a null there does not clear what the versioned path set", async () => {
    const accountId = crypto.randomUUID();
    await workspace.post(VERSIONED, capture({ accountId, accountPlan: "pro" }));
    expect((await workspace.post(UNVERSIONED, capture({ accountId, accountPlan: null }))).body["ignored"]).toEqual([
      "accountPlan",
    ]);
    expect(await stored(accountId, "accountPlan")).toBe("pro");
  });
});
