/**
 * docs/wire/identity.md §6.1, docs/wire/admin.md §9: the service attaches nothing without the agreement, and a
 * withdrawal erases all traits.
 */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { finishAgreementChanges } from "../../../src/db/identity/agreement.ts";
import { addContacts } from "../support/bulk-rows.ts";
import { asReceived, unfinished } from "../support/bytes.ts";
import { tablesWith } from "../support/database.ts";
import { D1_BROKEN, databaseWith, envWith, sendWith } from "../support/faulty-env.ts";
import { interruptWithdrawal } from "../support/half-changed.ts";
import { utf8 } from "../support/messages.ts";
import { runCron } from "../support/run-cron.ts";
import { ADMIN_HEADERS, admin, type TestWorkspace } from "../support/workspace.ts";
import {
  IDENTITY,
  jsonBearer,
  newIdentifiedWorkspace,
  newIdentityWorkspace,
  rowsOf,
  storedTraits,
} from "./identified-workspace.ts";
import { answerTo } from "../support/unfinished-body.ts";

const NOW = Date.UTC(2100, 0, 1, 6);
const TRAITS = { company: "Acme Corp", name: "Jo Doe", email: "jo@acme.example" };
const BODY = { accountId: "acme", userId: "u1", traits: TRAITS };
const DPA_REQUIRED = { status: 403, body: { ok: false, error: { code: "dpa_required" } } };
const NOTHING = { traits: [], names: [] };

beforeEach(() => {
  vi.setSystemTime(NOW);
});
afterEach(() => {
  vi.useRealTimers();
});

/** Adds users with a name and an address: more than one step erases. */
const withMany = async (workspace: TestWorkspace, count: number) => addContacts(await workspace.ref(), count);

const isNamed = (text: string) => /Jo Doe|Acme Corp|jo@/.test(text);

const leftIn = async ({ ref }: TestWorkspace) => {
  const { number } = await ref();
  const [left] = await rowsOf(
    `SELECT (SELECT count(*) FROM identity_traits WHERE workspace = ?1) AS traits,
      (SELECT count(*) FROM names WHERE workspace = ?1) AS names`,
    number,
  );
  return left;
};

describe("§6 the agreement", () => {
  it("§6.1 is required, and its withdrawal erases all traits", async () => {
    const workspace = await newIdentityWorkspace();
    await workspace.post("/api/v1/events", { accountId: "acme", userId: "u1", event: "a" });
    expect(await workspace.attach(BODY)).toMatchObject(DPA_REQUIRED);
    expect(await tablesWith("Jo Doe")).toEqual([]);
    await workspace.accept();
    expect((await workspace.attach(BODY)).status).toBe(200);
    expect(await tablesWith("Jo Doe")).toEqual(expect.arrayContaining(["identity_traits"]));
    expect(await workspace.withdraw()).toMatchObject({ status: 200, body: { ok: true, dpa: null } });
    expect(await storedTraits(workspace)).toEqual(NOTHING);
    for (const text of ["Jo Doe", "Acme Corp", "jo@acme.example", "jo doe", "acme corp", "jo acme example"]) {
      expect(await tablesWith(text), text).toEqual([]);
    }
    expect(await workspace.attach(BODY)).toMatchObject(DPA_REQUIRED);
    expect(await storedTraits(workspace)).toEqual(NOTHING);
  });

  it("§6 is checked before the body is read, without a charge", async () => {
    const workspace = await newIdentityWorkspace();
    const body = asReceived(unfinished(utf8("no JSON")));
    const answer = await answerTo(() => sendWith(envWith({}), "POST", IDENTITY, body, jsonBearer(workspace.key)));
    expect(answer).toMatchObject(DPA_REQUIRED);
    expect(answer.headers.get("RateLimit")).toBeNull();
  });

  it.each([2, 3])("§6 stops a call that is under way when it is withdrawn before round trip %i", async (at) => {
    const workspace = await newIdentifiedWorkspace();
    // The key is cached from here on, so the first round trip reads the agreement.
    await sendWith(envWith({}), "GET", "/api/v1/users/u1", undefined, jsonBearer(workspace.key));
    const { DB, trips } = databaseWith(async (run, number) => {
      if (number === at) await workspace.withdraw();
      return run();
    });
    const answer = await sendWith(envWith({ DB }), "POST", IDENTITY, BODY, jsonBearer(workspace.key));
    expect(answer).toMatchObject(DPA_REQUIRED);
    expect(trips()).toBe(3);
    expect(await storedTraits(workspace)).toEqual(NOTHING);
  });
});

