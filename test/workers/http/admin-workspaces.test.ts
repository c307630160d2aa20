/** Section 9: creating, listing, reading and changing workspaces. */
import { afterEach, describe, expect, it, vi } from "vitest";

import { SCOPES } from "../../../src/core/api-key.ts";
import { batch, track, tracks } from "../support/messages.ts";
import { refusal } from "../support/send.ts";
import { databaseWith, envWith, sendWith, type Trip } from "../support/faulty-env.ts";
import { admin, ADMIN_HEADERS, newWorkspace } from "../support/workspace.ts";

const NOW = Date.UTC(2030, 4, 6, 7, 8, 9, 10);
const ISO = "2030-05-06T07:08:09.010Z";

afterEach(() => {
  vi.useRealTimers();
});

/** `AAA`, `AAB`, … */
const code = (place: number): string => `A${String.fromCodePoint(65 + Math.floor(place / 26), 65 + (place % 26))}`;

const counters = async (id: string) => (await admin("GET", `/workspaces/${id}`)).body.workspace?.["counters"];

describe("§9 POST /admin/workspaces", () => {
  it("§9 returns 201 with the workspace and its first key, which has all scopes", async () => {
    vi.setSystemTime(NOW);
    const { status, body } = await admin("POST", "/workspaces", { name: "Shop", writeLimit: 250 });
    expect(status).toBe(201);
    expect(body).toEqual({
      ok: true,
      workspace: { id: expect.stringMatching(/^ws_./), name: "Shop", writeLimit: 250, createdAt: ISO },
      key: { id: expect.stringMatching(/^key_./), key: expect.stringMatching(/^bik_/), scopes: [...SCOPES] },
    });
  });

  it.each<[field: string, body: Record<string, unknown>]>([
    ["name", {}],
    ["name", { name: "" }],
    ["name", { name: "  " }],
    ["name", { name: null }],
    ["name", { name: "x".repeat(129) }],
    ["name", { name: "😀".repeat(129) }],
    ["name", { name: "two\nlines" }],
    ["name", { name: "nothing\u0000" }],
    ["name", { name: "x\u0085y" }],
    ["name", { name: "half \ud83d" }],
    ["writeLimit", { name: "x", writeLimit: 0 }],
    ["writeLimit", { name: "x", writeLimit: 1.5 }],
    ["writeLimit", { name: "x", writeLimit: "100" }],
    ["writeLimit", { name: "x", writeLimit: null }],
    ["writeLimit", { name: "x", writeLimit: 1e12 }],
  ])("§9 names %s in issues for %j", async (field, body) => {
    expect(await admin("POST", "/workspaces", body)).toMatchObject(refusal(400, "invalid_request", field));
  });
});

describe("§9 GET /admin/workspaces", () => {
  it("§9 lists the newest first, page by page", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await newWorkspace()).id);
    const first = await admin("GET", "/workspaces?limit=3");
    const later = await newWorkspace();
    const second = await admin("GET", `/workspaces?limit=2&cursor=${first.body.nextCursor}`);
    const listed = [...(first.body.workspaces ?? []), ...(second.body.workspaces ?? [])].map(({ id }) => id);
    expect(listed).toEqual(ids);
    expect(listed).not.toContain(later.id);
  });

  it("§9 sends as many statements for one workspace as for many", async () => {
    const sent: number[] = [];
    for (const limit of [1, 5]) {
      let statements = 0;
      const counted: Trip = (run, _number, bound = []) => {
        statements += bound.length;
        return run();
      };
      const changed = envWith(databaseWith(counted));
      const { body } = await sendWith(changed, "GET", `/admin/workspaces?limit=${limit}`, undefined, {
        headers: ADMIN_HEADERS,
      });
      expect(body.workspaces).toHaveLength(limit);
      sent.push(statements);
      await Promise.all([newWorkspace(), newWorkspace(), newWorkspace(), newWorkspace()]);
    }
    expect(sent[1]).toBe(sent[0]);
  });

  it("§9 lists each as GET returns it", async () => {
    const { id } = await newWorkspace();
    const listed = (await admin("GET", "/workspaces?limit=1")).body.workspaces;
    expect(listed).toEqual([(await admin("GET", `/workspaces/${id}`)).body.workspace]);
  });
});

