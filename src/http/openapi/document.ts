/**
 * The description of the API, made of what validates requests and of what answers are held against. Paths of the same
 * operation have it under names of their own: a client made from the document then has a function for each.
 */
import type * as z from "zod";

import { SCOPES } from "../../core/api-key.ts";
import { components, inline, refTo } from "./components.ts";
import type { Operation } from "./operations/operation.ts";
import { OPERATIONS } from "./operations/operations.ts";
import { type Failures, RESPONSE_HEADERS, responsesOf } from "./responses.ts";

const DESCRIPTION = `Records behaviour events about the accounts and users of a B2B product, and tells the health of each account, which of them need a call, and answers to questions.

All bodies are JSON in UTF-8, all times ISO 8601 in UTC. Errors are \`{"ok": false, "error": {"code", "message", "requestId", "issues"?}}\`. A 429, 500 or 503 may always be retried: what has a \`messageId\` or an \`Idempotency-Key\` is stored once. Any other path is 404 \`not_found\`, a known path with another method 405 \`method_not_allowed\` with \`Allow\`.

A workspace may send 100 messages in any 10 s, or what it was given.`;

const SECURITY_SCHEMES = {
  apiKey: {
    type: "http",
    scheme: "bearer",
    description: `A key of a workspace, with the scope that the operation names: ${SCOPES.join(", ")}.`,
  },
  basicKey: {
    type: "http",
    scheme: "basic",
    description: "The key as the user name, without a password, as CDP client libraries send it.",
  },
  writeKey: { type: "apiKey", in: "header", name: "X-Write-Key", description: "The key, as some CDPs send it." },
  adminToken: {
    type: "http",
    scheme: "bearer",
    description: "The deployment's `ADMIN_TOKEN`. Without one set, every path of the administration is 404.",
  },
};

/** A new one each time: it takes some milliseconds. */
export function describeApi(): object {
  const paths: Record<string, Record<string, object>> = {};
  const responses: Failures = {};
  for (const operation of OPERATIONS) {
    for (const [path, id] of Object.entries(operation.at)) {
      paths[path] = { ...paths[path], [operation.method]: describe(operation, path, id, responses) };
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Behavior Ingest",
      version: "1",
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    tags: [...new Set(OPERATIONS.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: { schemas: components(), responses, headers: RESPONSE_HEADERS, securitySchemes: SECURITY_SCHEMES },
  };
}

function describe(operation: Operation, path: string, operationId: string, failures: Failures): object {
  const { tag, summary, description, body } = operation;
  const parameters = parametersOf(operation);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: securityOf(operation),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        ...(body.description !== undefined && { description: body.description }),
        content: { "application/json": { schema: refTo(body.schema), example: body.example } },
      },
    }),
    responses: responsesOf(operation, path, failures),
  };
}

/** For a bearer key the scopes are named, as OpenAPI 3.1 allows of schemes that are not OAuth. */
function securityOf({ access }: Operation): object[] {
  if (access === null) return [];
  if (access === "admin") return [{ adminToken: [] }];
  if (access !== "ingest") return [{ apiKey: [access] }];
  return [{ apiKey: [access] }, { basicKey: [access] }, { writeKey: [access] }];
}

function parametersOf({ parameters = {}, query, requestHeaders = {} }: Operation): object[] {
  return [
    ...Object.entries(parameters).map(([name, description]) => ({
      in: "path",
      name,
      required: true,
      description,
      schema: { type: "string", minLength: 1 },
    })),
    ...Object.entries<z.ZodType>(query?.shape ?? {}).map(([name, schema]) => {
      const { description, ...rest } = inline(schema);
      return { in: "query", name, ...(description !== undefined && { description }), schema: rest };
    }),
    ...Object.entries(requestHeaders).map(([name, { description, maxLength }]) => ({
      in: "header",
      name,
      description,
      schema: { type: "string", minLength: 1, maxLength },
    })),
  ];
}
