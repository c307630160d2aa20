/**
 * A key's session sees only its own workspace. Two tenants with the same ids, whose texts each contain their own word,
 * visit every page and action, and try each other's.
 */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";

import { createApp } from "../../../src/app.ts";
import { CANARIES, newTenant, START, type Tenant, withOutcomes } from "../security/tenant.ts";
import { rowsOfWorkspace } from "../security/workspace-rows.ts";
import { admin, newWorkspace } from "../support/workspace.ts";
import { signedIn } from "./support/signed-in.ts";

let tenants: [Tenant, Tenant];

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: START });
  const made = [await newTenant(CANARIES[0]), await newTenant(CANARIES[1])] as const;
  await admin("POST", "/recompute");
  tenants = [await withOutcomes(made[0]), await withOutcomes(made[1])];
  return () => {
    vi.useRealTimers();
  };
});

/** The console's paths with the ids of one tenant. */
const pathsOf = (method: string, { workspace, account, user, item, key, destination }: Tenant): string[] => [
  ...new Set(
    createApp()
      .routes.filter((route) => route.method === method && route.path.startsWith("/console/w/"))
      .map(({ path }) =>
        path
          .replace(":workspace", workspace.id)
          .replace(":account", account)
          .replace(":user", user)
          .replace(":event", "report.exported")
          .replace("destinations/:id", `destinations/${destination}`)
          .replace(/:(?:item|id)\b/, item)
          .replace(/:key\w*/, key)
          .replace(/export$/, "export?from=2020-01-01&to=2040-01-01"),
      )
      // The workspace itself redirects to its inbox.
      .filter((path) => !path.endsWith("*") && path !== `/console/w/${workspace.id}`),
  ),
];

const day = (before: number): string => new Date(Date.now() - before * 86_400_000).toISOString();
const words = (tenant: Tenant) => ["acme", `${tenant.canary} acme`, "How healthy is acme?"];

describe("a key's session", () => {
  it("sees its own workspace on every page, and nothing of another", async () => {
    const [first, second] = tenants;
    for (const { own, theirs } of [
      { own: first, theirs: second },
      { own: second, theirs: first },
    ]) {
      const inside = await signedIn(own.workspace.key);
      const searches = words(own).flatMap((q) =>
        ["accounts", "ask"].map((page) => [`/console/w/${own.workspace.id}/${page}`, q]),
      );
      let telling = 0;
      for (const [page = "", q] of [...pathsOf("GET", own).map((path) => [path]), ...searches]) {
        const { status, html } = q === undefined ? await inside.get(page) : await inside.post(page, { q });
        expect([page, status]).toEqual([page, 200]);
        expect(html, page).not.toContain(theirs.canary);
        telling += html.split(own.canary).length > 3 ? 1 : 0;
      }
      expect(telling).toBeGreaterThan(5);
    }
  });

  it("can't open another's pages, nor another's account in its own workspace", async () => {
    const [own, theirs] = tenants;
    const inside = await signedIn(own.workspace.key);
    for (const page of pathsOf("GET", theirs)) expect([page, (await inside.get(page)).status]).toEqual([page, 404]);
    const theirAccount = `/console/w/${own.workspace.id}/accounts/${theirs.account}`;
    expect((await inside.get(theirAccount)).status).toBe(404);
  });

  it("can't change another's workspace, by its paths or by its ids", async () => {
    const [own, theirs] = tenants;
    const inside = await signedIn(own.workspace.key);
    const before = await rowsOfWorkspace(theirs.ref);
    const actions = pathsOf("POST", theirs);
    expect(actions.length).toBeGreaterThan(5);
    for (const action of actions) expect([action, (await inside.post(action)).status]).toEqual([action, 404]);
    for (const action of actions) {
      await inside.post(action.replace(theirs.workspace.id, own.workspace.id), { until: "week", days: "7" });
    }
    expect(await rowsOfWorkspace(theirs.ref)).toEqual(before);
  });
});

it("every page shows markup in names, events, traits and questions as text", async () => {
  const evil = `"><img src=x onerror=alert(1)><script>alert(1)</script>`;
  const workspace = await newWorkspace({ name: evil });
  const { status } = await workspace.post("/api/v1/cdp", [
    {
      type: "group",
      userId: evil,
      groupId: evil,
      timestamp: day(40),
      traits: { plan: evil, stage: evil, [evil]: evil },
    },
    { type: "identify", userId: evil, timestamp: day(40), traits: { role: evil } },
    ...Array.from({ length: 30 }, (_, place) => ({
      type: "track",
      userId: evil,
      event: evil,
      timestamp: day(40 - place / 2),
      properties: { [evil]: evil },
    })),
    { type: "track", userId: evil, event: evil, timestamp: evil, messageId: evil },
  ]);
  expect(status).toBe(200);
  await admin("POST", "/recompute");
  await admin("POST", `/workspaces/${workspace.id}/keys`, { name: evil });
  await admin("PUT", `/workspaces/${workspace.id}/dpa`, { acceptedBy: evil, version: evil });
  const idIn = async (table: "accounts" | "users") =>
    (await env.DB.prepare(`SELECT id FROM ${table} WHERE workspace = ?`)
      .bind((await workspace.ref()).number)
      .first<string>("id")) ?? "";
  const [account, user] = [await idIn("accounts"), await idIn("users")];

  const inside = await signedIn();
  const paths = createApp()
    .routes.filter(({ method, path }) => method === "GET" && path.startsWith("/console/w") && !path.endsWith("*"))
    .map(({ path }) =>
      path
        .replace(":workspace", workspace.id)
        .replace(":account", account)
        .replace(":user", user)
        .replace(":event", "1"),
    );
  const query = `?q=${encodeURIComponent(evil)}&done=${encodeURIComponent(evil)}&item=${encodeURIComponent(evil)}`;
  let shown = 0;
  const pages = [...paths, ...paths.map((one) => one + query), `/console/${encodeURIComponent(evil)}`].map(
    (path) => [path, () => inside.get(path)] as const,
  );
  const questions = [evil, `Tell me about "${evil.replaceAll('"', '""')}"`].map(
    (q) => [q, () => inside.post(`/console/w/${workspace.id}/ask`, { q })] as const,
  );
  for (const [path, open] of [...pages, ...questions]) {
    const { html, headers } = await open();
    const isFile =
      headers.get("Content-Type")?.startsWith("text/csv") === true &&
      headers.get("X-Content-Type-Options") === "nosniff";
    expect(isFile ? "" : html, path).not.toMatch(/<img src=x|<script>alert/);
    shown += html.includes("&lt;script&gt;alert(1)&lt;/script&gt;") ? 1 : 0;
  }
  expect(shown).toBeGreaterThan(8);
});
