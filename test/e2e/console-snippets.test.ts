/** Pastes the snippets from a new workspace's page in the console into a shell, Node and Segment. */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { AdminClient } from "../harness/admin-client.ts";
import { inBash } from "../harness/api-guide.ts";
import { PROJECT_ROOT } from "../harness/project-root.ts";
import { sharedWorker } from "../harness/shared-worker.ts";
import { type StoredEvent, Reader } from "./senders/stored.ts";

const run = promisify(execFile);
/** Only prevents hanging. */
const COMMAND_MS = 60_000;
const ENTITIES: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };

let worker: AdminClient;
let cookie: string;
/** A project folder with the libraries installed. */
let folder: string;
beforeAll(async () => {
  worker = sharedWorker();
  const signedIn = await post("/console/sign-in", { secret: worker.adminToken });
  cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  folder = await mkdtemp(join(tmpdir(), "snippets-"));
  await symlink(join(PROJECT_ROOT, "node_modules"), join(folder, "node_modules"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Submits a form as the console's own page does. */
function post(path: string, fields: Record<string, string>): Promise<Response> {
  const headers = { cookie: cookie ?? "", origin: worker.url };
  return fetch(worker.url + path, { method: "POST", headers, body: new URLSearchParams(fields), redirect: "manual" });
}

interface NewWorkspace {
  /** Returns the snippet with a label. */
  snippet: (label: string) => string;
  events: () => Promise<StoredEvent[]>;
  /** Loads the page that waits for the first event. */
  start: () => Promise<string>;
}

/** Creates a workspace through the console's form. */
async function open(): Promise<NewWorkspace> {
  const form = await (await fetch(`${worker.url}/console/workspaces`, { headers: { cookie } })).text();
  const creationId = /name="creationId" value="(\w+)"/.exec(form)?.[1] ?? "";
  const made = await post("/console/workspaces", { name: "New", writeLimit: "100", creationId });
  const html = await made.text();
  const snippets = new Map(
    [...html.matchAll(/<pre[^>]*aria-label="([^"]*)"[^>]*><code>(.*?)<\/code><\/pre>/gs)].map(
      ([, label = "", code = ""]) => [
        label,
        code.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (one) => ENTITIES[one] ?? one),
      ],
    ),
  );
  const snippet = (label: string): string => {
    const text = snippets.get(label);
    if (text === undefined) throw new Error(`The page has no snippet “${label}”`);
    return text;
  };
  const [, path = ""] = /href="(\/console\/w\/[^"]+\/start)"/.exec(html) ?? [];
  const reader = new Reader(worker, { key: snippet("The new key") });
  return {
    snippet,
    events: () => reader.events(),
    start: async () => (await fetch(worker.url + path, { headers: { cookie } })).text(),
  };
}

const oneExport = [{ name: "report.exported", account: { externalId: "acme" }, user: { externalId: "u1" } }];

describe("the snippets of a new workspace's page", () => {
  it("curl sends an event from a shell", async () => {
    const { snippet, events } = await open();
    const printed = await inBash(snippet("Command: curl"));
    expect(JSON.parse(printed)).toMatchObject({ ok: true, account: { externalId: "acme" } });
    expect(await events()).toMatchObject([{ ...oneExport[0], source: "native" }]);
  });

  it.each(["@segment/analytics-node", "@rudderstack/rudder-sdk-node"])(
    "%s sends an event from a Node script",
    async (library) => {
      const { snippet, events } = await open();
      const file = join(folder, `${randomUUID()}.mjs`);
      await writeFile(file, snippet(`Script: ${library}`));
      await run(process.execPath, [file], { cwd: folder, timeout: COMMAND_MS });
      expect(await events()).toMatchObject([{ ...oneExport[0], source: "cdp" }]);
    },
  );

  it("the URL and header connect Segment's webhook destination", async () => {
    const { snippet, events } = await open();
    const now = new Date().toISOString();
    const forwarded = {
      type: "track",
      event: "Report Exported",
      userId: "u1",
      context: { groupId: "acme" },
      messageId: `segment-${randomUUID()}`,
      timestamp: now,
      receivedAt: now,
    };
    const answer = await fetch(snippet("Setting: Webhook URL"), {
      method: "POST",
      headers: {
        authorization: snippet("Setting: Authorization header"),
        "content-type": "application/json",
        "user-agent": "Segment (webhooks)",
      },
      body: JSON.stringify(forwarded),
    });
    expect(answer.status).toBe(200);
    expect(await events()).toMatchObject([{ ...oneExport[0], messageId: forwarded.messageId }]);
  });

  it("the page that waits for the first event shows it", async () => {
    const { snippet, start } = await open();
    expect(await start()).toContain("Waiting for your first event");
    await inBash(snippet("Command: curl"));
    expect(await start()).toContain("<strong>report.exported from acme</strong>");
  });
});
