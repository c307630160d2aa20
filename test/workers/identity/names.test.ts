/** docs/wire/identity.md §6: the names that questions search for are added and removed with their traits. */
import { beforeEach, describe, expect, it } from "vitest";

import { type NameRow, nameRows } from "../../../src/db/ask/name-rows.ts";
import { admin, type TestWorkspace } from "../support/workspace.ts";
import { newIdentifiedWorkspace, rowsOf } from "./identified-workspace.ts";

let workspace: TestWorkspace;
let user = 0;
beforeEach(async () => {
  workspace = await newIdentifiedWorkspace();
  const { number } = await workspace.ref();
  user = Number((await rowsOf("SELECT number FROM users WHERE workspace = ?", number))[0]?.["number"]);
});

const named = (...names: [source: NameRow[2], text: string][]) =>
  names
    .flatMap(([source, text]) => nameRows({ kind: "user", subject: user, source, text }))
    .map(([, , source, , key, isPart]) => [source, key, isPart].join(": "))
    .toSorted();

async function stored() {
  const { number } = await workspace.ref();
  const names = await rowsOf("SELECT * FROM names WHERE workspace = ? AND kind = 'user' AND subject = ?", number, user);
  return names.map((row) => [row["source"], row["key"], row["is_part"]].join(": ")).toSorted();
}

const attach = (traits: Record<string, string | null>) => workspace.attach({ userId: "u1", traits });

describe("§15.2 §6 names", () => {
  it.each([
    "Jo",
    "Jörg Müller-Straße",
    "Ada ".repeat(16).trim(),
    "Ada ".repeat(64),
    "😀😀😀 Ada 😀",
    "佐藤 花子",
    "Jo 7",
    "'\"%_*",
  ])("§6 stores %j and its words as questions look them up, and removes them", async (name) => {
    await attach({ name });
    expect(await stored()).toEqual(named(["name", name.trim()]));
    await attach({ name: "Another" });
    expect(await stored()).toEqual(named(["name", "Another"]));
    await attach({ name: null });
    expect(await stored()).toEqual([]);
  });

  it("§6 keeps a name until the last that is equal is removed", async () => {
    await attach({ name: "jo.doe@acme.example", email: "jo.doe@acme.example" });
    expect(await stored()).toEqual(named(["email", "jo.doe@acme.example"], ["name", "jo.doe@acme.example"]));
    await attach({ name: null });
    expect(await stored()).toEqual(named(["email", "jo.doe@acme.example"]));
    await attach({ name: "jo.doe@acme.example" });
    await attach({ name: null, email: null });
    expect(await stored()).toEqual([]);
  });

  it("§6 keeps a name from messages when an equal trait is removed", async () => {
    await workspace.post("/api/v1/events", { accountId: "acme", userId: "jodoe", event: "a" });
    await admin("POST", "/recompute");
    const { number } = await workspace.ref();
    const keys = () => rowsOf("SELECT key, source FROM names WHERE workspace = ? AND key = 'jodoe'", number);
    const before = await keys();
    expect(before).toEqual([{ key: "jodoe", source: "external_id" }]);
    await workspace.attach({ userId: "jodoe", traits: { name: "JoDoe" } });
    await workspace.attach({ userId: "jodoe", traits: { name: null } });
    expect(await keys()).toEqual(before);
    await workspace.erase("jodoe");
    expect(await keys()).toEqual([]);
    await admin("POST", "/recompute");
    expect(await keys()).toEqual([]);
  });

  it("§6.2 an erasure removes names of a user who is not folded yet", async () => {
    await workspace.post("/api/v1/events", { accountId: "acme", userId: "tailed", event: "a" });
    await workspace.erase("tailed");
    await admin("POST", "/recompute");
    const { number } = await workspace.ref();
    expect(await rowsOf("SELECT key FROM names WHERE workspace = ? AND kind = 'user'", number)).toEqual([
      { key: "u1" },
    ]);
  });
});
