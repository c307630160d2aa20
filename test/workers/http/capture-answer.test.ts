/** Section 3: the answer to a native capture, what it ignores and redacts, and how large it may be. */
import { beforeAll, describe, expect, it } from "vitest";

import { gzip } from "../support/bytes.ts";
import { tablesWith } from "../support/database.ts";
import { capture, ofBytes, utf8 } from "../support/messages.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const PATH = "/api/v1/events";
const LIMIT = 16_384;

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace({ writeLimit: 100_000 });
});

describe("§3 the answer", () => {
  it.each([PATH, "/api/events"])(
    "§3 %s answers ok, deduped, account and user, and nothing else without cause",
    async (path) => {
      const { status, body, headers } = await workspace.post(path, capture());
      expect(status).toBe(200);
      expect(headers.get("Content-Type")).toMatch(/^application\/json/);
      expect(body).toEqual({
        ok: true,
        deduped: false,
        account: { id: expect.stringMatching(/^acc_./), externalId: "acme" },
        user: { id: expect.stringMatching(/^usr_./), externalId: "u1" },
      });
    },
  );

  it("§3 the same account and user have the same ids again", async () => {
    const [one, other] = [
      await workspace.post(PATH, capture()),
      await workspace.post(PATH, capture({ event: "other" })),
    ];
    expect([other.body.account, other.body.user]).toEqual([one.body.account, one.body.user]);
  });

  it("§3 two captures without an Idempotency-Key are two events, be they equal", async () => {
    const { get, post } = await newWorkspace();
    for (let time = 0; time < 2; time += 1) expect((await post(PATH, capture())).body.deduped).toBe(false);
    expect((await get(PATH)).body.events).toHaveLength(2);
  });
});

describe("§3 ignored", () => {
  it("§3 any other field is not stored and named, and the event is stored all the same", async () => {
    const { status, body } = await workspace.post(
      PATH,
      capture({ event: "with.extras", colour: "violet-7f3a", traits: { a: 1 }, messageId: "m1" }),
    );
    expect(status).toBe(200);
    expect(body["ignored"]).toEqual(["colour", "traits", "messageId"]);
    expect((await workspace.get(`${PATH}?limit=1`)).body.events).toMatchObject([
      { name: "with.extras", properties: {} },
    ]);
    expect(await tablesWith("violet-7f3a")).toEqual([]);
  });

  it("§3 a field of another case is another field", async () => {
    expect((await workspace.post(PATH, capture({ Properties: {}, accountid: "x" }))).body["ignored"]).toEqual([
      "Properties",
      "accountid",
    ]);
  });

  it("§3 §8 of a long name no more than 64 characters are echoed", async () => {
    const { body } = await workspace.post(PATH, capture({ ["n".repeat(5_000)]: 1 }));
    expect(body["ignored"]).toEqual(["n".repeat(64)]);
  });

  it("§5 a name that is an e-mail address is not echoed", async () => {
    const { text } = await workspace.post(PATH, capture({ "jo@example.com": 1 }));
    expect(text).not.toContain("jo@example.com");
  });
});

describe("§3 redacted", () => {
  it("§3 §5 names where personal data was, and none of it is stored", async () => {
    const properties = {
      email: "jo.secret@example.com",
      plan: "pro",
      deep: [{ phone: "555-7f3b" }],
      note: "ask ann.secret@example.com",
    };
    const { status, body } = await workspace.post(PATH, capture({ event: "redacted", properties }));
    expect(status).toBe(200);
    expect(body["redacted"]).toEqual(["properties.email", "properties.deep.0.phone", "properties.note"]);
    expect((await workspace.get(`${PATH}?limit=1`)).body.events).toMatchObject([
      { name: "redacted", properties: { plan: "pro", deep: [{}], note: "ask [redacted]" } },
    ]);
    for (const text of ["secret@example.com", "555-7f3b"]) expect(await tablesWith(text)).toEqual([]);
  });

  it("§5 an e-mail address in an attribute is redacted too", async () => {
    const { body } = await workspace.post(
      PATH,
      capture({ accountId: "stage", accountStage: "won by zoe@example.com" }),
    );
    expect(body["redacted"]).toEqual(["accountStage"]);
    expect(await tablesWith("zoe@example.com")).toEqual([]);
  });
});

describe("§3 the body is at most 16 KB", () => {
  it.each([
    ["ASCII", "x"],
    ["2-byte characters", "é"],
    ["3-byte characters", "€"],
    ["4-byte characters", "😀"],
  ])("§3 16,384 bytes of %s pass, 16,385 are 413 message_too_large", async (_what, filler) => {
    const fits = JSON.stringify(ofBytes(capture(), LIMIT, filler));
    expect(utf8(fits).byteLength).toBe(LIMIT);
    expect((await workspace.post(PATH, fits)).status).toBe(200);
    const over = await workspace.post(PATH, JSON.stringify(ofBytes(capture(), LIMIT + 1, filler)));
    expect(over).toMatchObject({ status: 413, body: { ok: false, error: { code: "message_too_large" } } });
  });

  it("§3 the bound is on the body as sent: blanks count", async () => {
    const body = JSON.stringify(capture());
    expect((await workspace.post(PATH, body.padEnd(LIMIT))).status).toBe(200);
    expect((await workspace.post(PATH, body.padEnd(LIMIT + 1))).status).toBe(413);
  });

  it("§3 §4.1 it counts decoded bytes", async () => {
    const headers = { Authorization: `Bearer ${workspace.key}`, "Content-Encoding": "gzip" };
    const body = JSON.stringify(capture());
    expect((await workspace.post(PATH, await gzip(utf8(body.padEnd(LIMIT))), { headers })).status).toBe(200);
    expect(await workspace.post(PATH, await gzip(utf8(body.padEnd(LIMIT + 1))), { headers })).toMatchObject({
      status: 413,
      body: { error: { code: "message_too_large" } },
    });
  });

  it("§3 what is too large is not stored", async () => {
    const { get, post } = await newWorkspace();
    expect((await post(PATH, ofBytes(capture(), LIMIT + 1))).status).toBe(413);
    expect((await get(PATH)).body.events).toEqual([]);
  });
});
