/**
 * Builds the OpenAPI document from the route declarations. An operation at several paths has an id for each, so a
 * generated client has a function for each.
 */
import type * as z from "zod";

import { SCOPES } from "../../core/api-key.ts";
import type { Route, RouteDeclaration } from "../declare-route.ts";
import { RESPONSE_HEADERS, responsesOf, type SharedResponses } from "./responses.ts";
import { inline, namedSchemas, schemaOf } from "../../edge/named-schemas.ts";

const DESCRIPTION = `Records behavior events of the accounts and users of a B2B product. Scores the health of each account, lists the accounts to contact, and answers questions.

All bodies are JSON in UTF-8; all times are ISO 8601 in UTC. Errors are \`{"ok": false, "code", "message", "error": {"code", "message", "requestId", "issues"?}}\`. A 429, 500 or 503 may always be retried: messages with a \`messageId\` or an \`Idempotency-Key\` are stored once. Unknown paths return 404 \`not_found\`; other methods on known paths return 405 \`method_not_allowed\` with \`Allow\`. Reads refuse unknown query parameters. Responses may get new fields at any time.

A workspace may send 100 messages per 10 s, unless it has another limit.`;

const SECURITY_SCHEMES = {
  apiKey: {
    type: "http",
    scheme: "bearer",
    description: `A workspace's API key with the scope that the operation names: ${SCOPES.join(", ")}.`,
  },
  basicKey: {
    type: "http",
    scheme: "basic",
    description: "The key as the user name, without a password, as CDP client libraries send it.",
  },
  writeKey: { type: "apiKey", in: "header", name: "X-Write-Key", description: "The key, as some CDPs send it." },
  urlKey: {
    type: "apiKey",
    in: "query",
    name: "writeKey",
    description: "A browser key, which every visitor can read.",
  },
  adminToken: {
    type: "http",
    scheme: "bearer",
    description:
      "The deployment's `ADMIN_TOKEN`, or a named token. If the former is not set, every administration path returns 404.",
  },
};

/** Builds the document. Takes some milliseconds. */
export function openApiDocument(routes: readonly Route[]): Record<string, unknown> {
  const paths: Record<string, Record<string, object>> = {};
  const shared: SharedResponses = {};
  const declarations = routes.map(({ declaration }) => declaration);
  for (const declaration of declarations) {
    for (const [path, id] of Object.entries(declaration.paths)) {
      paths[path] = { ...paths[path], [declaration.method]: operationOf(declaration, path, id, shared) };
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
    tags: [...new Set(declarations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: namedSchemas(),
      responses: shared,
      headers: RESPONSE_HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

function operationOf(
  declaration: RouteDeclaration,
  path: string,
  operationId: string,
  shared: SharedResponses,
): object {
  const { tag, summary, description, body } = declaration;
  const parameters = parametersOf(declaration);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: securityOf(declaration),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: body.isOptional !== true,
        ...(body.description !== undefined && { description: body.description }),
        content: { "application/json": { schema: schemaOf(body.schema), example: body.example } },
      },
    }),
    responses: responsesOf(declaration, path, shared),
  };
}

/** Bearer keys name their scopes. OpenAPI 3.1 allows that for schemes other than OAuth too. */
function securityOf({ access, params }: RouteDeclaration): object[] {
  // A key in a path is a parameter.
  if (access === null || (access === "browser" && params !== undefined)) return [];
  if (access === "browser") return [{ urlKey: [] }];
  if (access === "admin") return [{ adminToken: [] }];
  if (access !== "ingest") return [{ apiKey: [access] }];
  return [{ apiKey: [access] }, { basicKey: [access] }, { writeKey: [access] }];
}

function parametersOf({ params, query, headers }: RouteDeclaration): object[] {
  return Object.entries({ path: params, query, header: headers }).flatMap(([place, schemas]) =>
    Object.entries<z.ZodType>(schemas?.shape ?? {}).map(([name, parameter]) => {
      const { description, ...schema } = inline(parameter);
      return {
        in: place,
        name,
        ...(place === "path" && { required: true }),
        ...(description !== undefined && { description }),
        schema,
      };
    }),
  );
}
