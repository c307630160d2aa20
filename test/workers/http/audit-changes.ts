/** Every route and form that changes something by administration, with a call that does, and all others. */
import { consoleApp } from "../../../src/console/console.tsx";
import { ROUTES } from "../../../src/http/all-routes.ts";
import { isOfSenders } from "../../../src/http/declare-route.ts";
import { backUp } from "../backups/backing-up.ts";
import { admin, type TestWorkspace } from "../support/workspace.ts";

/** Occurs in every text that a call sends and that may be personal: a user's id, a person's and a workspace's name. */
export const PERSON = "jo-canary";

export interface World {
  workspace: TestWorkspace;
  /** Another key of the workspace, with the scope `identity`. */
  key: { key: string; keyId: string };
  /** Set by `hasDestination`. */
  destination?: string;
  /** Set by `isRegistered`. */
  person?: string;
  /** Set by `hasToken`. */
  token?: string;
}

export interface Change {
  action: string;
  /** The parameters of the path, in their order. */
  parameters?: (world: World) => string[];
  body?: Record<string, unknown>;
  /** What has to be so already. */
  after?: (world: World) => Promise<unknown>;
  /** Whether the form has a `creationId`. */
  isCreation?: true;
  /** Whether a key calls the route, and not the admin token. */
  isByKey?: true;
  /** Whether the row is of the deployment, or of a workspace that the call creates. */
  isElsewhere?: true;
}

const ofWorkspace = ({ workspace }: World): string[] => [workspace.id];
const ofKey = ({ workspace, key }: World): string[] => [workspace.id, key.keyId];

const accepted = { acceptedBy: `Ann ${PERSON}`, version: "2030-01" };
const isAccepted = ({ workspace }: World) => admin("PUT", `/workspaces/${workspace.id}/dpa`, accepted);
const isMoving = ({ workspace: { id } }: World) => admin("POST", `/workspaces/${id}/move`, { database: "DB_1" });
const isImporting = ({ workspace: { id } }: World) => admin("POST", `/workspaces/${id}/import`, {});
const isBackedUp = async ({ workspace }: World) => backUp(await workspace.ref());

const create: Change = {
  action: "workspace_created",
  body: { name: `Shop ${PERSON}`, writeLimit: 7, database: "DB_1" },
  isElsewhere: true,
};
const rename: Change = {
  action: "workspace_changed",
  parameters: ofWorkspace,
  body: { name: `Shop ${PERSON}`, writeLimit: 7 },
};
const newKey: Change = {
  action: "key_created",
  parameters: ofWorkspace,
  body: { name: "Web shop", scopes: ["ingest"] },
};
const changeKey: Change = { action: "key_changed", parameters: ofKey, body: { writeLimit: 7 } };
const rotate: Change = { action: "key_rotated", parameters: ofKey, body: {} };
const revoke: Change = { action: "key_revoked", parameters: ofKey };
const accept: Change = { action: "agreement_accepted", parameters: ofWorkspace, body: accepted };
const withdraw: Change = { action: "agreement_withdrawn", parameters: ofWorkspace, after: isAccepted };
const move: Change = { action: "move_started", parameters: ofWorkspace, body: { database: "DB_1" } };
const cancel: Change = { action: "move_cancelled", parameters: ofWorkspace, after: isMoving };
const endImport: Change = { action: "import_ended", parameters: ofWorkspace, after: isImporting };
const recompute: Change = { action: "recompute_requested", parameters: ofWorkspace };
const drain: Change = {
  action: "database_changed",
  parameters: () => ["DB_2"],
  body: { state: "draining" },
  isElsewhere: true,
};

const hasDestination = async (world: World) => {
  const { body } = await world.workspace.postJson("/api/v1/destinations", webhook);
  world.destination = Object(body["destination"]).id;
};
const ofDestination = ({ destination = "" }: World): string[] => [destination];
const inWorkspace = ({ workspace, destination = "" }: World): string[] => [workspace.id, destination];
const webhook = { kind: "webhook", url: `https://hooks.example.com/${PERSON}`, events: ["inbox.opened"] };
const connect: Change = { action: "destination_created", body: webhook };
const disable: Change = { action: "destination_changed", after: hasDestination };
const disconnect: Change = { action: "destination_deleted", after: hasDestination };

