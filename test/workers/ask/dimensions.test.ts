/** §16: dimensions, which senders' attributes and traits become. */
import { describe, expect, it, vi } from "vitest";

import { z } from "zod";

import { MAX_TRAIT_DIMENSIONS } from "../../../src/core/ask/query/dimensions.ts";
import type { Answer } from "../support/send.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { NOW, tellThreeAccounts } from "./three-accounts.ts";

let workspace: TestWorkspace;
async function beginWorkspace(): Promise<void> {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace({ writeLimit: 100_000 });
}
async function tell(): Promise<void> {
  await beginWorkspace();
  await tellThreeAccounts(workspace);
}

const query = (body: unknown): Promise<Answer> => workspace.postJson("/api/v1/query", body);

/** A word of letters for each number. */
const wordFor = (number: number) => Array.from(String(number), (digit) => "qabxkwejvz"[Number(digit)]).join("");

/** Four users, each with as many traits as a message may have. */
const flood = (round: number) =>
  Array.from({ length: 4 }, (_, place) => ({
    type: "identify",
    userId: `flood ${round} ${place}`,
    traits: Object.fromEntries(
      Array.from({ length: 256 }, (_each, key) => [`${wordFor(round)} ${wordFor(4 * key + place)}`, `v${place}`]),
    ),
  }));

/** How many accounts meet a filter. */
const countOf = async (filter: object) =>
  (await query({ find: "accounts", where: [filter], show: "count" })).body["value"];

describe("§16 dimensions", () => {
  it("§16 are typed by the values that senders stored, from the moment they are stored", async () => {
    await tell();
    const { body } = await workspace.get("/api/v1/dimensions");
    expect(body["dimensions"]).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: "plan", type: "text", values: ["Business", "Team"], hasHistory: true }),
        expect.objectContaining({ name: "account.industry", type: "text", values: ["Travel", "travel"] }),
        expect.objectContaining({ name: "contract_ends", type: "date" }),
        expect.objectContaining({ name: "account.onboardedOn", type: "date" }),
        expect.objectContaining({ name: "account.isPartner", type: "boolean" }),
        expect.objectContaining({ name: "account.headcount", type: "number" }),
        expect.objectContaining({ name: "user.role", type: "text", values: ["admin"] }),
      ]),
    );
    const before = body["dimensions"];
    await admin("POST", "/recompute");
    expect((await workspace.get("/api/v1/dimensions")).body["dimensions"]).toEqual(before);
  });

  it("§16 keep their type when a few values have another type, which count as unknown", async () => {
    await beginWorkspace();
    const typed = {
      employees: [100, 200, 300, "", "n/a"],
      beta: [true, false, false, " ", "yes"],
      since: ["2029-01-01", "2029-06-01", "2029-12-01", "", 1_798_761_600],
    };
    const sent = [0, 1, 2, 3, 4].map((at) => ({
      type: "group",
      groupId: `a${at}`,
      traits: Object.fromEntries(Object.entries(typed).map(([key, values]) => [key, values[at]])),
    }));
    await workspace.post("/api/v1/cdp", { batch: sent });
    for (const isFolded of [false, true]) {
      if (isFolded) await admin("POST", "/recompute");
      expect(await countOf({ dimension: "account.employees", over: 150 })).toBe(2);
      expect(await countOf({ dimension: "account.employees", isUnknown: true })).toBe(2);
      expect(await countOf({ dimension: "account.beta", is: false })).toBe(2);
      expect(await countOf({ dimension: "account.beta", isUnknown: true })).toBe(2);
      expect(await countOf({ dimension: "account.since", from: "2029-02-01" })).toBe(2);
      expect(await countOf({ dimension: "account.since", isUnknown: true })).toBe(2);
    }
  });

  it("§16 are the same before and after the fold, of a workspace with too many of them, and known ones stay", async () => {
    await tell();
    await admin("POST", "/recompute");
    const listed = async () => {
      const { body } = await workspace.get("/api/v1/dimensions");
      return z.object({ dimensions: z.array(z.object({ name: z.string() })) }).parse(body).dimensions;
    };
    await workspace.post("/api/v1/cdp", { batch: flood(0) });
    const inTail = await listed();
    const traits = inTail.map(({ name }) => name).filter((name) => name.includes("."));
    expect(traits).toHaveLength(MAX_TRAIT_DIMENSIONS);
    expect(traits).toEqual(expect.arrayContaining(["account.industry", "account.headcount", "user.role"]));
    expect((await workspace.postJson("/api/v1/ask", { question: "How many users?" })).body).toMatchObject({
      answer: "There are 7 users.",
    });
    await admin("POST", "/recompute");
    expect(await listed()).toEqual(inTail);
    await workspace.post("/api/v1/cdp", { batch: flood(1) });
    expect(await listed()).toEqual(inTail);
    await admin("POST", "/recompute");
    expect(await listed()).toEqual(inTail);
  });

  it("§16 lose the values that only an erased user had", async () => {
    await tell();
    await admin("POST", "/recompute");
    await workspace.postJson("/api/v1/users/erase", { userId: "u1" });
    const { text } = await workspace.get("/api/v1/dimensions");
    expect(text).not.toContain("user.role");
    expect(text).toContain("account.industry");
  });
});
