/**
 * Declares routes. One declaration validates requests, types the handler's input and responses, and describes the
 * operation in the OpenAPI document. See docs/decisions/0019-one-declaration-per-route.md.
 */
import { zValidator } from "@hono/zod-validator";
import type { Context, Handler, MiddlewareHandler, TypedResponse } from "hono";
import * as z from "zod";

import { MAX_EVENT_BYTES } from "../config.ts";
import type { Scope } from "../core/api-key.ts";
import type { AppEnv } from "../edge/app-context.ts";
import { type ErrorCode, errorResponse, type ErrorResponse, toIssues } from "../edge/errors.ts";
import { operation } from "../edge/request-log.ts";
import { limitReads, requireKey } from "../edge/credentials.ts";
import { limitJson } from "./middleware/json-body.ts";
import type { ResponseBody } from "../edge/named-schemas.ts";

export interface RouteDeclaration {
  /** The name in the request log. Default: the first operation id in snake case, such as `list_events`. */
  readonly name?: string;
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** By path, with parameters as `{id}`: the operation's id in the OpenAPI document. */
  readonly paths: Readonly<Record<string, string>>;
  readonly tag:
    | "Ingest"
    | "Identity"
    | "Reads"
    | "Outcomes"
    | "Questions"
    | "Notifications"
    | "Administration"
    | "Service";
  readonly summary: string;
  readonly description?: string;
  /** The scope that the key needs, the admin token, a browser key in the URL, or nothing. */
  readonly access: Scope | "admin" | "browser" | null;
  /** Scripts of any origin may send the request and read the response. Beacons always have credentials, which nothing reads. */
  readonly anyOrigin?: boolean | "with_credentials";
  readonly use?: readonly MiddlewareHandler<AppEnv>[];
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly body?: RequestBody;
  readonly response: SuccessResponse;
  readonly limited?: boolean;
  /** Error codes besides the codes that follow from the access and the body. */
  readonly errors?: readonly ErrorCode[];
}

interface RequestBody {
  readonly schema: z.ZodType;
  readonly example: unknown;
  readonly description?: string;
  readonly maxBytes?: number;
  /** A request without a body is one with `{}`. */
  readonly isOptional?: true;
  /** The service validates the body, because it charges invalid bodies too. Default: this route, before the handler. */
  readonly validatedBy?: "service";
}

interface SuccessResponse {
  readonly status: 200 | 201 | 202 | 204;
  readonly description: string;
  readonly schema: z.ZodType;
  readonly examples?: Readonly<Record<string, unknown>>;
  /** The media type, unless it is JSON. */
  readonly mediaType?: string;
  /** Descriptions of other responses without a body, by status. */
  readonly others?: Readonly<Record<number, string>>;
  /** The description of a response with status 202 and the same body. */
  readonly accepted?: string;
}

/** A route without the types of its handler. */
export interface Route {
  readonly declaration: RouteDeclaration;
  readonly handlers: readonly [MiddlewareHandler<AppEnv>, ...Handler<AppEnv>[]];
}

type Output<D, Part extends string> = D extends Readonly<Record<Part, z.ZodType<infer Value>>> ? Value : never;
type BodyOutput<D> = D extends { access: "ingest" | "browser" }
  ? never
  : D extends { body: { validatedBy: "service" } }
    ? unknown
    : D extends { body: { schema: z.ZodType<infer Value> } }
      ? Value
      : never;

type RouteContext<D> = Context<
  AppEnv,
  string,
  { out: { param: Output<D, "params">; query: Output<D, "query">; json: BodyOutput<D> } }
>;

const FAULTS = ["internal", "unavailable"] as const;
const KEYED = ["unauthorized", "forbidden", "rate_limited", ...FAULTS] as const;

/** Of every operation that writes messages. */
export const INGEST_ERRORS = [
  "rate_limited",
  "storage_full",
  "invalid_json",
  "invalid_request",
  "unsupported_encoding",
] as const;

const ACCESS_ERRORS = {
  ingest: [...KEYED, "invalid_signature", "origin_not_allowed", ...INGEST_ERRORS],
  browser: ["unauthorized", "forbidden", "origin_not_allowed", ...FAULTS],
  identity: KEYED,
  ask: KEYED,
  read: KEYED,
  inbox: KEYED,
  notify: KEYED,
  // Without an admin token in the deployment, every administration path is 404.
  admin: ["unauthorized", "not_found", "rate_limited", ...FAULTS],
} as const satisfies Record<Scope | "admin" | "browser", readonly ErrorCode[]>;

