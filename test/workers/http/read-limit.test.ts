/** The limit on reads by key. */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";

import { signedIn } from "../console/support/signed-in.ts";
import { envWith, sendWith } from "../support/faulty-env.ts";
import { capture } from "../support/messages.ts";
import { refusal, send } from "../support/send.ts";
import { newWorkspace } from "../support/workspace.ts";

const LIMIT = 600;
const AT_ONCE = 100;

/** Uses the limit up. Its period may end meanwhile, and begin again. */
async function exhaust(reader: string): Promise<void> {
  for (let count = 0; count < 3 * LIMIT; count += AT_ONCE) {
    const counted = Array.from({ length: AT_ONCE }, () => env.READ_LIMITER.limit({ key: reader }));
    if ((await Promise.all(counted)).some(({ success }) => !success)) return;
  }
}

it("§8 refuses more reads, questions and queries of a key with 429, and neither its writes nor other keys", async () => {
  const workspace = await newWorkspace();
  const other = await workspace.newKey();
  await exhaust(workspace.keyId);
  const refused = await workspace.get("/api/v1/events");
  expect(refused).toMatchObject(refusal(429, "rate_limited"));
  expect(refused.headers.get("Retry-After")).toBe("10");
  for (const path of ["/api/v1/accounts", "/api/v1/dimensions", "/api/v1/export?from=2026-11-01&to=2026-11-02"])
    expect([path, (await workspace.get(path)).status]).toEqual([path, 429]);
  const headers = { Authorization: `Bearer ${workspace.key}` };
  for (const path of ["/api/v1/events", "/api/v1/accounts", "/api/v1/users/u1"])
    expect([path, (await send("HEAD", path, undefined, { headers })).status]).toEqual([path, 429]);
  expect((await workspace.post("/api/v1/ask", { question: "How many users?" })).status).toBe(429);
  expect((await workspace.post("/api/v1/query", { find: "users", show: "count" })).status).toBe(429);
  expect((await workspace.postJson("/api/v1/destinations", {})).status).toBe(429);
  expect((await workspace.post("/api/v1/events", capture())).status).toBe(200);
  expect((await workspace.post("/api/v1/inbox/itm_x/dismiss", undefined)).status).toBe(404);
  expect((await workspace.post("/api/v1/identity", {})).status).not.toBe(429);
  expect((await other.get("/api/v1/events")).status).toBe(200);
});

it("§8 counts pages of the console, and questions asked there, by the key that signed in", async () => {
  const workspace = await newWorkspace();
  const browser = await signedIn(workspace.key);
  const pages = `/console/w/${workspace.id}`;
  expect((await browser.get(`${pages}/accounts`)).status).toBe(200);
  const whenExhausted = async (call: () => Promise<{ status: number }>) => {
    await exhaust(workspace.keyId);
    return (await call()).status;
  };
  const [page, question, palette] = [
    () => browser.get(`${pages}/accounts`),
    () => browser.post(`${pages}/ask`, { q: "How many users?" }),
    () => browser.post(`${pages}/accounts/find`, { q: "acme" }),
  ];
  // A period may end between two.
  for (const call of [page, question, palette])
    await expect.poll(() => whenExhausted(call), { timeout: 30_000 }).toBe(429);
  expect((await browser.post(`${pages}/inbox/itm_x/dismiss`, {})).status).not.toBe(429);
});

it("§8 lets all readers in when the count fails", async () => {
  const { key, keyId } = await newWorkspace();
  await exhaust(keyId);
  const READ_LIMITER = { limit: () => Promise.reject(new Error("not available")) };
  const init = { headers: { Authorization: `Bearer ${key}` } };
  expect((await sendWith(envWith({ READ_LIMITER }), "GET", "/api/v1/events", undefined, init)).status).toBe(200);
});