const isRegistered = async (world: World) => {
  world.person = Object((await admin("POST", "/people", jo())).body["person"]).id;
};
const hasToken = async (world: World) => {
  world.token = Object((await admin("POST", "/tokens", { name: PERSON })).body["token"]).id;
};
const jo = () => ({ email: `${crypto.randomUUID()}.${PERSON}@example.com`, role: "member" });
const ofPerson = ({ person = "" }: World): string[] => [person];
const ofToken = ({ token = "" }: World): string[] => [token];
const register: Change = {
  action: "person_added",
  get body() {
    return jo();
  },
  isElsewhere: true,
};
const promote: Change = {
  action: "person_changed",
  parameters: ofPerson,
  body: { role: "admin" },
  after: isRegistered,
  isElsewhere: true,
};
const remove: Change = { action: "person_removed", parameters: ofPerson, after: isRegistered, isElsewhere: true };
const newToken: Change = { action: "admin_token_created", body: { name: PERSON }, isElsewhere: true };
const endToken: Change = { action: "admin_token_deleted", parameters: ofToken, after: hasToken, isElsewhere: true };

/** By route of the API. */
export const API_CHANGES: Record<string, Change> = {
  "post /admin/workspaces": create,
  "patch /admin/workspaces/{id}": { ...rename, body: { ...rename.body, storageLimitBytes: 9_000, currency: "USD" } },
  "delete /admin/workspaces/{id}": { action: "workspace_erased", parameters: ofWorkspace },
  "post /admin/workspaces/{id}/rebuild": { action: "rebuild_requested", parameters: ofWorkspace },
  "post /admin/workspaces/{id}/recompute": recompute,
  "post /admin/recompute": { action: "recompute_requested", isElsewhere: true },
  "post /admin/workspaces/{id}/archive": {
    action: "archive_requested",
    parameters: ofWorkspace,
    body: { through: "2026-01-01" },
  },
  "post /admin/workspaces/{id}/keys": newKey,
  "patch /admin/workspaces/{id}/keys/{keyId}": changeKey,
  "post /admin/workspaces/{id}/keys/{keyId}/rotate": rotate,
  "delete /admin/workspaces/{id}/keys/{keyId}": revoke,
  "put /admin/workspaces/{id}/dpa": accept,
  "delete /admin/workspaces/{id}/dpa": withdraw,
  "post /admin/workspaces/{id}/move": move,
  "delete /admin/workspaces/{id}/move": cancel,
  "post /admin/workspaces/{id}/import": { action: "import_started", parameters: ofWorkspace, body: {} },
  "delete /admin/workspaces/{id}/import": endImport,
  "post /admin/workspaces/{id}/restore": {
    action: "restore_started",
    parameters: ofWorkspace,
    body: { database: "DB_1", giveUp: true },
    after: isBackedUp,
  },
  "post /api/v1/destinations": { ...connect, isByKey: true },
  "patch /api/v1/destinations/{id}": { ...disable, parameters: ofDestination, body: { disabled: true }, isByKey: true },
  "delete /api/v1/destinations/{id}": { ...disconnect, parameters: ofDestination, isByKey: true },
  "patch /admin/databases/{name}": drain,
  "post /admin/people": register,
  "patch /admin/people/{id}": promote,
  "delete /admin/people/{id}": remove,
  "post /admin/tokens": newToken,
  "delete /admin/tokens/{id}": endToken,
  "post /admin/reconcile": { action: "reconcile_requested", body: {}, isElsewhere: true },
};

