/**
 * docs/wire/erasure.md §6.2, docs/wire/queries.md §16: what only an erased person ever had is nowhere; what others have
 * stays.
 */
import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";

import { readParquet } from "../../../src/archive/parquet.ts";
import { allRows } from "../support/database.ts";
import { admin, type TestWorkspace } from "../support/workspace.ts";
import { daysAgo } from "./person.ts";
import { newIdentifiedWorkspace } from "./identified-workspace.ts";
import { cases } from "../../thorough.ts";

const listed = z.array(z.object({ name: z.string(), values: z.array(z.string()).optional() }));

/** The listed values of a dimension; `undefined` without the dimension. */
async function valuesOf({ get }: TestWorkspace, name: string): Promise<string[] | undefined> {
  const dimensions = listed.parse((await get("/api/v1/dimensions")).body["dimensions"]);
  return dimensions.find((dimension) => dimension.name === name)?.values?.toSorted();
}

/** All that is stored of workspaces, as text: each table, each object of the archive, and the messages of each file. */
async function everything(): Promise<string> {
  const { objects } = await env.ARCHIVE.list({ include: ["customMetadata"] });
  const files = await Promise.all(
    objects.map(async ({ key, customMetadata }) => {
      const file = key.endsWith(".parquet") ? await env.ARCHIVE.get(key) : null;
      return [key, customMetadata, file && (await readParquet(await file.arrayBuffer()))];
    }),
  );
  return JSON.stringify([await allRows(), files]);
}

const identify = (one: TestWorkspace, userId: string, traits: object, ago = 1) =>
  one.post("/api/v1/cdp", { type: "identify", userId, traits, timestamp: daysAgo(ago) });

describe("§6.2 §16 the values of an erased person", () => {
  it.each([true, false])("§6.2 are not listed, though others have the same trait; folded: %s", async (isFolded) => {
    const one = await newIdentifiedWorkspace();
    for (const id of ["e0", "e1", "e2", "e3"]) await identify(one, id, { role: `ROLE-${id}`, team: "shared" });
    if (isFolded) await admin("POST", "/recompute");
    expect(await valuesOf(one, "user.role")).toEqual(["ROLE-e0", "ROLE-e1", "ROLE-e2", "ROLE-e3"]);
    await one.erase("e1");
    await admin("POST", "/recompute");
    expect(await valuesOf(one, "user.role")).toEqual(["ROLE-e0", "ROLE-e2", "ROLE-e3"]);
    expect(await valuesOf(one, "user.team")).toEqual(["shared"]);
    expect(await everything()).not.toContain("ROLE-e1");
  });

  it.each([true, false])("§6.2 are not stored or listed if they came with a group; folded: %s", async (isFolded) => {
    const one = await newIdentifiedWorkspace();
    for (const id of ["g0", "g1"]) {
      const context = { traits: { role: `ROLE-${id}`, seats: `SEATS-${id}` } };
      await one.post("/api/v1/cdp", {
        type: "group",
        userId: id,
        groupId: "acme",
        traits: { sector: "rail" },
        context,
      });
    }
    if (isFolded) await admin("POST", "/recompute");
    await one.erase("g1");
    await admin("POST", "/recompute");
    expect(await valuesOf(one, "user.role")).toEqual(["ROLE-g0"]);
    expect(await valuesOf(one, "account.sector")).toEqual(["rail"]);
    expect(await everything()).not.toMatch(/(ROLE|SEATS)-g1/);
  });

  it("§6.2 are not listed if they were replaced or removed before", async () => {
    const one = await newIdentifiedWorkspace();
    for (const id of ["e0", "e1"]) await identify(one, id, { role: `first ${id}`, team: `removed ${id}` }, 3);
    await admin("POST", "/recompute");
    for (const id of ["e0", "e1"]) await identify(one, id, { role: `second ${id}`, team: null }, 2);
    await admin("POST", "/recompute");
    await identify(one, "e1", { role: "third e1" });
    await one.erase("e1");
    expect(await valuesOf(one, "user.role")).toEqual(["second e0"]);
    expect(await valuesOf(one, "user.team")).toBeUndefined();
    expect(await everything()).not.toMatch(/(first|second|third|removed) e1/);
  });

  it("§6.2 are not listed if they were pending plans, and plans of others stay, also former ones", async () => {
    const one = await newIdentifiedWorkspace();
    await identify(one, "e1", { accountPlan: "qqearlier" }, 4);
    await identify(one, "e1", { accountPlan: "shared" }, 2);
    await identify(one, "e2", { accountPlan: "waiting" });
    for (const [plan, ago] of [
      ["former", 5],
      ["shared", 2],
    ] as const)
      await one.post("/api/v1/cdp", { type: "group", groupId: "acme", traits: { plan }, timestamp: daysAgo(ago) });
    await admin("POST", "/recompute");
    await identify(one, "e1", { accountPlan: "qqcurrent" });
    await admin("POST", "/recompute");
    await identify(one, "e1", { accountPlan: "qqtail" }, 0);
    expect(await valuesOf(one, "plan")).toEqual(["former", "qqcurrent", "qqearlier", "qqtail", "shared", "waiting"]);
    await one.erase("e1");
    await admin("POST", "/recompute");
    expect(await valuesOf(one, "plan")).toEqual(["former", "shared", "waiting"]);
    expect(await everything()).not.toContain("qq");
  });
});

