/** docs/wire.md §6: the names that questions search for are added and removed with their traits. */
import { beforeEach, describe, expect, it } from "vitest";

import { nameRows } from "../../../src/db/ask/name-rows.ts";
import type { NameSource } from "../../../src/db/ask/name-rows.ts";
import { admin } from "../support/workspace.ts";
import { type IdentifiedWorkspace, newIdentifiedWorkspace, rowsOf } from "./identified-workspace.ts";

let workspace: IdentifiedWorkspace;
let user = 0;
beforeEach(async () => {
  workspace = await newIdentifiedWorkspace();
  const { number } = await workspace.ref();
  user = Number((await rowsOf("SELECT number FROM users WHERE workspace = ?", number))[0]?.["number"]);
});

const named = (...names: [source: NameSource, text: string][]) => {
  const rows = names.flatMap(([source, text]) => nameRows({ kind: "user", subject: user, source, text }));
  return {
    names: rows.map(([, , source, text, key]) => [source, text, key].join(": ")).toSorted(),
    grams: [...new Set(rows.flatMap(([, , , , key, grams]) => grams.map((gram) => `${key}: ${gram}`)))].toSorted(),
  };
};

async function stored() {
  const { number } = await workspace.ref();
  const names = await rowsOf("SELECT * FROM names WHERE workspace = ? AND kind = 'user' AND subject = ?", number, user);
  const grams = await rowsOf(
    "SELECT * FROM name_grams WHERE workspace = ? AND kind = 'user' AND subject = ?",
    number,
    user,
  );
  return {
    names: names.map((row) => [row["source"], row["text"], row["key"]].join(": ")).toSorted(),
    grams: grams.map((row) => [row["key"], row["gram"]].join(": ")).toSorted(),
  };
}

const attach = (traits: Record<string, string | null>) => workspace.attach({ userId: "u1", traits });

describe("§6 names", () => {
  it.each([
    "Jo",
    "Jörg Müller-Straße",
    "Ada ".repeat(16).trim(),
    "Ada ".repeat(64),
    "😀😀😀 Ada 😀",
    "佐藤 花子",
    "Jo 7",
    "'\"%_*",
  ])("§6 stores %j as questions look it up, and removes it with its trigrams", async (name) => {
    await attach({ name });
    expect(await stored()).toEqual(named(["name", name.trim()]));
    await attach({ name: "Another" });
    expect(await stored()).toEqual(named(["name", "Another"]));
    await attach({ name: null });
    expect(await stored()).toEqual({ names: [], grams: [] });
  });

  it("§6 keeps shared trigrams until the last equal name is removed", async () => {
    await attach({ name: "jo.doe@acme.example", email: "jo.doe@acme.example" });
    expect(await stored()).toEqual(named(["email", "jo.doe@acme.example"], ["name", "jo.doe@acme.example"]));
    await attach({ name: null });
    expect(await stored()).toEqual(named(["email", "jo.doe@acme.example"]));
    await attach({ name: "jo.doe@acme.example" });
    await attach({ name: null, email: null });
    expect(await stored()).toEqual({ names: [], grams: [] });
  });

  it("§6 keeps a name from messages when an equal trait is removed", async () => {
    await workspace.post("/api/v1/events", { accountId: "acme", userId: "jodoe", event: "a" });
    await admin("POST", "/recompute");
    const { number } = await workspace.ref();
    const grams = () =>
      rowsOf(
        "SELECT gram FROM name_grams WHERE workspace = ? AND key = 'jodoe' AND kind = 'user' ORDER BY gram",
        number,
      );
    const before = await grams();
    expect(before.length).toBeGreaterThan(3);
    await workspace.attach({ userId: "jodoe", traits: { name: "JoDoe" } });
    await workspace.attach({ userId: "jodoe", traits: { name: null } });
    expect(await grams()).toEqual(before);
    await workspace.erase("jodoe");
    expect(await grams()).toEqual([]);
    await admin("POST", "/recompute");
    expect(await rowsOf("SELECT * FROM names WHERE workspace = ? AND key = 'jodoe'", number)).toEqual([]);
  });

  it("§6.2 an erasure removes names of a user who is not folded yet", async () => {
    await workspace.post("/api/v1/events", { accountId: "acme", userId: "tailed", event: "a" });
    await workspace.erase("tailed");
    await admin("POST", "/recompute");
    const { number } = await workspace.ref();
    expect(await rowsOf("SELECT text FROM names WHERE workspace = ? AND kind = 'user'", number)).toEqual([
      { text: "u1" },
    ]);
    expect(await rowsOf("SELECT 1 FROM names WHERE workspace = ? AND text < ' '", number)).toEqual([]);
  });
});
