/** §15: questions over HTTP: what they are about, and their answers. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { capture } from "../support/messages.ts";
import { type Answer } from "../support/send.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { foldAll } from "./told-workspace.ts";

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await newWorkspace({ writeLimit: 100_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const ask = (question: unknown, fields: Record<string, unknown> = {}): Promise<Answer> =>
  workspace.postJson("/api/v1/ask", { question, ...fields });

const subjectOf = async (question: string) => (await ask(question)).body["interpretation"];

const captured = (fields: Record<string, unknown> = {}) => workspace.post("/api/v1/events", capture(fields));

const TODAY = "How many events did acme have today?";

const ALWAYS = ["ok", "knows", "answer", "interpretation", "window", "evidence", "freshness", "confidence", "reason"];

describe("§15 what it answers", () => {
  it("§15 counts an event that the previous request captured", async () => {
    await captured();
    expect(await ask(TODAY)).toMatchObject({ status: 200, body: { ok: true, knows: true, value: 1, reason: null } });
    await captured({ userId: "u2" });
    expect((await ask(TODAY)).body["value"]).toBe(2);
  });

  it("§15 answers the same before a fold, after it, and after the recompute of the next midnight", async () => {
    await captured();
    await captured({ event: "login", userId: "u2" });
    const questions = [
      TODAY,
      "How many active users did acme have today?",
      "Which features did acme use today?",
      "Which accounts used report.exported today?",
      "What are the top 3 accounts by activity today?",
    ];
    const answers = async () => {
      const told: unknown[] = [];
      for (const question of questions) {
        const { body } = await ask(question);
        expect(body, question).toMatchObject({ knows: true });
        told.push([body["answer"], body["value"], body["window"]]);
      }
      return told;
    };
    const before = await answers();
    await foldAll(Date.now());
    expect(await answers()).toEqual(before);
    await foldAll(Date.now() + 86_400_000);
    expect(await answers()).toEqual(before);
    await captured({ event: "login", userId: "u3" });
    expect(await answers()).not.toEqual(before);
  });

  it("§15 has every field, and dates and times in ISO 8601", async () => {
    await captured();
    await foldAll(Date.now());
    const { body } = await ask("How many events did acme have?");
    expect(Object.keys(body)).toEqual(expect.arrayContaining([...ALWAYS, "value"]));
    expect(body).toMatchObject({
      ok: true,
      knows: true,
      answer: expect.stringContaining("acme"),
      value: 1,
      interpretation: {
        intent: expect.any(String),
        measure: expect.any(String),
        subject: { type: "account", id: expect.stringMatching(/^acc_/), externalId: "acme", matchedBy: "external_id" },
        restated: expect.any(String),
      },
      window: {
        from: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        to: new Date().toISOString().slice(0, 10),
        phrase: null,
        defaulted: true,
      },
      confidence: "high",
      reason: null,
    });
    const evidence: unknown = body["evidence"];
    expect(evidence).toContainEqual({
      id: expect.any(String),
      kind: "rollup",
      measure: expect.any(String),
      value: 1,
      window: { from: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), to: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
      asOf: expect.stringMatching(/^\d{4}-.+Z$/),
    });
    expect(body["freshness"]).toEqual({
      lastEventAt: expect.stringMatching(/^\d{4}-.+Z$/),
      lastRecomputeAt: expect.stringMatching(/^\d{4}-.+Z$/),
    });
  });

  it("§15.6 has every field if it doesn't know", async () => {
    await captured();
    const { status, body } = await ask("How many events did zorblax-corp have today?");
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(expect.arrayContaining([...ALWAYS, "detail"]));
    expect(body).toMatchObject({
      ok: true,
      knows: false,
      answer: null,
      evidence: [],
      confidence: null,
      reason: "no_such_subject",
      detail: expect.stringContaining("zorblax-corp"),
    });
    expect(body).not.toHaveProperty("value");
  });

  it("§15 lists the candidates for a name that several accounts have", async () => {
    await captured({ accountId: "acme corp" });
    await captured({ accountId: "Acme-Corp" });
    const { body } = await ask("How many events did ACME CORP have today?");
    expect(body).toMatchObject({ knows: false, reason: "ambiguous_subject" });
    expect(body["candidates"]).toEqual(
      expect.arrayContaining(
        ["acme corp", "Acme-Corp"].map((externalId) => ({
          type: "account",
          id: expect.stringMatching(/^acc_/),
          externalId,
        })),
      ),
    );
  });

  it("§15.2 reads an id of a user and a personal account as the user, unless the question says account", async () => {
    await workspace.post("/api/v1/cdp", { type: "track", userId: "loner", event: "login" });
    const user = { subject: { type: "user", externalId: "loner" } };
    expect(await subjectOf("When was loner last seen?")).toMatchObject(user);
    expect(await subjectOf("When was account loner last seen?")).toMatchObject({ subject: { type: "account" } });
  });

  it("§15.1 uses the account, user or feature that is sent with the question", async () => {
    await captured();
    await captured({ accountId: "globex" });
    const question = "How many events did they have today?";
    for (const accountId of ["acme", "globex"]) {
      const { body } = await ask(question, { accountId });
      expect(body).toMatchObject({
        knows: true,
        value: 1,
        interpretation: { subject: { externalId: accountId, matchedBy: "hint" } },
      });
    }
    expect((await ask(question.replace("they", "this account"))).body["reason"]).toBe("ambiguous_subject");
    for (const hint of [{ accountId: "nobody" }, { userId: "nobody" }, { feature: "nothing.done" }]) {
      const { status, body } = await ask(TODAY, hint);
      expect([status, body["knows"], body["reason"]]).toEqual([200, false, "no_such_subject"]);
    }
  });

  it("§15.3 decides by the time zone which date today is", async () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 18, 23, 30), toFake: ["Date"] });
    await captured();
    expect((await ask(TODAY)).body["window"]).toMatchObject({ from: "2026-11-18", to: "2026-11-18" });
    const there = await ask(TODAY, { timezone: "America/New_York" });
    expect(there.body["window"]).toMatchObject({ from: "2026-11-18", to: "2026-11-18" });
    const ahead = await ask(TODAY, { timezone: "Europe/Madrid" });
    expect(ahead.body["window"]).toMatchObject({ from: "2026-11-19", to: "2026-11-19" });
  });
});

describe("§15.9 follow-ups", () => {
  it("§15.9 change the query that was answered before, as it is in the response", async () => {
    await captured();
    await captured({ accountId: "globex", event: "login", userId: "u2" });
    const { body } = await ask(TODAY);
    const next = await ask("and globex?", { previous: body["query"] });
    expect(next.body).toMatchObject({
      knows: true,
      value: 1,
      interpretation: {
        restated: "How many events from the account globex were there today?",
        subject: { externalId: "globex" },
      },
    });
    const users = await ask("who are its users", { previous: next.body["query"] });
    expect(users.body).toMatchObject({ knows: true, value: [{ externalId: "u2" }] });
    expect((await ask(TODAY, { previous: next.body["query"] })).body["value"]).toBe(1);
    expect((await ask("and globex?")).body).toMatchObject({
      knows: false,
      reason: "needs_previous",
      nearestAnswerable: "Tell me about the account globex",
    });
  });

  it("§15.9 about an account that isn't there any more have a reason", async () => {
    await captured();
    const previous = { find: "events", show: "value", where: [{ dimension: "account", is: "initech" }] };
    expect((await ask("and this week?", { previous })).body).toMatchObject({ reason: "no_such_subject" });
    expect((await ask("and acme?", { previous })).body).toMatchObject({ knows: true, value: 1 });
  });
});
