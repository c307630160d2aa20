/** §16: dimensions, which senders' attributes and traits become. */
import { describe, expect, it, vi } from "vitest";

import { z } from "zod";

import { MAX_TRAIT_DIMENSIONS } from "../../../src/core/ask/query/dimensions.ts";
import { type Answer, send } from "../support/send.ts";
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

const setOwner = ({ key }: TestWorkspace, account: string, owner: string) =>
  send(
    "PUT",
    `/api/v1/accounts/${account}/owner`,
    { owner },
    { headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" } },
  );

const ownersIn = async ({ get }: TestWorkspace) =>
  z
    .object({ dimensions: z.array(z.looseObject({ name: z.string(), values: z.unknown().optional() })) })
    .parse((await get("/api/v1/dimensions")).body)
    .dimensions.find(({ name }) => name === "owner")?.values;

describe("§16 dimensions", () => {
  it("§16 include the owners of the workspace's accounts, which questions and queries know at once", async () => {
    await tell();
    const other = await newWorkspace();
    await other.post("/api/v1/cdp", { type: "group", groupId: "acme", userId: "u1", traits: {} });
    for (const [account, owner] of [
      ["acme", "Dana Fox"],
      ["globex", 'Bo "Q"'],
    ] as const)
      expect((await setOwner(workspace, account, owner)).status).toBe(200);
    expect((await setOwner(other, "acme", "Zoe")).status).toBe(200);
    expect(await ownersIn(workspace)).toEqual(['Bo "Q"', "Dana Fox"]);
    expect(await ownersIn(other)).toEqual(["Zoe"]);
    expect(await countOf({ dimension: "owner", is: "dana fox" })).toBe(1);
    expect(await countOf({ dimension: "owner", isUnknown: true })).toBe(1);
    const ask = async (question: string) => (await workspace.postJson("/api/v1/ask", { question })).body["answer"];
    expect(await ask("Who owns acme?")).toBe("The account acme is owned by Dana Fox.");
    expect(await ask("Dana Fox's accounts")).toContain("1 account owned by Dana Fox");
    expect((await query({ find: "accounts", show: "value", measure: "mrr", per: "owner" })).body["value"]).toEqual(
      expect.arrayContaining([{ owner: "Dana Fox", mrr: 400, currency: "EUR" }]),
    );
  });

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