describe("§6.1 a withdrawal", () => {
  it("§6.1 keeps names from messages, whatever traits equal them", async () => {
    const workspace = await newIdentifiedWorkspace();
    await admin("POST", "/recompute");
    const before = await leftIn(workspace);
    await workspace.attach({ accountId: "acme", userId: "u1", traits: { company: "Acme", name: "u1" } });
    await workspace.withdraw();
    expect(await leftIn(workspace)).toEqual(before);
    expect(before?.["names"]).toBe(2);
  });

  it("§6.1 takes effect at once if it is interrupted, and the cron finishes it", async () => {
    const workspace = await newIdentifiedWorkspace();
    await withMany(workspace, 1_250);
    const { DB } = databaseWith((run, number) => (number > 3 ? Promise.reject(new Error(D1_BROKEN)) : run()));
    const path = `/admin/workspaces/${workspace.id}/dpa`;
    const cut = await sendWith(envWith({ DB }), "DELETE", path, undefined, { headers: ADMIN_HEADERS });
    expect(cut.status).toBe(500);
    expect((await leftIn(workspace))?.["traits"]).toBe(1_500);
    expect(await workspace.attach(BODY)).toMatchObject(DPA_REQUIRED);
    const user = (await workspace.get("/api/v1/users/u1")).body.user;
    expect(user).not.toHaveProperty("identity");
    await runCron(NOW);
    expect(await leftIn(workspace)).toMatchObject({ traits: 0 });
    expect(await tablesWith("Person")).toEqual([]);
  });

  it("§6.1 hides traits from reads and questions before it has erased them", async () => {
    const workspace = await newIdentifiedWorkspace();
    await workspace.attach(BODY);
    const ask = async (question: string) => {
      const { text, body } = await workspace.post("/api/v1/ask", { question }, jsonBearer(workspace.key));
      return { text, knows: body["knows"] };
    };
    const byTrait = ["When was Jo Doe last seen?", "When was Acme Corp last seen?"];
    const knownByTrait = async () => (await Promise.all(byTrait.map(ask))).map(({ knows }) => knows);
    const texts = async () => {
      const asked = ["When was u1 last seen?", "Who was active in acme?"].map(ask);
      const shown = ["users/u1", "accounts/acme"].map((path) => workspace.get(`/api/v1/${path}`));
      return (await Promise.all([...asked, ...shown])).map(({ text }) => text);
    };
    expect((await texts()).map(isNamed)).toEqual([true, true, true, true]);
    expect(await knownByTrait()).toEqual([true, true]);
    await interruptWithdrawal(await workspace.ref());
    expect((await texts()).map(isNamed)).toEqual([false, false, false, false]);
    expect(await knownByTrait()).toEqual([false, false]);
    expect((await ask("When was u1 last seen?")).knows).toBe(true);
  });

  it("§6.1 is finished by the next acceptance", async () => {
    const workspace = await newIdentifiedWorkspace();
    await withMany(workspace, 1_250);
    await interruptWithdrawal(await workspace.ref());
    expect((await workspace.accept({ version: "2" })).status).toBe(200);
    expect(await leftIn(workspace)).toEqual({ traits: 0, names: 0 });
    expect((await workspace.attach(BODY)).status).toBe(200);
  });

  it("§6.1 does not reach traits under a current agreement", async () => {
    const workspace = await newIdentifiedWorkspace();
    await workspace.attach(BODY);
    await workspace.accept({ version: "2" });
    await finishAgreementChanges(env);
    expect((await storedTraits(workspace)).traits).toHaveLength(3);
  });
});

describe("§9 the record of the agreement", () => {
  it("§9 lists who accepted which version and when it ended, the newest first", async () => {
    const workspace = await newIdentityWorkspace();
    const dpa = async () => {
      const { body } = await admin("GET", `/workspaces/${workspace.id}`);
      return [body.workspace?.["dpa"], body.workspace?.["dpaHistory"]];
    };
    const at = (seconds: number) => new Date(NOW + seconds * 1_000).toISOString();
    expect(await dpa()).toEqual([null, []]);
    await workspace.accept();
    vi.setSystemTime(NOW + 1_000);
    await workspace.accept({ acceptedBy: "Bob", version: "2" });
    const [ann, bob] = [
      { acceptedBy: "Ann", version: "1", acceptedAt: at(0) },
      { acceptedBy: "Bob", version: "2", acceptedAt: at(1) },
    ];
    expect(await dpa()).toEqual([
      bob,
      [
        { ...bob, withdrawnAt: null },
        { ...ann, withdrawnAt: at(1) },
      ],
    ]);
    vi.setSystemTime(NOW + 2_000);
    await workspace.withdraw();
    vi.setSystemTime(NOW + 3_000);
    await workspace.withdraw();
    expect(await dpa()).toEqual([
      null,
      [
        { ...bob, withdrawnAt: at(2) },
        { ...ann, withdrawnAt: at(1) },
      ],
    ]);
    await workspace.accept();
    const again = { ...ann, acceptedAt: at(3) };
    expect(await dpa()).toMatchObject([again, [{ ...again, withdrawnAt: null }, bob, ann]]);
  });
});
