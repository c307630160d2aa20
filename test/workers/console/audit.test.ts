/** §9.2: the audit log in the console. */
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, it } from "vitest";

import { newMeter } from "../costs/meter.ts";
import { emptyTables } from "../support/database.ts";
import { admin as callAdmin, newWorkspace } from "../support/workspace.ts";
import { bytesOf, MAX_PAGE_BYTES, textOf } from "./support/page-text.ts";
import { type Browser, signedIn } from "./support/signed-in.ts";

const PATH = "/console/audit";

let admin: Browser;
beforeAll(async () => {
  admin = await signedIn();
});
beforeEach(async () => {
  await emptyTables(["audit_log"]);
});

const rowsOn = (html: string) =>
  [...html.matchAll(/<tr><th scope="row">.*?<\/tr>/gs)].map(([row]) => textOf(row).trim());

it("§9.2 shows who changed what, the newest first, and leads to the changes of a workspace", async () => {
  const [shop, other] = [await newWorkspace({ name: "Shop" }), await newWorkspace()];
  await callAdmin("PATCH", `/workspaces/${shop.id}`, { writeLimit: 200 });
  await callAdmin("POST", `/workspaces/${shop.id}/keys`, {
    name: "<b>web</b>",
    signed: true,
    segmentBatches: true,
    writeLimit: 7,
    expiresAt: "2100-01-01T00:00:00Z",
  });
  await admin.post("/console/databases/DB_1", { state: "open" });
  const { html } = await admin.get(PATH);
  expect(rowsOn(html)).toEqual([
    "just now Database changed – none console:admin database: DB_1, state: open",
    expect.stringMatching(
      new RegExp(
        `^just now Key created ${shop.id} admin keyId: key_\\w+, name: <b>web</b>, scopes: \\["ingest"\\], signed: true, ` +
          "segmentBatches: true, writeLimit: 7, expiresAt: 2100-01-01T00:00:00.000Z$",
      ),
    ),
    `just now Workspace changed ${shop.id} admin changed: ["writeLimit"], writeLimit: {"from":100,"to":200}`,
    expect.stringContaining(`Workspace created ${other.id} admin`),
    expect.stringContaining(`Workspace created ${shop.id} admin`),
  ]);
  expect(html).not.toContain("<b>web");
  expect(html).toContain(`href="${PATH}?workspace=${shop.id}"`);
  const own = rowsOn((await admin.get(`${PATH}?workspace=${shop.id}`)).html);
  expect(own.map((row) => row.includes(shop.id))).toEqual([true, true, true]);
});

it("§9.2 shows all changes page by page, each once, and stays small", async () => {
  await env.DB.prepare(
    `INSERT INTO audit_log (workspace, at, actor, action, details)
    SELECT 'ws_' || value, value, 'admin', 'reconcile_requested', json_object('findings', printf('%.*c', 2000, 'x'))
    FROM json_each(?)`,
  )
    .bind(JSON.stringify(Array.from({ length: 250 }, (_, place) => place)))
    .run();
  const seen: string[] = [];
  for (let path: string | undefined = PATH; path !== undefined;) {
    const { html } = await admin.get(path);
    expect(bytesOf(html)).toBeLessThan(MAX_PAGE_BYTES);
    seen.push(...[...html.matchAll(/workspace=(ws_\d+)"/g)].map(([, id]) => id ?? ""));
    path = /href="(\/console\/audit\?cursor=[^"]+)"/.exec(html)?.[1];
  }
  expect(seen).toEqual(Array.from({ length: 250 }, (_, place) => `ws_${249 - place}`));
  expect((await admin.get(`${PATH}?cursor=wrong`)).location).toBe(PATH);
});

it("costs one round trip", async () => {
  const meter = await newMeter();
  expect(await meter.request("GET", PATH, undefined, { Cookie: admin.cookie })).toMatchObject({
    status: 200,
    trips: 1,
  });
});

it("is for administrators", async () => {
  const { key } = await newWorkspace();
  expect((await (await signedIn(key)).get(PATH)).status).toBe(403);
});
