/** Section 3: the Idempotency-Key of a native capture. */
import { beforeAll, describe, expect, it } from "vitest";

import { capture, track } from "../support/messages.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const PATH = "/api/v1/events";
const withKey = (key: string) => ({ headers: { "Idempotency-Key": key } });

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace({ writeLimit: 100_000 });
});
const count = async (of: TestWorkspace) => (await of.get(`${PATH}?limit=200`)).body.events?.length;

describe("§3 Idempotency-Key", () => {
  it("§3 the same key again answers deduped, with the account and user stored the first time, and stores nothing", async () => {
    const own = await newWorkspace();
    const first = await own.post(PATH, capture(), withKey("k1"));
    expect(first).toMatchObject({ status: 200, body: { deduped: false } });
    const again = await own.post(PATH, capture(), withKey("k1"));
    expect(again).toMatchObject({ status: 200, body: { ...first.body, deduped: true } });
    const other = await own.post(
      PATH,
      capture({ accountId: "other", userId: "u2", event: "other", accountPlan: "pro" }),
      withKey("k1"),
    );
    expect(other).toMatchObject({ status: 200, body: { ...first.body, deduped: true } });
    expect((await own.get(PATH)).body.events).toMatchObject([{ messageId: "k1", name: "report.exported" }]);
    expect((await own.get("/api/v1/users/u2")).status).toBe(404);
  });

  it("§3 another key is another event", async () => {
    const own = await newWorkspace();
    for (const key of ["k1", "K1", "k1 ".trimEnd().concat("x"), "1"]) await own.post(PATH, capture(), withKey(key));
    expect(await count(own)).toBe(4);
  });

  it("§3 of ten sent at once one is stored, and the others are deduped", async () => {
    const own = await newWorkspace();
    const answers = await Promise.all(Array.from({ length: 10 }, () => own.post(PATH, capture(), withKey("k1"))));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(answers.filter(({ body }) => body.deduped === false)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.account?.id)).size).toBe(1);
    expect(await count(own)).toBe(1);
  });

  it("§3 both paths share the keys", async () => {
    await workspace.post(PATH, capture(), withKey("shared"));
    expect((await workspace.post("/api/events", capture(), withKey("shared"))).body.deduped).toBe(true);
  });

  it("§3 its keys and message ids are separate name spaces", async () => {
    const own = await newWorkspace();
    expect((await own.post("/api/v1/cdp", track({ messageId: "same" }))).body.stored).toBe(1);
    expect((await own.post(PATH, capture(), withKey("same"))).body.deduped).toBe(false);
    expect((await own.post(PATH, capture(), withKey("same"))).body.deduped).toBe(true);
    expect((await own.post("/api/v1/cdp", track({ messageId: "same" }))).body.duplicates).toBe(1);
    expect((await own.get(PATH)).body.events).toMatchObject([
      { messageId: "same", source: "native" },
      { messageId: "same", source: "cdp" },
    ]);
  });

  it("§3 workspaces have name spaces of their own", async () => {
    const [one, other] = [await newWorkspace(), await newWorkspace()];
    await one.post(PATH, capture(), withKey("k1"));
    expect((await other.post(PATH, capture(), withKey("k1"))).body.deduped).toBe(false);
  });

  it("§3 a body's messageId does not deduplicate a native capture", async () => {
    const own = await newWorkspace();
    for (let time = 0; time < 2; time += 1) {
      expect((await own.post(PATH, capture({ messageId: "m1" }))).body).toMatchObject({
        deduped: false,
        ignored: ["messageId"],
      });
    }
  });

  it("§3 a capture that was refused has not used its key up", async () => {
    const own = await newWorkspace();
    expect((await own.post(PATH, capture({ event: "No" }), withKey("k1"))).status).toBe(400);
    expect(await own.post(PATH, capture(), withKey("k1"))).toMatchObject({ status: 200, body: { deduped: false } });
  });

  it.each([1, 255])("§3 a key of %i characters makes a retry safe", async (length) => {
    expect((await workspace.post(PATH, capture(), withKey("k".repeat(length)))).body.deduped).toBe(false);
    expect((await workspace.post(PATH, capture(), withKey("k".repeat(length)))).body.deduped).toBe(true);
  });

  it.each([0, 256, 5_000])("§3 a key of %i characters is 400, and nothing is stored", async (length) => {
    const own = await newWorkspace();
    expect(await own.post(PATH, capture(), withKey("k".repeat(length)))).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_request", issues: [{ path: "Idempotency-Key" }] } },
    });
    expect(await count(own)).toBe(0);
    // In this list the reason stands without its path.
    expect((await own.get("/api/v1/rejected")).body.rejected).toMatchObject([
      { path: "Idempotency-Key", message: "Idempotency-Key must have 1 to 255 characters." },
    ]);
  });
});