const person = fc.constantFrom("p0", "p1", "p2", "p3");
const trait = fc.record({ person, key: fc.constantFrom("role", "team"), isShared: fc.boolean() });
const GROUP = { type: "group", groupId: "acme", traits: { sector: "rail" } };
/** What happens to a workspace, in any order. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("identify" as const), trait }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("join" as const), trait }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("remove" as const), trait }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("track" as const, "group" as const), person }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("plan" as const), person }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("recompute" as const, "archive" as const) }) },
);

it(
  "§6.2 §16 nothing keeps a value that only erased people had, and all values that others have are listed",
  { timeout: 180_000 },
  async () => {
    const history = fc.array(step, { minLength: 8, maxLength: 25 });
    const erased = fc.subarray(["p0", "p1", "p2", "p3"], { minLength: 1, maxLength: 3 });
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(history, erased, async (steps, people) => {
        const mark = `qq${(runs += 1)}x`;
        const one = await newIdentifiedWorkspace();
        const archive = () => admin("POST", `/workspaces/${one.id}/archive`, { through: daysAgo(0).slice(0, 10) });
        const nameOf = (id: string) => `${mark}${id}`;
        /** By person and key, the value that the person has now. */
        const current = new Map<string, string>();
        for (const [place, each] of steps.entries()) {
          const timestamp = new Date(Date.now() - 60_000 + place).toISOString();
          const send = (id: string, fields: object) =>
            one.post("/api/v1/cdp", { userId: nameOf(id), timestamp, ...fields });
          switch (each.kind) {
            case "identify":
            case "join": {
              const { person: id, key, isShared } = each.trait;
              const value = isShared ? `shared ${key}` : `${nameOf(id)} ${key} ${place}`;
              current.set(`${id} ${key}`, value);
              const traits = { [key]: value };
              await send(
                id,
                each.kind === "identify" ? { type: "identify", traits } : { ...GROUP, context: { traits } },
              );
              break;
            }
            case "remove": {
              const { person: id, key } = each.trait;
              current.delete(`${id} ${key}`);
              await send(id, { type: "identify", traits: { [key]: null } });
              break;
            }
            case "track":
              await send(each.person, { type: "track", event: "seen", properties: { text: nameOf(each.person) } });
              break;
            case "group":
              await send(each.person, GROUP);
              break;
            case "plan": // Only of people who have no account: an account keeps its attributes.
              await send(`planner-${each.person}`, {
                type: "identify",
                traits: { accountPlan: `${nameOf(each.person)} ${place}` },
              });
              break;
            case "recompute":
              await admin("POST", `/workspaces/${one.id}/recompute`);
              break;
            case "archive":
              await archive();
              break;
          }
        }
        for (const id of people.flatMap((each) => [each, `planner-${each}`])) await one.erase(nameOf(id));
        await admin("POST", `/workspaces/${one.id}/recompute`);
        await archive();
        const stored = await everything();
        for (const id of people) {
          expect(stored).not.toContain(nameOf(id));
          expect(stored).not.toContain(nameOf(`planner-${id}`));
        }
        const kept = [...current].filter(([of]) => !people.some((id) => of.startsWith(id)));
        const [roles = [], teams = []] = [await valuesOf(one, "user.role"), await valuesOf(one, "user.team")];
        expect([...roles, ...teams]).toEqual(expect.arrayContaining(kept.map(([, value]) => value)));
        await admin("DELETE", `/workspaces/${one.id}`);
      }),
      { numRuns: cases(10) },
    );
  },
);
