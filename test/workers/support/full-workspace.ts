/** A workspace with something everywhere, to erase. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import * as z from "zod";

import { DAY_MS } from "../../../src/core/durations.ts";
import { recompute } from "../../../src/services/recompute/recompute-workspaces.ts";
import { addAttempt, addDestination, addNotification, markOwner } from "./destinations.ts";
import { envWith, sendWith } from "./faulty-env.ts";
import { batch, capture, track, tracks } from "./messages.ts";
import { admin, newWorkspace, type TestWorkspace } from "./workspace.ts";

const JSON_TYPE = { "Content-Type": "application/json" };

/** Creates a workspace with rows in every table, in the object's storage and in the caches of `sendWith`. */
export async function fullWorkspace(): Promise<TestWorkspace> {
  const workspace = await newWorkspace({ writeLimit: 20 });
  await workspace.post("/api/v1/events", capture({ accountPlan: "pro" }));
  await admin("PUT", `/workspaces/${workspace.id}/dpa`, { acceptedBy: "Ann", version: "1" });
  await workspace.post(
    "/api/v1/identity",
    { accountId: "acme", traits: { company: "Acme Corp" } },
    { headers: JSON_TYPE },
  );
  await workspace.post("/api/v1/cdp", [
    { type: "identify", userId: "u2", traits: { role: "admin", plan: "pro", accountSeats: 5 } },
    { type: "group", userId: "u1", groupId: "acme", traits: { colour: "red" } },
    track({ userId: "u3" }),
    track({ event: null }),
    { type: "page" },
  ]);
  await workspace.post("/api/v1/cdp", batch(tracks(30)));
  const { keyId } = await workspace.newKey();
  await workspace.revoke(keyId);
  await postElsewhere(workspace, { batch: [] });
  await haveNotifications(workspace);
  await haveOutcomes(workspace);
  await haveInterrupted(workspace);
  return workspace;
}

/** Adds a destination with a notification and an attempt, and an owner. */
async function haveNotifications({ ref }: TestWorkspace): Promise<void> {
  const workspace = await ref();
  const destination = await addDestination(workspace);
  await addNotification(destination);
  await addAttempt(destination);
  await markOwner(workspace.number * 2 ** 32 + 1, "ann");
}

/** Makes the account silent, and dismisses its items. */
async function haveOutcomes(workspace: TestWorkspace): Promise<void> {
  const now = Date.now() + 10 * DAY_MS;
  await recompute(env, { now, trigger: "admin", clock: Date.now, budgetMs: 60_000 });
  const { body } = await workspace.get("/api/v1/inbox");
  const items = z.array(z.object({ id: z.string() })).parse(body["items"]);
  for (const { id } of items) await workspace.post(`/api/v1/inbox/${id}/dismiss`, undefined, { headers: JSON_TYPE });
}

/** Adds an interrupted erasure, an interrupted comparison and a saved view. */
async function haveInterrupted({ ref }: TestWorkspace): Promise<void> {
  const { number } = await ref();
  await env.DB.batch(
    [
      "INSERT INTO user_erasures (workspace, user, next_seq, last_seq) VALUES (?, 0, 1, 0)",
      "INSERT INTO comparisons (workspace, place, part) VALUES (?, 0, 'null')",
      "INSERT INTO saved_views (workspace, name, query, created_at) VALUES (?, 'a', '', 0)",
    ].map((sql) => env.DB.prepare(sql).bind(number)),
  );
}

/** Posts from the isolate of `sendWith`, which has cached the key. */
export const postElsewhere = ({ key }: TestWorkspace, body: unknown, changes: Partial<Env> = {}) =>
  sendWith(envWith(changes), "POST", "/api/v1/cdp", body, { headers: { Authorization: `Bearer ${key}` } });

/** Reads the storage and the alarm of the workspace's object. */
export const objectStorage = (workspaceId: string) =>
  runInDurableObject(env.WRITE_LIMITER.getByName(workspaceId), async (_, { storage }) => ({
    entries: Object.fromEntries(storage.kv.list()),
    alarm: await storage.getAlarm(),
  }));
