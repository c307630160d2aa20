/** Pastes the snippets from a new workspace's page in the console into a shell, Node, Python and Segment. */
import { execFile } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
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
const CREATION_ID = /name="creationId" value="(\w+)"/;
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
  /** Creates a key there. @returns the snippets for it */
  createKey: (from: string) => Promise<(label: string) => string>;
}

/** Finds the snippets of a page by their labels. */
function snippetsIn(html: string): (label: string) => string {
  const snippets = new Map(
    [...html.matchAll(/<pre[^>]*aria-label="([^"]*)"[^>]*><code>(.*?)<\/code><\/pre>/gs)].map(
      ([, label = "", code = ""]) => [
        label,
        code.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (one) => ENTITIES[one] ?? one),
      ],
    ),
  );
  return (label) => {
    const text = snippets.get(label);
    if (text === undefined) throw new Error(`The page has no snippet “${label}”`);
    return text;
  };
}

/** Creates a workspace through the console's form. */
async function open(): Promise<NewWorkspace> {
  const form = await (await fetch(`${worker.url}/console/workspaces`, { headers: { cookie } })).text();
  const creationId = CREATION_ID.exec(form)?.[1] ?? "";
  const made = await post("/console/workspaces", { name: "New", writeLimit: "100", creationId });
  const html = await made.text();
  const snippet = snippetsIn(html);
  const [, path = ""] = /href="(\/console\/w\/[^"]+\/start)"/.exec(html) ?? [];
  const reader = new Reader(worker, { key: snippet("The new key") });
  return {
    snippet,
    events: () => reader.events(),
    start: async () => (await fetch(worker.url + path, { headers: { cookie } })).text(),
    createKey: async (from) => {
      const waiting = await (await fetch(worker.url + path, { headers: { cookie } })).text();
      const newId = CREATION_ID.exec(waiting)?.[1] ?? "";
      return snippetsIn(await (await post(`${path}/key`, { from, creationId: newId })).text());
    },
  };
}

/** What each snippet says of the account. */
async function accountIn({ snippet }: NewWorkspace): Promise<unknown> {
  const headers = { authorization: `Bearer ${snippet("The new key")}` };
  const response = await fetch(`${worker.url}/api/v1/accounts/acme`, { headers });
  return Reflect.get(Object(await response.json()), "account");
}

const PAYING = {
  attributes: { plan: "Pro", seats: 20, mrr: 1200, currency: "EUR", stage: "customer" },
  contract: { endsAt: expect.stringMatching(/^20\d\d-\d\d-\d\dT/) },
};

const hasPython = await run("python3", ["--version"]).then(
  () => true,
  () => false,
);

const oneExport = [{ name: "report.exported", account: { externalId: "acme" }, user: { externalId: "u1" } }];

describe("the snippets of a new workspace's page", () => {
  it("curl sends an event from a shell", async () => {
    const created = await open();
    const printed = await inBash(created.snippet("Command: curl"));
    expect(JSON.parse(printed)).toMatchObject({ ok: true, account: { externalId: "acme" } });
    expect(await created.events()).toMatchObject([{ ...oneExport[0], source: "native" }]);
    expect(await accountIn(created)).toMatchObject(PAYING);
  });

  it.runIf(hasPython || process.env["CI"])("Python sends an event", async () => {
    const created = await open();
    const file = join(folder, `${randomUUID()}.py`);
    await writeFile(file, created.snippet("Script: Python"));
    const { stdout } = await run("python3", [file], { timeout: COMMAND_MS });
    expect(JSON.parse(stdout)).toMatchObject({ ok: true });
    expect(await created.events()).toMatchObject([{ ...oneExport[0], source: "native" }]);
    expect(await accountIn(created)).toMatchObject(PAYING);
  });

  it.each(["@segment/analytics-node", "@rudderstack/rudder-sdk-node"])(
    "%s sends an event from a Node script",
    async (library) => {
      const created = await open();
      const file = join(folder, `${randomUUID()}.mjs`);
      await writeFile(file, created.snippet(`Script: ${library}`));
      await run(process.execPath, [file], { cwd: folder, timeout: COMMAND_MS });
      expect(await created.events()).toMatchObject([{ ...oneExport[0], source: "cdp" }]);
      expect(await accountIn(created)).toMatchObject(PAYING);
    },
  );

  it("the URL, the header and the secret connect Segment's webhook destination", async () => {
    const created = await open();
    const { events, createKey } = created;
    const snippet = await createKey("segment");
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
    const bodies = [{ ...JSON.parse(snippet("Body: group call")), messageId: randomUUID() }, forwarded];
    for (const body of bodies.map((one) => JSON.stringify(one))) {
      const answer = await fetch(snippet("Setting: Webhook URL"), {
        method: "POST",
        headers: {
          authorization: snippet("Setting: Authorization header"),
          "content-type": "application/json",
          "user-agent": "Segment (webhooks)",
          "x-signature": createHmac("sha1", snippet("Setting: Shared Secret")).update(body).digest("hex"),
        },
        body,
      });
      expect(answer.status).toBe(200);
    }
    expect(await events()).toMatchObject([{ ...oneExport[0], messageId: forwarded.messageId }]);
    expect(await accountIn(created)).toMatchObject(PAYING);
  });

  it("the page that waits for the first event shows it", async () => {
    const { snippet, start } = await open();
    expect(await start()).toContain("Waiting for your first event");
    await inBash(snippet("Command: curl"));
    expect(await start()).toContain("<strong>report.exported from acme</strong>");
  });
});
