/** Section 14: people contact accounts about inbox items, and write notes. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { tablesWith } from "../support/database.ts";
import { NOW, outcomesOf } from "../support/outcomes.ts";
import { type Answer, refusal, send } from "../support/send.ts";
import { newWorkspace, type Sender, type TestWorkspace } from "../support/workspace.ts";

const iso = (ms: number) => new Date(ms).toISOString();

let workspace: TestWorkspace;
let item: { id: string };
beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace();
  const outcomes = await outcomesOf(workspace);
  item = await outcomes.item({ account: (await outcomes.account("acme")).number });
});
afterEach(() => {
  vi.useRealTimers();
});

const mark = (method: string, name: string, body?: unknown, { key }: Pick<Sender, "key"> = workspace) =>
  send(method, `/api/v1/inbox/${item.id}/${name}`, body, {
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
  });

const contactOf = ({ status, body }: Answer) => {
  expect(status).toBe(200);
  const { contactedAt, contactedBy } = Object(body.item);
  return [contactedAt, contactedBy];
};

describe("§14 a contact", () => {
  it("§14 keeps the first time and person, until it is undone", async () => {
    const { key, keyId } = await workspace.newKey();
    expect(contactOf(await mark("POST", "contacted", undefined, { key }))).toEqual([iso(NOW), keyId]);
    vi.setSystemTime(NOW + 1_000);
    expect(contactOf(await mark("POST", "contacted"))).toEqual([iso(NOW), keyId]);
    for (let time = 0; time < 2; time += 1) {
      expect(contactOf(await mark("DELETE", "contacted"))).toEqual([null, null]);
    }
    expect(contactOf(await mark("POST", "contacted"))).toEqual([iso(NOW + 1_000), expect.any(String)]);
    expect((await workspace.get("/api/v1/inbox")).body["items"]).toMatchObject([{ id: item.id, status: "open" }]);
  });

  it("§14 names the key that has a name", async () => {
    const ada = await workspace.newKey(["inbox"], "Ada");
    expect(contactOf(await mark("POST", "contacted", undefined, ada))).toEqual([iso(NOW), "Ada"]);
  });
});

const put = (text: unknown) => mark("PUT", "note", { text });
const noteOf = ({ status, body }: Answer) => {
  expect(status).toBe(200);
  return Object(body.item).note;
};

describe("§14 a note", () => {
  it("§14 is shown wherever the item is, with who wrote it when", async () => {
    expect(noteOf(await put(" They hire.\nBack in June. "))).toEqual({
      text: "They hire.\nBack in June.",
      by: expect.any(String),
      at: iso(NOW),
    });
    const { body: inbox } = await workspace.get("/api/v1/inbox");
    const { body: read } = await workspace.get("/api/v1/accounts/acme");
    expect([inbox["items"], Object(read["account"]).openItems]).toEqual([
      [expect.objectContaining({ note: expect.objectContaining({ text: "They hire.\nBack in June." }) })],
      [expect.objectContaining({ note: expect.objectContaining({ text: "They hire.\nBack in June." }) })],
    ]);
  });

  it("§14 is replaced by another one, and keeps its time if it is the same", async () => {
    await put("a");
    vi.setSystemTime(NOW + 1_000);
    expect(noteOf(await put("a"))).toMatchObject({ text: "a", at: iso(NOW) });
    expect(noteOf(await put("b"))).toMatchObject({ text: "b", at: iso(NOW + 1_000) });
  });

  it.each(["", "  \n "])("§14 is removed by %j, also without a note", async (text) => {
    await put("a");
    for (let time = 0; time < 2; time += 1) expect(noteOf(await put(text))).toBeNull();
  });

  it("§14 §5 has no e-mail address, nor has the log", async () => {
    const note = noteOf(await put("Write to jo@example.com, or jo%40example.com."));
    expect(note).toMatchObject({ text: "Write to [redacted], or [redacted]." });
    expect(await tablesWith("example.com")).toEqual([]);
  });

  it.each([["😀".repeat(1_000)], ["a".repeat(1_000)]])("§14 has up to 1,000 characters: %.4s…", async (text) => {
    expect(noteOf(await put(text))).toMatchObject({ text });
  });

  it.each([["a".repeat(1_001)], ["a\u0000"], ["\u001b[2J"], ["\ud800"], [null], [undefined], [1], [["a"]]])(
    "§14 refuses the text %.10j, names it in issues, and stores nothing",
    async (text) => {
      await put("a");
      expect(await put(text)).toMatchObject(refusal(400, "invalid_request", "text"));
      expect((await workspace.get("/api/v1/inbox")).body["items"]).toMatchObject([{ note: { text: "a" } }]);
    },
  );
});
