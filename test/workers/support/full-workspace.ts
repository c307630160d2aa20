/** Workspaces to erase. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import * as z from "zod";

import { DAY_MS } from "../../../src/core/durations.ts";
import { recompute } from "../../../src/services/recompute/recompute.ts";
import { envWith, sendWith } from "./faulty-env.ts";
import { batch, capture, track, tracks } from "./messages.ts";
import { admin, newWorkspace, type TestWorkspace } from "./workspace.ts";

const JSON_TYPE = { "Content-Type": "application/json" };

/** With something in every table, in the object's storage, and in what the isolate of `sendWith` knows. */
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
  await haveOutcomes(workspace);
  await haveErasure(workspace);
  return workspace;
}

/** An account that nobody used for long enough to be told of, in an item that somebody dismissed. */
async function haveOutcomes(workspace: TestWorkspace): Promise<void> {
  const now = Date.now() + 10 * DAY_MS;
  await recompute(env, { now, trigger: "admin", clock: Date.now, budgetMs: 60_000, retentionDays: 400 });
  const { body } = await workspace.get("/api/v1/inbox");
  const items = z.array(z.object({ id: z.string() })).parse(body["items"]);
  for (const { id } of items) await workspace.post(`/api/v1/inbox/${id}/dismiss`, undefined, { headers: JSON_TYPE });
}

/** Of a user that there is no more of than the row: one that was cut short before its end. */
async function haveErasure({ ref }: TestWorkspace): Promise<void> {
  const { number } = await ref();
  await env.DB.prepare("INSERT INTO user_erasures (workspace, user, next_seq, last_seq) VALUES (?, 0, 1, 0)")
    .bind(number)
    .run();
}

/** From the isolate of `sendWith`, which knows the key from before. */
export const postElsewhere = ({ key }: TestWorkspace, body: unknown, changes: Partial<Env> = {}) =>
  sendWith(envWith(changes), "POST", "/api/v1/cdp", body, { headers: { Authorization: `Bearer ${key}` } });

/** What the workspace's object has stored; `null` as the alarm is none. */
export const objectStorage = (workspaceId: string) =>
  runInDurableObject(env.WRITE_LIMITER.getByName(workspaceId), async (_, { storage }) => ({
    entries: Object.fromEntries(storage.kv.list()),
    alarm: await storage.getAlarm(),
  }));
