/** Responses of an operation: each status with its headers and its body. Errors: docs/wire/README.md §8. */
import * as z from "zod";

import { WRITE_WINDOW_MS } from "../../core/limit/policy.ts";
import { typedKeys } from "../../core/typed-keys.ts";
import { type ErrorCode, MAX_ISSUES, STATUS } from "../../edge/errors.ts";
import { errorsOf, type RouteDeclaration, successorOf } from "../declare-route.ts";
import { response as named, schemaOf } from "../../edge/named-schemas.ts";
import { text } from "../../edge/responses/fields.ts";

const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  invalid_json: "The body is not valid JSON, UTF-8 or gzip, or it is incomplete.",
  invalid_request: "The body, the query or a header is invalid; `issues` names the fields.",
  invalid_message: "The only message of the request is invalid; `issues` names the field.",
  unauthorized: "The credentials are missing, malformed, unknown, expired or revoked. The response doesn't say which.",
  invalid_signature: "The key is signed, and the request has no valid signature.",
  forbidden: "The key lacks the scope or is no browser key, or the administrator's token may not do this.",
  dpa_required: "The workspace has not accepted the data processing agreement.",
  origin_not_allowed: "The key is for the pages of other origins, or a script of another site sent the request.",
  not_found: "The resource does not exist.",
  method_not_allowed: "The path doesn't support this method; `Allow` lists the methods that it supports.",
  import_running: "The workspace has an import.",
  move_running: "The workspace is being moved already, or the move can't be cancelled any more.",
  too_many_destinations: "The workspace has 20 destinations.",
  message_too_large: "The body, or the only message in it, is too large.",
  batch_too_large: "The body is larger than 512 KB or has more than 1,000 messages. Nothing was stored.",
  unsupported_encoding: "`Content-Encoding` is not `gzip`.",
  unsupported_media_type: "`Content-Type` is not `application/json`.",
  rate_limited: "Too many requests of this kind: retry after `Retry-After`.",
  internal: "Internal error. Retry the request.",
  unavailable:
    "The service is busy. Retry the request: messages with a `messageId` or an `Idempotency-Key` are stored once.",
  storage_full: "The workspace's storage limit is reached. Nothing was stored or charged: retry after `Retry-After`.",
};

const errorBody = named(
  "Error",
  z.strictObject({
    ok: z.literal(false),
    code: text.describe("The same as `error.code`."),
    message: text.describe("The same as `error.message`."),
    error: z.strictObject({
      code: text,
      message: text.describe("A sentence for people."),
      requestId: text.describe("The same as `X-Request-Id`. The log contains it too."),
      issues: z
        .array(z.strictObject({ path: z.string().describe("The field; empty for the whole body."), message: text }))
        .max(MAX_ISSUES)
        .optional(),
    }),
  }),
);

/** Takes the place of `rate_limited` where messages are written. */
const WRITE_LIMITED = {
  name: "write_limited",
  meaning:
    "The write limit is used up, or the client sends too many unknown keys. Nothing was stored: retry after `Retry-After`.",
  headers: ["X-RateLimit-Reset", "RateLimit", "RateLimit-Policy"],
};

const HEADERS: Readonly<Record<number, readonly string[]>> = {
  401: ["WWW-Authenticate"],
  429: ["Retry-After"],
  503: ["Retry-After"],
  507: ["Retry-After"],
};

/** In the order in which descriptions list them. */
const CODES = typedKeys(MEANINGS);

const WINDOW_SECONDS = WRITE_WINDOW_MS / 1_000;

const header = (description: string, schema: object = { type: "string" }) => ({ description, schema });
const seconds = { type: "integer", minimum: 0 };

export const RESPONSE_HEADERS: Readonly<Record<string, object>> = {
  "X-Request-Id": header("Id of the request, also in the log. The sender may supply it in a header of the same name."),
  RateLimit: header('The remaining write limit: `"writes";r=<messages>;t=<seconds until all are free>`.'),
  "RateLimit-Policy": header(`The write limit: \`"writes";q=<messages>;w=${WINDOW_SECONDS}\`.`),
  "Retry-After": header("Seconds to wait before retrying.", seconds),
  "X-RateLimit-Reset": header("The same as `Retry-After`.", seconds),
  "WWW-Authenticate": header("`Bearer`."),
  Link: header('`<path>; rel="successor-version"`: the versioned path of the same operation.'),
};

/** Error responses by name. Operations share them, because they depend on the codes only. */
export type SharedResponses = Record<string, object>;

/** @param shared gets the error responses that the operation needs */
export function responsesOf(
  declaration: RouteDeclaration,
  path: string,
  shared: SharedResponses,
): Record<string, object> {
  const { response, limited } = declaration;
  const errors = errorsOf(declaration);
  const headers = [
    "X-Request-Id",
    ...(successorOf(path) !== null ? ["Link"] : []),
    ...(limited === true ? ["RateLimit", "RateLimit-Policy"] : []),
  ];
  const body = { headers: refsTo(headers), ...json(schemaOf(response.schema), response.examples, response.mediaType) };
  const responses: Record<string, object> = {
    [response.status]: { description: response.description, ...body },
    ...(response.accepted !== undefined && { 202: { description: response.accepted, ...body } }),
  };
  for (const [status, description] of Object.entries(response.others ?? {})) {
    responses[status] = { description, headers: refsTo(headers) };
  }
  for (const status of new Set(errors.map((code) => STATUS[code]))) {
    const codes = CODES.filter((code) => STATUS[code] === status && errors.includes(code));
    const writes = limited === true && status === STATUS.rate_limited ? WRITE_LIMITED : null;
    const name = writes?.name ?? codes.join("-or-");
    shared[name] ??= {
      description: codes.map((code) => `\`${code}\`: ${writes?.meaning ?? MEANINGS[code]}`).join("\n\n"),
      headers: refsTo(["X-Request-Id", ...(HEADERS[status] ?? []), ...(writes?.headers ?? [])]),
      ...json(errorWith(codes)),
    };
    responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return responses;
}

const json = (schema: object, examples?: Readonly<Record<string, unknown>>, mediaType = "application/json") => ({
  content: {
    [mediaType]: {
      schema,
      ...(examples && {
        examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
      }),
    },
  },
});

const errorWith = (codes: readonly ErrorCode[]) => ({
  allOf: [
    schemaOf(errorBody),
    {
      type: "object",
      properties: { code: { enum: codes }, error: { type: "object", properties: { code: { enum: codes } } } },
    },
  ],
});

const refsTo = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
