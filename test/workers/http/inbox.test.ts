/** Section 13.3: the list of inbox items. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { ITEM_KINDS, type ItemKind } from "../../../src/core/inbox/model.ts";
import { interruptWithdrawal } from "../support/half-changed.ts";
import { DAY, DAY_MS, NOW, type Outcomes, outcomesOf, type SeededAccount, setRuns } from "../support/outcomes.ts";
import { type Answer, send } from "../support/send.ts";
import { allPages, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

type Listed = Record<string, unknown> & { id: string };

const iso = (ms: number) => new Date(ms).toISOString();

let workspace: TestWorkspace;
let outcomes: Outcomes;
let acme: SeededAccount;
beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace();
  outcomes = await outcomesOf(workspace);
  acme = await outcomes.account("acme");
});
afterEach(() => {
  vi.useRealTimers();
});

const listed = ({ body, text }: Answer): Listed[] => {
  if (!Array.isArray(body.items)) throw new Error(`no items were listed: ${text}`);
  return body.items;
};
const ids = (answer: Answer) => listed(answer).map(({ id }) => id);
const inbox = (query = "") => workspace.get(`/api/v1/inbox?${query}`);
const paged = async (query: string) => (await allPages(workspace, `/api/v1/inbox?${query}`)).flatMap(ids);

const item = async (fields: Parameters<Outcomes["item"]>[0]) => (await outcomes.item(fields)).id;

describe("§13.3 an item", () => {
  it("§13.3 has codes, figures and sentences", async () => {
    await setRuns({ asOf: NOW });
    const { id } = await outcomes.item({
      account: acme.number,
      evidence: [
        { code: "user_days", value: 11, expected: 20.5, window: { from: DAY - 13, to: DAY } },
        { code: "z", value: -3.25, expected: -2.5 },
      ],
    });
    const { body } = await inbox();
    expect(body).toEqual({
      ok: true,
      asOf: iso(NOW),
      items: [
        {
          id,
          kind: "usage_drop",
          severity: "high",
          account: { id: acme.id, externalId: "acme", kind: "company" },
          owner: null,
          title: expect.stringContaining("acme"),
          why: expect.stringMatching(/11 .*20\.5/),
          evidence: [
            { code: "user_days", value: 11, expected: 20.5, window: { from: "2029-12-25", to: "2030-01-07" } },
            { code: "z", value: -3.25, expected: -2.5 },
          ],
          since: "2030-01-05T00:00:00.000Z",
          lastConfirmedAt: "2030-01-08T00:00:00.000Z",
          resolvedAt: null,
          resolution: null,
          suggestedAction: expect.stringMatching(/./),
          closesWhen: expect.stringMatching(/./),
          confidence: "high",
          status: "open",
          dismissedAt: null,
          dismissReason: null,
          snoozedUntil: null,
          contactedAt: null,
          contactedBy: null,
          note: null,
          occurrence: 1,
          modelVersion: 2,
        },
      ],
      nextCursor: null,
    });
  });

  it("§13.3 names the company for keys with the scopes read and identity, while the agreement is accepted", async () => {
    const { id } = await outcomes.item({ account: acme.number });
    const titles = async (scopes: string[]) => {
      const { key } = await workspace.newKey(scopes);
      const authorization = { headers: { Authorization: `Bearer ${key}` } };
      const list = await send("GET", "/api/v1/inbox", undefined, authorization);
      const dismissed = await send("POST", `/api/v1/inbox/${id}/dismiss`, undefined, authorization);
      const restored = await send("DELETE", `/api/v1/inbox/${id}/dismiss`, undefined, authorization);
      const one = await send("GET", "/api/v1/accounts/acme", undefined, authorization);
      return [
        list.body["items"],
        [dismissed.body["item"]],
        [restored.body["item"]],
        Object(one.body["account"]).openItems,
      ].flatMap((items) => [items].flat().map((each) => Object(each).title));
    };
    await workspace.accept();
    await workspace.attach({ accountId: "acme", traits: { company: "Meridian Air" } });
    expect(await titles(["read", "inbox"])).toEqual(Array(4).fill("Usage at acme fell"));
    expect(await titles(["read", "inbox", "identity"])).toEqual(Array(4).fill("Usage at Meridian Air fell"));
    const { key } = await workspace.newKey(["inbox", "identity"]);
    const { body } = await send("POST", `/api/v1/inbox/${id}/dismiss`, undefined, {
      headers: { Authorization: `Bearer ${key}` },
    });
    expect(body).toMatchObject({ item: { title: "Usage at acme fell", account: { externalId: "acme" } } });
    await send("DELETE", `/api/v1/inbox/${id}/dismiss`, undefined, { headers: { Authorization: `Bearer ${key}` } });
    await interruptWithdrawal(await workspace.ref());
    expect(await titles(["read", "inbox", "identity"])).toEqual(Array(4).fill("Usage at acme fell"));
  });

  it("§13.3 with a deadline has dueAt", async () => {
    const end = NOW + 3 * DAY_MS;
    await outcomes.item({ account: acme.number, kind: "trial_expired", subject: String(end), dueAt: end });
    expect(listed(await inbox())).toMatchObject([{ dueAt: iso(end) }]);
  });

  it("§13.3 that is resolved says when and why", async () => {
    await outcomes.item({ account: acme.number, resolvedDay: DAY, resolution: "withdrawn", occurrence: 3 });
    expect(listed(await inbox("status=resolved"))).toMatchObject([
      { status: "resolved", resolvedAt: "2030-01-08T00:00:00.000Z", resolution: "withdrawn", occurrence: 3 },
    ]);
  });

  it("§13.3 about the workspace has no account", async () => {
    await outcomes.item({ kind: "tracking_stopped", evidence: [{ code: "last_day", value: DAY - 4 }] });
    expect(listed(await inbox())).toMatchObject([
      { account: null, title: expect.stringMatching(/^The workspace /), evidence: [{ value: "2030-01-03" }] },
    ]);
  });

  const subjects: Partial<Record<ItemKind, [kept: string, told: Record<string, unknown>]>> = {
    trial_ending_low_activity: [String(NOW), { type: "trial_end", at: iso(NOW) }],
    trial_ending_ready: [String(NOW), { type: "trial_end", at: iso(NOW) }],
    trial_expired: [String(NOW), { type: "trial_end", at: iso(NOW) }],
    renewal_at_risk: [String(NOW), { type: "contract_end", at: iso(NOW) }],
    seats_nearly_full: ["25", { type: "seats", seats: 25 }],
    contraction: ["mrr", { type: "attribute", name: "mrr" }],
  };
  const others = ITEM_KINDS.filter((kind) => kind !== "key_user_quiet" && kind !== "feature_dropped");

  it.each(others)("§13.3 of kind %s has its subject", async (kind) => {
    const [kept, told] = subjects[kind] ?? ["", undefined];
    await outcomes.item({ account: acme.number, kind, subject: kept });
    const [shown] = listed(await inbox());
    expect(shown?.subject).toEqual(told);
    expect(shown).toMatchObject({ kind, title: expect.stringContaining("acme") });
  });

  it("§13.3 about a user or a feature has its name", async () => {
    // A user and an event name may have the same row number.
    const ann = await outcomes.user("ann");
    const view = await outcomes.eventName("report.viewed");
    await outcomes.item({ account: acme.number, kind: "key_user_quiet", subject: String(ann.number), rank: 2 });
    await outcomes.item({ account: acme.number, kind: "feature_dropped", subject: String(view), rank: 1 });
    expect(listed(await inbox())).toMatchObject([
      { subject: { type: "user", id: ann.id, externalId: "ann" }, title: expect.stringContaining("ann") },
      { subject: { type: "feature", name: "report.viewed" }, title: expect.stringContaining("report.viewed") },
    ]);
  });

  it("§13.3 about an erased user has no name", async () => {
    await outcomes.item({ account: acme.number, kind: "key_user_quiet", subject: "999999" });
    expect(listed(await inbox())).toMatchObject([{ subject: { type: "user", id: null, externalId: null } }]);
  });
});

/** Creates an item with marks, each with its body. */
async function marked(marks: Record<string, unknown> = {}, resolvedDay: number | null = null): Promise<string> {
  const id = await item({
    account: acme.number,
    subject: `${Object.keys(marks).join(" ")} ${resolvedDay}`,
    resolvedDay,
  });
  const headers = { headers: { "Content-Type": "application/json" } };
  for (const [mark, body] of Object.entries(marks)) {
    expect((await workspace.post(`/api/v1/inbox/${id}/${mark}`, body, headers)).status).toBe(200);
  }
  return id;
}