/** Codes of every operation with a body, except ingest, which accepts any content type. */
const BODY_ERRORS = [
  "invalid_json",
  "invalid_request",
  "message_too_large",
  "unsupported_encoding",
  "unsupported_media_type",
] as const;

/** The codes that follow from the access, the body and the query, and the route's own. */
type ErrorsOf<D extends RouteDeclaration> =
  | (D extends { errors: readonly (infer Own extends ErrorCode)[] } ? Own : never)
  | (D["access"] extends keyof typeof ACCESS_ERRORS ? (typeof ACCESS_ERRORS)[D["access"]][number] : never)
  | (D extends { body: RequestBody } ? (typeof BODY_ERRORS)[number] : never)
  | (D extends { query: z.ZodObject } ? "invalid_request" : never);

type StatusOf<R extends SuccessResponse> = R extends { accepted: string } ? R["status"] | 202 : R["status"];

type RouteResponse<D extends RouteDeclaration> =
  | (D["response"] extends { mediaType: string }
      ? Response
      : TypedResponse<ResponseBody<D["response"]["schema"]>, StatusOf<D["response"]>, "json">)
  | ErrorResponse<ErrorsOf<D>>;

/**
 * Declares a route.
 *
 * @example
 * route({ method: "get", paths: { "/api/v1/events": "listEvents" }, access: "read",
 *   query: pageQuery, response: { status: 200, description: "A page of events.", schema: events }, … },
 *   async (c) => c.json({ ok: true, events: await list(c.req.valid("query")), nextCursor: null }, 200));
 */
export function route<const D extends RouteDeclaration>(
  declaration: D,
  handler: (c: RouteContext<D>) => Promise<RouteResponse<D>> | RouteResponse<D>,
): Route {
  const [id = ""] = Object.values(declaration.paths);
  const { name = id.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`) } = declaration;
  // The middleware before the handler validates what the handler's context type promises.
  return { declaration, handlers: [operation(name), ...middlewareOf(declaration), handler as Handler<AppEnv>] };
}

function middlewareOf({
  method,
  access,
  use = [],
  params,
  query,
  body,
}: RouteDeclaration): MiddlewareHandler<AppEnv>[] {
  // Reads refuse unknown query parameters: a misspelled filter must not return everything.
  const knownQuery =
    query ?? (method === "get" && access !== null && access !== "browser" ? z.strictObject({}) : undefined);
  const needsKey = access !== null && access !== "admin" && !isOfSenders(access);
  return [
    // The app requires the admin token on all paths under /admin. Senders put their keys in more places:
    // `authorizeSender` finds them.
    ...(needsKey ? [requireKey(access)] : []),
    ...(needsKey && (method === "get" || access === "ask" || access === "notify") ? [limitReads] : []),
    ...(params ? [validate("param", params)] : []),
    ...(knownQuery ? [validate("query", knownQuery)] : []),
    ...use,
    ...(body && !isOfSenders(access)
      ? [limitJson(body.maxBytes ?? MAX_EVENT_BYTES, body.isOptional ?? false), validateBody(body)]
      : []),
  ];
}

const PLACES = { param: "path", query: "query", json: "body" };

const validateBody = ({ schema, validatedBy }: RequestBody) =>
  validate("json", validatedBy === "service" ? z.unknown() : schema);

const validate = (target: "param" | "query" | "json", schema: z.ZodType): MiddlewareHandler<AppEnv> =>
  zValidator(target, schema, (result, c) => {
    if (result.success) return;
    const issues = toIssues(result.error.issues, target === "query" ? c.req.queries() : {});
    return errorResponse(c, "invalid_request", `Invalid ${PLACES[target]}. See issues.`, issues);
  });

export function errorsOf({ method, access, body, errors = [] }: RouteDeclaration): readonly ErrorCode[] {
  if (access === null) return errors;
  return [
    ...ACCESS_ERRORS[access],
    // Tokens of administrators that only read may change nothing.
    ...(access === "admin" && method !== "get" ? (["forbidden"] as const) : []),
    ...(method === "get" && access !== "browser" ? (["invalid_request"] as const) : []),
    ...(body && !isOfSenders(access) ? BODY_ERRORS : []),
    ...errors,
  ];
}

/** Whether client libraries send the request, which have their own rules for paths, keys and bodies. */
export const isOfSenders = (access: RouteDeclaration["access"]): access is "ingest" | "browser" =>
  access === "ingest" || access === "browser";

/** Unversioned paths behave like the versioned ones, and link to them. */
export const successorOf = (path: string): string | null =>
  /^\/api\/(?!v1\/)/.test(path) ? path.replace("/api/", "/api/v1/") : null;
