/** Requests made from the description alone, as far as it goes: one that does well, and one for each error. */
import { z } from "zod";

import type { AdminClient } from "../../harness/admin-client.ts";
import type { DescribedOperation } from "./description.ts";
import { newDestination, PAGE, type Story } from "./story.ts";

const DAY_MS = 86_400_000;
const LARGE = "x".repeat(20_000);
const Files = z.object({ files: z.array(z.object({ name: z.string() })) });
const MadePerson = z.object({ person: z.object({ id: z.string() }) });
const MadeToken = z.object({ token: z.object({ id: z.string() }) });
const Made = z.object({ key: z.object({ id: z.string() }) });

export interface Call {
  path: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
}

/** A request that does well, as the description has it. */
export async function goodCall(operation: DescribedOperation, story: Story, worker: AdminClient): Promise<Call> {
  if (operation.operationId === "readArchiveFile") return archivedFile(worker);
  // The story's workspace would have too many after some calls.
  const key = operation.operationId === "createDestination" ? (await worker.createWorkspace()).key : story.key;
  const { method, requestBody, security } = operation;
  const [scheme] = security.flatMap((one) => Object.keys(one));
  const secret = { apiKey: key, adminToken: worker.adminToken }[scheme ?? ""];
  const body = requestBody === undefined ? undefined : exampleOf(operation);
  return {
    path: await pathOf(operation, story, worker),
    method,
    headers: {
      ...(secret !== undefined && { Authorization: `Bearer ${secret}` }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(isForPages(operation) && { Origin: PAGE }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

/** A file of a workspace of its own, because what is archived is no longer listed as an event. */
async function archivedFile(worker: AdminClient): Promise<Call> {
  const { id, key } = await worker.createWorkspace();
  const headers = { Authorization: `Bearer ${key}` };
  const sent = JSON.stringify({ type: "track", userId: "u1", event: "a" });
  await fetch(`${worker.url}/api/v1/cdp`, { method: "POST", headers, body: sent });
  await worker.admin("POST", `/admin/workspaces/${id}/recompute`);
  const day = new Date().toISOString().slice(0, 10);
  await worker.admin("POST", `/admin/workspaces/${id}/archive`, { through: day });
  const listed = await fetch(`${worker.url}/api/v1/archive?from=${day}&to=${day}`, { headers });
  const [file] = Files.parse(await listed.json()).files;
  return { path: `/api/v1/archive/${file?.name}`, method: "GET", headers };
}

const DAYS = "?from=2026-01-01&to=2026-12-31";

/** The example of the description. That of a moment to come is only right for some time, and other calls need open databases. */
export function exampleOf({ operationId, requestBody }: DescribedOperation): unknown {
  if (operationId === "snoozeItem") return { until: new Date(Date.now() + DAY_MS).toISOString() };
  if (operationId === "changeDatabase") return { state: "open" };
  if (operationId === "addPerson") return newPerson();
  return requestBody?.content["application/json"].example;
}

/** Nobody else has the address. */
const newPerson = () => ({ email: `jo-${crypto.randomUUID()}@example.com`, role: "member" });
/** Whether the operation takes its key from the URL. */
const isForPages = ({ path }: Pick<DescribedOperation, "path">): boolean =>
  /^\/(?:v1\/projects|sourceConfig|beacon)\b/.test(path);

/** What the parameters of a path are: of things that may be erased, new ones. */
async function pathOf({ operationId, path }: DescribedOperation, story: Story, worker: AdminClient): Promise<string> {
  if (path.startsWith("/admin/workspaces/{id}")) {
    const { id } = await worker.createWorkspace();
    if (operationId === "endImport") await worker.admin("POST", `/admin/workspaces/${id}/import`, {});
    const made = await worker.admin("POST", `/admin/workspaces/${id}/keys`, {});
    return path.replace("{id}", id).replace("{keyId}", Made.parse(await made.json()).key.id);
  }
  if (path === "/admin/people/{id}") {
    const added = await worker.admin("POST", "/admin/people", newPerson());
    return path.replace("{id}", MadePerson.parse(await added.json()).person.id);
  }
  if (path === "/admin/tokens/{id}") {
    const created = await worker.admin("POST", "/admin/tokens", { name: "A token" });
    return path.replace("{id}", MadeToken.parse(await created.json()).token.id);
  }
  if (isForPages({ path }))
    return path.includes("{key}") ? path.replace("{key}", story.pageKey) : `${path}?writeKey=${story.pageKey}`;
  const isDeleted = operationId === "deleteDestination";
  const destination = isDeleted ? await newDestination(worker.url, story.key) : story.destination;
  return path
    .replace("/destinations/{id}", `/destinations/${destination}`)
    .replace("{attemptId}", story.attempt)
    .replace("/accounts/{externalId}", "/accounts/globex")
    .replace("/users/{externalId}", operationId === "eraseUserByPath" ? "/users/acme-5" : "/users/u1")
    .replace("{name}", "DB_1")
    .replace("{id}", story.item)
    .replace(/\/(?:export|archive)$/, `$&${DAYS}`);
}

/** Changes a request that does well into one that fails with this code. */
type Spoil = (call: Call, operation: DescribedOperation, story: Story) => Call;

const withBody = (call: Call, body: unknown): Call => ({ ...call, body: JSON.stringify(body) });
const withHeaders = (call: Call, headers: Record<string, string>): Call => ({
  ...call,
  headers: { ...call.headers, ...headers },
});
const withKey = (call: Call, key: string): Call => {
  const path = call.path.replace(/bik_\w+/, encodeURIComponent(key));
  return path === call.path ? withHeaders(call, { Authorization: `Bearer ${key}` }) : { ...call, path };
};

export const SPOILED: Readonly<Record<string, Spoil>> = {
  unauthorized: (call) => withKey(call, "nobody's"),
  forbidden: (call, operation, story) => {
    if (isForPages(operation)) return withKey(call, story.key);
    const scope = operation.security[0]?.["apiKey"]?.[0];
    return withKey(call, scope === undefined ? story.readingToken : story.keyWithout(scope));
  },
  origin_not_allowed: (call, _operation, story) =>
    withHeaders(withKey(call, story.pageKey), { Origin: "https://other.example" }),
  invalid_signature: (call, _operation, story) => withKey(call, story.signedKey),
  dpa_required: (call, _operation, story) => withKey(call, story.withoutAgreement),
  rate_limited: (call, _operation, story) => withKey(call, story.tightKey),
  invalid_json: (call) => ({ ...call, body: "{" }),
  invalid_request: (call) =>
    call.body === undefined
      ? { ...call, path: `${call.path}${call.path.includes("?") ? "&" : "?"}limit=0` }
      : { ...call, body: "3" },
  // Without an event, and on a path of another type.
  invalid_message: (call) => withBody(call, { type: "track" }),
  not_found: (call) => {
    const path = call.path.replace(
      /\/(globex|DB_1|acme-5|u1|itm_\w+|dst_\w+|ws_\w+|person_\w+|token_\w+|[\d-]+_1-1)/,
      "/nobody",
    );
    const about = call.body === undefined ? null : Object(JSON.parse(call.body));
    return { ...call, path, ...(about?.accountId && withBody(call, { ...about, accountId: "nobody" })) };
  },
  too_many_destinations: (call, _operation, { crowdedKey }) => withKey(call, crowdedKey),
  import_running: (call, _operation, { importing }) => ({ ...call, path: call.path.replace(/ws_\w+/, importing) }),
  // Back to where it came from.
  move_running: (call, { path }, { moving }) => ({
    ...(call.body === undefined || path.endsWith("/import") ? call : withBody(call, { database: "DB" })),
    path: call.path.replace(/ws_\w+/, moving),
  }),
  message_too_large: (call, { path }) => {
    const type = /\/(?:cdp|batch|b|import)$/.test(path) ? { type: "track" } : {};
    return withBody(call, { ...type, userId: "u1", groupId: "acme", event: "x", properties: { LARGE } });
  },
  batch_too_large: (call) =>
    withBody(
      call,
      Array.from({ length: 1_001 }, () => ({})),
    ),
  unsupported_encoding: (call) => withHeaders(call, { "Content-Encoding": "br" }),
  unsupported_media_type: (call) => withHeaders(call, { "Content-Type": "text/plain" }),
};

/** Requests for answers of every form that the example alone does not bring. */
export const MORE: readonly Pick<Call, "path" | "method" | "body">[] = [
  ...["state=at_risk", "owner=Ann%20Lee", "sort=mrr", "sort=lastSeen", "limit=1"].map((query) =>
    read(`/api/v1/accounts?${query}`),
  ),
  ...["open", "snoozed", "dismissed", "resolved"].map((status) => read(`/api/v1/inbox?status=${status}`)),
  ...["acme", "alone"].map((id) => read(`/api/v1/accounts/${id}`)),
  ...["acme-1", "alone"].map((id) => read(`/api/v1/users/${id}`)),
  ...["limit=1", "limit=200"].flatMap((query) => [read(`/api/v1/events?${query}`), read(`/api/v1/rejected?${query}`)]),
  send("/api/v1/events", { accountId: 7, userId: "u1", event: "a.b", colour: 1, properties: { email: "x" } }),
  send("/api/v1/cdp", [{ type: "track" }, 3, { type: "track", userId: "u1", event: "x", traits: { email: "x" } }]),
  ...[
    "How many events did acme have in the last 30 days?",
    "How healthy is globex?",
    "Top 5 accounts by activity this quarter",
    "Which accounts are silent?",
    "What's in the inbox?",
    "When was acem-1 last seen?",
    "Who uses report.exported?",
    "When was twins last seen?",
    "Why did globex leave during lunch?",
    "How many events did nobody have?",
  ].map((question) => send("/api/v1/ask", { question })),
];

function read(path: string): Pick<Call, "path" | "method"> {
  return { path, method: "GET" };
}

function send(path: string, body: unknown): Pick<Call, "path" | "method" | "body"> {
  return { path, method: "POST", body: JSON.stringify(body) };
}
