/** Administration: docs/wire.md §9. */
import { acceptance, newKey, newWorkspace, workspaceChange } from "../../../edge/schemas/admin-requests.ts";
import { pageQuery } from "../../../edge/schemas/list-queries.ts";
import { agreement, madeKey, madeWorkspace, oneWorkspace, recomputed, workspaces } from "../answers/administration.ts";
import { done } from "../answers/shapes.ts";
import { ADMIN, JSON_BODY, type Operation } from "./operation.ts";

const ID = "/admin/workspaces/{id}";
const admin = { tag: "Administration", access: "admin" } as const;
const ofWorkspace = {
  ...admin,
  parameters: { id: "The workspace's, `ws_…`." },
  errors: ADMIN,
} as const;
const withJson = [...ofWorkspace.errors, ...JSON_BODY] as const;

export const ADMINISTRATION: readonly Operation[] = [
  {
    ...admin,
    at: { "/admin/workspaces": "createWorkspace" },
    method: "post",
    summary: "Make a workspace, with its first key",
    body: { schema: newWorkspace, example: { name: "Acme Analytics", writeLimit: 500 } },
    answer: { status: 201, description: "The key has all scopes, and is shown this once.", schema: madeWorkspace },
    errors: [...ADMIN, ...JSON_BODY],
  },
  {
    ...admin,
    at: { "/admin/workspaces": "listWorkspaces" },
    method: "get",
    summary: "List workspaces, the newest first",
    query: pageQuery,
    answer: { status: 200, description: "A page of workspaces.", schema: workspaces },
    errors: [...ADMIN, "invalid_request"],
  },
  {
    ...ofWorkspace,
    at: { [ID]: "readWorkspace" },
    method: "get",
    summary: "Read a workspace",
    answer: { status: 200, description: "The workspace, with its keys but no secrets.", schema: oneWorkspace },
  },
  {
    ...ofWorkspace,
    at: { [ID]: "changeWorkspace" },
    method: "patch",
    summary: "Change a workspace",
    description: "A limit holds for the next write. Repeat it if it failed.",
    body: { schema: workspaceChange, example: { writeLimit: 1_000 } },
    answer: { status: 200, description: "The workspace as it is now.", schema: oneWorkspace },
    errors: withJson,
  },
  {
    ...ofWorkspace,
    at: { [ID]: "eraseWorkspace" },
    method: "delete",
    summary: "Erase a workspace, and everything in it",
    answer: { status: 200, description: "It is gone.", schema: done },
  },
  {
    ...ofWorkspace,
    at: { [`${ID}/rebuild`]: "rebuildWorkspace" },
    method: "post",
    summary: "Have a workspace's rollups made anew",
    answer: { status: 202, description: "The next recompute does it.", schema: done },
  },
  {
    ...ofWorkspace,
    at: { [`${ID}/keys`]: "createKey" },
    method: "post",
    summary: "Make a key",
    body: { schema: newKey, example: { name: "Web shop", scopes: ["ingest"] } },
    answer: { status: 201, description: "The key, shown this once.", schema: madeKey },
    errors: withJson,
  },
  {
    ...ofWorkspace,
    at: { [`${ID}/keys/{keyId}`]: "revokeKey" },
    method: "delete",
    summary: "Revoke a key",
    description: "It is refused on the very next write, and within 30 s on reads.",
    parameters: { ...ofWorkspace.parameters, keyId: "The key's id, `key_…`." },
    answer: { status: 200, description: "It opens nothing any more.", schema: done },
  },
  {
    ...ofWorkspace,
    at: { [`${ID}/dpa`]: "acceptAgreement" },
    method: "put",
    summary: "Record that the data processing agreement is accepted",
    body: { schema: acceptance, example: { acceptedBy: "Ann Lee", version: "2026-01" } },
    answer: { status: 200, description: "The acceptance.", schema: agreement },
    errors: withJson,
  },
  {
    ...ofWorkspace,
    at: { [`${ID}/dpa`]: "withdrawAgreement" },
    method: "delete",
    summary: "Withdraw the agreement",
    description: "Erases all identity traits of the workspace.",
    answer: { status: 200, description: "None stands.", schema: agreement },
  },
  {
    ...admin,
    at: { "/admin/recompute": "recompute" },
    method: "post",
    summary: "Run the recompute now",
    answer: { status: 200, description: "What the run did.", schema: recomputed },
    errors: ADMIN,
  },
];