describe("§9 GET /admin/workspaces/{id}", () => {
  it("§9 returns its keys without secrets, agreement, last recompute, counters, and the default limit of 100", async () => {
    vi.setSystemTime(NOW);
    const { id, key, keyId } = await newWorkspace({ name: "Shop" });
    const { status, body } = await admin("GET", `/workspaces/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ok: true,
      workspace: {
        id,
        name: "Shop",
        writeLimit: 100,
        createdAt: ISO,
        keys: [
          { id: keyId, name: null, lastFour: key.slice(-4), scopes: [...SCOPES], createdAt: ISO, revokedAt: null },
        ],
        dpa: null,
        lastRecomputeAt: null,
        counters: { stored: 0, rejected: 0, admitted: 0, refused: 0 },
      },
    });
    expect(Object.keys(body.workspace ?? {})).not.toContain("number");
  });

  it("§9 counts stored, rejected, admitted and refused messages", async () => {
    const { id, post } = await newWorkspace({ writeLimit: 10 });
    await post(
      "/api/v1/cdp",
      batch([...tracks(3), track({ messageId: "m0" }), track({ event: null }), { type: "page" }]),
    );
    await post("/api/v1/cdp", batch(tracks(7, "n")));
    expect(await counters(id)).toEqual({ stored: 3, rejected: 2, admitted: 6, refused: 7 });
  });
});

describe("§9 PATCH /admin/workspaces/{id}", () => {
  it.each([
    [{ name: "New" }, { name: "New", writeLimit: 10 }],
    [{ writeLimit: 20 }, { name: "Old", writeLimit: 20 }],
    [
      { name: "New", writeLimit: 20 },
      { name: "New", writeLimit: 20 },
    ],
    [{}, { name: "Old", writeLimit: 10, rates: null, currency: null }],
    [
      { rates: { EUR: 1.08, JPY: 0.0065 }, currency: "USD" },
      { rates: { EUR: 1.08, JPY: 0.0065 }, currency: "USD" },
    ],
    [{ rates: { EUR: 1.08, USD: 1 } }, { rates: { EUR: 1.08, USD: 1 }, currency: null }],
    [{ currency: "EUR" }, { rates: null, currency: "EUR" }],
  ])("§9 of %j leads to %j", async (change, changed) => {
    const { id } = await newWorkspace({ name: "Old", writeLimit: 10 });
    const answer = await admin("PATCH", `/workspaces/${id}`, change);
    expect(answer).toMatchObject({ status: 200, body: { workspace: { id, ...changed } } });
    expect((await admin("GET", `/workspaces/${id}`)).body.workspace).toMatchObject({ id, ...changed });
  });

  it("§9 removes rates and the currency with null, and keeps those that a change doesn't name", async () => {
    const { id } = await newWorkspace();
    const rates = { EUR: 1.08 };
    const patch = async (change: object) => (await admin("PATCH", `/workspaces/${id}`, change)).body.workspace;
    expect(await patch({ rates })).toMatchObject({ rates, currency: null });
    expect(await patch({ currency: "USD" })).toMatchObject({ rates, currency: "USD" });
    expect(await patch({ name: "New" })).toMatchObject({ rates, currency: "USD" });
    expect(await patch({ currency: null })).toMatchObject({ rates, currency: null });
    expect(await patch({ rates: null })).toMatchObject({ rates: null, currency: null });
  });

  it.each<[field: string, change: object]>([
    ["rates", { rates: {} }],
    ["rates", { rates: [1.08] }],
    ["rates", { rates: "EUR" }],
    ["rates", { rates: Object.fromEntries(Array.from({ length: 101 }, (_, place) => [code(place), 1])) }],
    ["rates.eur", { rates: { eur: 1.08 } }],
    ["rates.EURO", { rates: { EURO: 1.08 } }],
    ["rates.EUR", { rates: { EUR: 0 } }],
    ["rates.EUR", { rates: { EUR: -1 } }],
    ["rates.EUR", { rates: { EUR: "1.08" } }],
    ["rates.EUR", { rates: { EUR: null } }],
    ["rates.USD", { rates: { EUR: 1.08, USD: 2 }, currency: "USD" }],
    ["rates.USD", { rates: { USD: 1.1 } }],
    ["currency", { currency: "EUR" }],
    ["currency", { currency: "usd" }],
    ["currency", { currency: "" }],
    ["currency", { currency: 840 }],
  ])("§9 names %s in issues for %j, and changes nothing", async (field, change) => {
    const { id } = await newWorkspace();
    const settings = { rates: { EUR: 1.08 }, currency: "USD" };
    await admin("PATCH", `/workspaces/${id}`, settings);
    expect(await admin("PATCH", `/workspaces/${id}`, { name: "New", ...change })).toMatchObject(
      refusal(400, "invalid_request", field),
    );
    expect((await admin("GET", `/workspaces/${id}`)).body.workspace).toMatchObject({
      name: expect.not.stringMatching("New"),
      ...settings,
    });
  });

  it("§9 returns a name of 128 characters as it was sent, without spaces around it", async () => {
    const { id } = await newWorkspace({ name: ` ${"😀".repeat(128)}\n` });
    expect((await admin("GET", `/workspaces/${id}`)).body.workspace?.name).toBe("😀".repeat(128));
  });

  it.each([{ name: "" }, { name: "\ud83d" }, { name: "x".repeat(129) }, { writeLimit: 0 }, { id: "x" }])(
    "§9 of %j is 400, and changes nothing",
    async (body) => {
      const { id } = await newWorkspace({ name: "Same" });
      expect((await admin("PATCH", `/workspaces/${id}`, { name: "Changed", ...body })).status).toBe(400);
      expect((await admin("GET", `/workspaces/${id}`)).body.workspace).toMatchObject({
        id,
        name: "Same",
        writeLimit: 100,
      });
    },
  );
});
