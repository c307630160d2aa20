/** A workspace of which there is something to say by every operation. */
import { z } from "zod";

import type { AdminClient } from "../../harness/admin-client.ts";

const DAY_MS = 86_400_000;
const SCOPES = ["ingest", "identity", "ask", "read", "inbox", "notify"];
const NewKey = z.object({ key: z.object({ id: z.string(), key: z.string() }) });
const NewToken = z.object({ token: z.object({ token: z.string() }) });
const Moving = z.object({ workspace: z.object({ move: z.object({ state: z.string() }) }) });
const Created = z.object({ destination: z.object({ id: z.string() }) });
const Attempted = z.object({ attempt: z.object({ id: z.string() }) });
const MAX_DESTINATIONS = 20;
/** The origin of pages that may use `pageKey`. */
export const PAGE = "https://app.example.com";
const Inbox = z.object({ items: z.array(z.object({ id: z.string() })).min(1) });

export interface Story {
  /** Of the workspace, with all scopes. */
  key: string;
  /** For the pages of `PAGE`. */
  pageKey: string;
  /** Whose requests need a signature. */
  signedKey: string;
  /** Of another one, that may send one message in 10 s. */
  tightKey: string;
  /** Of another one, that has not accepted the agreement. */
  withoutAgreement: string;
  /** With all scopes but this one. */
  keyWithout: (scope: string) => string;
  item: string;
  /** A destination whose receiver doesn't listen, and an attempt to reach it. */
  destination: string;
  attempt: string;
  /** Of a workspace with as many destinations as it may have. */
  crowdedKey: string;
  /** A workspace whose move can't be cancelled any more. */
  moving: string;
  /** Of an administrator who only reads. */
  readingToken: string;
  /** A workspace that has an import. */
  importing: string;
}

export async function tellStory(worker: AdminClient): Promise<Story> {
  const workspace = await worker.createWorkspace({ writeLimit: 100_000 });
  const tight = await worker.createWorkspace({ writeLimit: 1 });
  const fresh = await worker.createWorkspace();
  for (const { id } of [workspace, tight]) {
    await worker.admin("PUT", `/admin/workspaces/${id}/dpa`, { acceptedBy: "Ann Lee", version: "1" });
  }
  await worker.admin("POST", `/admin/workspaces/${fresh.id}/move`, { database: "DB_1" });
  for (let state = ""; state !== "erasing";) {
    const read = await worker.admin("GET", `/admin/workspaces/${fresh.id}`);
    ({ state } = Moving.parse(await read.json()).workspace.move);
  }
  const without = new Map<string, string>();
  for (const scope of SCOPES) {
    const made = await worker.admin("POST", `/admin/workspaces/${workspace.id}/keys`, {
      scopes: SCOPES.filter((one) => one !== scope),
    });
    without.set(scope, NewKey.parse(await made.json()).key.key);
  }
  const forPages = await worker.admin("POST", `/admin/workspaces/${workspace.id}/keys`, { origins: [PAGE] });
  const forSigners = await worker.admin("POST", `/admin/workspaces/${workspace.id}/keys`, { signed: true });
  const headers = { authorization: `Bearer ${workspace.key}` };
  const sent = await fetch(`${worker.url}/api/v1/cdp`, { method: "POST", headers, body: JSON.stringify(messages()) });
  if (sent.status !== 200) throw new Error(`the story was not stored: ${await sent.text()}`);
  await worker.admin("POST", "/admin/recompute");
  const inbox = await fetch(`${worker.url}/api/v1/inbox`, { headers });
  const destination = await newDestination(worker.url, workspace.key);
  const tested = await fetch(`${worker.url}/api/v1/destinations/${destination}/test`, { method: "POST", headers });
  const crowded = await worker.createWorkspace();
  await worker.admin("POST", `/admin/workspaces/${crowded.id}/import`, {});
  for (let count = 0; count < MAX_DESTINATIONS; count += 1) await newDestination(worker.url, crowded.key);
  const reader = await worker.admin("POST", "/admin/tokens", { name: "Story", readOnly: true });
  return {
    destination,
    readingToken: NewToken.parse(await reader.json()).token.token,
    attempt: Attempted.parse(await tested.json()).attempt.id,
    crowdedKey: crowded.key,
    key: workspace.key,
    pageKey: NewKey.parse(await forPages.json()).key.key,
    signedKey: NewKey.parse(await forSigners.json()).key.key,
    tightKey: tight.key,
    withoutAgreement: fresh.key,
    keyWithout: (scope) => without.get(scope) ?? "",
    moving: fresh.id,
    importing: crowded.id,
    item: Inbox.parse(await inbox.json()).items[0]?.id ?? "",
  };
}

/** Creates a destination where nothing listens. @returns its id */
export async function newDestination(url: string, key: string): Promise<string> {
  const created = await fetch(`${url}/api/v1/destinations`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ kind: "webhook", url: "http://127.0.0.1:9/", events: ["inbox.opened"] }),
  });
  return Created.parse(await created.json()).destination.id;
}

/** Five users of a company on one day. */
const use = (accountId: string, before: number): object[] =>
  [1, 2, 3, 4, 5].map((user) => ({
    type: "track",
    messageId: `${accountId}-${user}-${before}`,
    userId: `${accountId}-${user}`,
    event: "Report Exported",
    timestamp: new Date(Date.now() - before * DAY_MS).toISOString(),
    properties: { accountId, accountSeats: 8, accountMrr: 400, accountCurrency: "USD", email: "jo@acme.example" },
  }));

/** Sixty days of two companies, of which one stopped, somebody alone, a name that two have, and what is rejected. */
function messages(): object[] {
  const days = Array.from({ length: 60 }, (_, place) => 60 - place);
  return [
    ...days.flatMap((before) => use("acme", before)),
    ...days.filter((before) => before > 14).flatMap((before) => use("globex", before)),
    { type: "group", userId: "u1", groupId: "acme", traits: { plan: "pro", colour: "green" } },
    { type: "identify", userId: "u1", traits: { role: "admin" } },
    { type: "track", userId: "alone", event: "Report Exported" },
    { type: "track", userId: "twins", accountId: "twins", event: "Report Exported" },
    { type: "track", userId: "u1", timestamp: "yesterday", event: "Report Exported", properties: { a: 1 } },
    { type: "page", userId: "u1" },
  ];
}