describe("§13.3 the list of items", () => {
  it("§13.3 filters by status; an item has one status, and the default is open", async () => {
    const until = { until: iso(NOW + 1_000) };
    const open = await marked();
    const snoozed = await marked({ snooze: until });
    const dismissed = [await marked({ dismiss: {} }), await marked({ dismiss: {}, snooze: until })];
    const resolved = [await marked({}, DAY), await marked({ dismiss: {} }, DAY), await marked({ snooze: until }, DAY)];
    expect(ids(await inbox())).toEqual([open]);
    expect(ids(await inbox("status=open"))).toEqual([open]);
    expect(ids(await inbox("status=snoozed"))).toEqual([snoozed]);
    expect(ids(await inbox("status=dismissed"))).toEqual(dismissed.toReversed());
    expect(ids(await inbox("status=resolved"))).toEqual(resolved.toReversed());
  });

  it("§13.3 filters by kind", async () => {
    const made = new Map<string, string>();
    for (const kind of ITEM_KINDS) made.set(kind, (await outcomes.item({ kind, subject: "0" })).id);
    for (const [kind, id] of made) expect(ids(await inbox(`kind=${kind}`))).toEqual([id]);
    expect(ids(await inbox("kind=usage_drop&status=resolved"))).toEqual([]);
  });
});

describe("§13.3 the order of items", () => {
  it("§13.3 is by rank and then newest first, on one page and on many", async () => {
    const a = await item({ subject: "a", rank: 1.5 });
    const b = await item({ subject: "b", rank: 7.1234 });
    const c = await item({ subject: "c", rank: 1.5 });
    const d = await item({ subject: "d", rank: 0.35 });
    const expected = [b, c, a, d];
    expect(ids(await inbox())).toEqual(expected);
    for (const limit of [1, 2, 3]) expect(await paged(`limit=${limit}`)).toEqual(expected);
  });

  it("§13.3 is by time for resolved items, latest first", async () => {
    const a = await item({ subject: "a", resolvedDay: DAY - 1, rank: 9 });
    const b = await item({ subject: "b", resolvedDay: DAY, rank: 1 });
    const c = await item({ subject: "c", resolvedDay: DAY - 1, rank: 1 });
    expect(await paged("limit=1&status=resolved")).toEqual([b, c, a]);
  });

  it("§13.3 is stable under inserts between pages, also among ties", async () => {
    const made: string[] = [];
    for (const subject of ["a", "b", "c", "d"]) made.unshift(await item({ subject, rank: 2 }));
    const first = await inbox("limit=2");
    await item({ subject: "tie", rank: 2 });
    await item({ subject: "higher", rank: 3 });
    const second = await inbox(`limit=2&cursor=${first.body.nextCursor}`);
    expect([...ids(first), ...ids(second)]).toEqual(made);
    expect(second.body.nextCursor).toBeNull();
  });
});
