/** Each operation of docs/wire.md: its paths, and all that it may answer. */
import type * as z from "zod";

import { answerBody } from "../../../test/workers/ask/answer-schema.ts";
import { agreement, madeKey, madeWorkspace, oneWorkspace, recomputed, workspaces } from "./answers/administration.ts";
import type { ErrorCode } from "./answers/errors.ts";
import { attached, captured, ingested } from "./answers/ingest.ts";
import { accounts, inbox, marked, oneAccount } from "./answers/outcomes.ts";
import { events, oneUser, rejected } from "./answers/reads.ts";
import { done } from "./answers/shapes.ts";

export interface Operation {
  name: string;
  method: string;
  /** A segment that begins with a colon is whatever stands there. */
  paths: readonly string[];
  /** Of a success: its status, and its body. */
  status: number;
  body: z.ZodType;
  errors: readonly ErrorCode[];
}

const KEYED = ["unauthorized", "forbidden"] as const;
const JSON_BODY = ["invalid_json", "invalid_request", "message_too_large", "unsupported_media_type"] as const;
const INGEST = [...KEYED, "invalid_json", "invalid_request", "unsupported_encoding", "rate_limited"] as const;
const ADMIN = ["unauthorized"] as const;
const WORKSPACE = [...ADMIN, "not_found"] as const;

const CDP_PATHS =
  "/api/v1/cdp /api/cdp /v1/batch /v1/track /v1/identify /v1/group /v1/page /v1/screen /v1/alias /v1/b /v1/t /v1/i /v1/g /v1/p /v1/s /v1/a".split(
    " ",
  );
const ID = "/admin/workspaces/:id";

function operation(
  name: string,
  method: string,
  paths: readonly string[],
  body: z.ZodType,
  errors: readonly ErrorCode[],
  status = 200,
): Operation {
  return { name, method, paths, status, body, errors };
}

export const OPERATIONS: readonly Operation[] = [
  operation("capture", "POST", ["/api/v1/events", "/api/events"], captured, [...INGEST, "message_too_large"]),
  operation("cdp", "POST", CDP_PATHS, ingested, [...INGEST, "invalid_message", "message_too_large", "batch_too_large"]),
  operation("identity", "POST", ["/api/v1/identity", "/api/identity"], attached, [
    ...KEYED,
    ...JSON_BODY,
    "unsupported_encoding",
    "dpa_required",
    "not_found",
    "rate_limited",
  ]),
  operation("erase", "DELETE", ["/api/v1/users/:id"], done, KEYED),
  operation("ask", "POST", ["/api/v1/ask", "/api/ask"], answerBody, [...KEYED, ...JSON_BODY]),
  operation("events", "GET", ["/api/v1/events"], events, [...KEYED, "invalid_request"]),
  operation("rejected", "GET", ["/api/v1/rejected"], rejected, [...KEYED, "invalid_request"]),
  operation("accounts", "GET", ["/api/v1/accounts"], accounts, [...KEYED, "invalid_request"]),
  operation("inbox", "GET", ["/api/v1/inbox"], inbox, [...KEYED, "invalid_request"]),
  operation("user", "GET", ["/api/v1/users/:id"], oneUser, [...KEYED, "not_found"]),
  operation("account", "GET", ["/api/v1/accounts/:id"], oneAccount, [...KEYED, "not_found"]),
  operation("dismiss", "POST", ["/api/v1/inbox/:id/dismiss"], marked, [...KEYED, "not_found"]),
  operation("snooze", "POST", ["/api/v1/inbox/:id/snooze"], marked, [...KEYED, ...JSON_BODY, "not_found"]),
  operation("take back", "DELETE", ["/api/v1/inbox/:id/dismiss", "/api/v1/inbox/:id/snooze"], marked, [
    ...KEYED,
    "not_found",
  ]),
  operation("health", "GET", ["/healthz", "/readyz"], done, []),
  operation("recompute", "POST", ["/admin/recompute"], recomputed, ADMIN),
  operation("make workspace", "POST", ["/admin/workspaces"], madeWorkspace, [...ADMIN, ...JSON_BODY], 201),
  operation("workspaces", "GET", ["/admin/workspaces"], workspaces, [...ADMIN, "invalid_request"]),
  operation("workspace", "GET", [ID], oneWorkspace, WORKSPACE),
  operation("change workspace", "PATCH", [ID], oneWorkspace, [...WORKSPACE, ...JSON_BODY]),
  operation("erase workspace", "DELETE", [ID], done, WORKSPACE),
  operation("rebuild", "POST", [`${ID}/rebuild`], done, WORKSPACE, 202),
  operation("make key", "POST", [`${ID}/keys`], madeKey, [...WORKSPACE, ...JSON_BODY], 201),
  operation("revoke key", "DELETE", [`${ID}/keys/:keyId`], done, WORKSPACE),
  operation("accept", "PUT", [`${ID}/dpa`], agreement, [...WORKSPACE, ...JSON_BODY]),
  operation("withdraw", "DELETE", [`${ID}/dpa`], agreement, WORKSPACE),
];

/** Paths that browsers may send to from anywhere. */
export const isIngest = ({ name }: Operation): boolean => name === "capture" || name === "cdp";

/** The operations of a path, by any method. */
export function operationsAt(path: string): Operation[] {
  return OPERATIONS.filter(({ paths }) => paths.some((own) => matches(own, path)));
}

function matches(pattern: string, path: string): boolean {
  const [wanted, found] = [pattern.split("/"), path.split("/")];
  return (
    wanted.length === found.length &&
    wanted.every((segment, index) => (segment.startsWith(":") ? found[index] !== "" : segment === found[index]))
  );
}