/** By path of the form. */
export const CONSOLE_CHANGES: Record<string, Change> = {
  "/console/workspaces": { ...create, isCreation: true, body: { name: `Shop ${PERSON}`, writeLimit: "7" } },
  "/console/databases/:name": drain,
  "/console/people": register,
  "/console/people/:id": promote,
  "/console/people/:id/remove": remove,
  "/console/tokens": { ...newToken, isCreation: true },
  "/console/tokens/:id/delete": endToken,
  "/console/w/:workspace/settings": { ...rename, body: { name: `Shop ${PERSON}`, writeLimit: "7" } },
  "/console/w/:workspace/settings/keys": { ...newKey, isCreation: true, body: { name: "Web shop", scopes: "ingest" } },
  "/console/w/:workspace/start/key": { ...newKey, isCreation: true, body: {} },
  "/console/w/:workspace/settings/keys/:keyId": changeKey,
  "/console/w/:workspace/settings/keys/:keyId/rotate": { ...rotate, isCreation: true },
  "/console/w/:workspace/settings/keys/:keyId/revoke": revoke,
  "/console/w/:workspace/settings/agreement": accept,
  "/console/w/:workspace/settings/agreement/withdraw": withdraw,
  "/console/w/:workspace/settings/move": move,
  "/console/w/:workspace/settings/move/cancel": cancel,
  "/console/w/:workspace/settings/import/end": endImport,
  "/console/w/:workspace/settings/recompute": recompute,
  "/console/w/:workspace/settings/destinations": { ...connect, parameters: ofWorkspace, isCreation: true },
  "/console/w/:workspace/settings/destinations/:id": {
    ...disable,
    parameters: inWorkspace,
    body: { url: "https://other.example.com/hook", events: "inbox.opened" },
  },
  "/console/w/:workspace/settings/destinations/:id/disable": { ...disable, parameters: inWorkspace },
  "/console/w/:workspace/settings/destinations/:id/enable": { ...disable, parameters: inWorkspace },
  "/console/w/:workspace/settings/destinations/:id/delete": { ...disconnect, parameters: inWorkspace },
};

/** What senders and users do every day, and reads with a body. */
export const NO_ADMINISTRATION = [
  ...ROUTES.flatMap(({ declaration: { access, method, paths } }) =>
    isOfSenders(access) && method === "post" ? Object.keys(paths).map((path) => `post ${path}`) : [],
  ),
  "post /api/v1/identity",
  "post /api/v1/users/erase",
  "delete /api/v1/users/{externalId}",
  "post /api/identity",
  "post /api/v1/ask",
  "post /api/ask",
  "post /api/v1/query",
  "put /api/v1/accounts/{externalId}/owner",
  "post /api/v1/inbox/{id}/dismiss",
  "delete /api/v1/inbox/{id}/dismiss",
  "post /api/v1/inbox/{id}/snooze",
  "delete /api/v1/inbox/{id}/snooze",
  "post /api/v1/inbox/{id}/contacted",
  "delete /api/v1/inbox/{id}/contacted",
  "put /api/v1/inbox/{id}/note",
  "post /api/v1/destinations/{id}/test",
  "post /api/v1/destinations/{id}/attempts/{attemptId}/resend",
  "/console/w/:workspace/settings/destinations/:id/test",
  "/console/w/:workspace/settings/destinations/:id/attempts/:attemptId/resend",
  "/console/sign-in",
  "/console/sign-out",
  "/console/w/:workspace/ask",
  "/console/w/:workspace/ask/csv",
  "/console/w/:workspace/live",
  "/console/w/:workspace/settings/erase",
  "/console/w/:workspace/accounts",
  "/console/w/:workspace/accounts/:account/items/:item/dismiss",
  "/console/w/:workspace/accounts/:account/items/:item/snooze",
  "/console/w/:workspace/accounts/:account/items/:item/dismiss/undo",
  "/console/w/:workspace/accounts/:account/items/:item/snooze/undo",
  "/console/w/:workspace/accounts/:account/owner",
  "/console/w/:workspace/accounts/find",
  "/console/w/:workspace/accounts/views",
  "/console/w/:workspace/accounts/views/delete",
  "/console/w/:workspace/inbox/mark",
  "/console/w/:workspace/inbox/owner",
];

/** Every route of the API and every form of the console that isn't a GET. */
export const allChanging = (): string[] => [
  ...ROUTES.flatMap(({ declaration: { method, paths } }) =>
    method === "get" ? [] : Object.keys(paths).map((path) => `${method} ${path}`),
  ),
  ...new Set(
    consoleApp.routes.flatMap(({ method, path }) =>
      method === "GET" || method === "ALL" ? [] : `/console${path === "/" ? "" : path.replace(/\/$/, "")}`,
    ),
  ),
];
