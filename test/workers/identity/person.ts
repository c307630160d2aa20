/** A person to erase, and the search for what is left. */
import { env } from "cloudflare:workers";
import { expect } from "vitest";

import { DAY_MS } from "../../../src/core/durations.ts";
import { allRows } from "../support/database.ts";
import { outcomesOf } from "../support/outcomes.ts";
import { admin, type TestWorkspace } from "../support/workspace.ts";
import { newIdentifiedWorkspace } from "./identified-workspace.ts";

export const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

/** Lists all texts about the person. Each starts with the workspace's own mark. */
const secretsOf = (mark: string) =>
  ["id", "prop", "role", "email", "name", "company", "solotrait", "reject"].map((what) => `${mark}${what}`);

/** Creates a person with rows in every table. */
export async function withPerson(mark: string): Promise<TestWorkspace & { person: string }> {
  const workspace = await newIdentifiedWorkspace();
  const person = `${mark}id`;
  const track = { type: "track", userId: person, event: "report.exported", properties: { text: `${mark}prop` } };
  const batch = [
    { type: "identify", userId: person, traits: { role: `${mark}role`, accountPlan: "pro" } },
    ...Array.from({ length: 40 }, (_, ago) => ({ ...track, messageId: `${mark}-${ago}`, timestamp: daysAgo(ago + 3) })),
    { ...track, event: null, properties: { text: `${mark}reject` } },
    { ...track, userId: "u1", accountId: "acme", properties: { text: "kept" }, timestamp: daysAgo(1) },
  ];
  expect(await workspace.post("/api/v1/cdp", { batch })).toMatchObject({ status: 200, body: { stored: 42 } });
  const solo = await env.DB.prepare("SELECT number FROM accounts WHERE external_id = ?")
    .bind(person)
    .first<number>("number");
  await (await outcomesOf(workspace)).trait("account", solo ?? 0, "note", `${mark}solotrait`);
  const traits = { company: `${mark}company`, name: `${mark}name`, email: `${mark}email@mail.example` };
  expect((await workspace.attach({ accountId: person, userId: person, traits })).status).toBe(200);
  await admin("POST", "/recompute");
  return { ...workspace, person };
}

/** Finds the person's texts in the database, as `table: text`. */
export const found = async (mark: string) => {
  const tables = Object.entries(await allRows()).map(([table, rows]) => [table, JSON.stringify(rows)] as const);
  return secretsOf(mark).flatMap((secret) =>
    tables.flatMap(([table, text]) => (text.includes(secret) ? `${table}: ${secret}` : [])),
  );
};
