/** Zod schemas as JSON Schema. */
import * as z from "zod";

import { requestSchemas, responseSchemas } from "../schemas/registry.ts";

type JsonSchema = z.core.JSONSchema.BaseSchema;

const FORM = { target: "draft-2020-12", unrepresentable: "any" } as const;
const uri = (id: string): string => `#/components/schemas/${id}`;

/** Describes a schema: by reference if it has a name, else inline. */
export function schemaOf(schema: z.ZodType): JsonSchema {
  const id = (requestSchemas.get(schema) ?? responseSchemas.get(schema))?.id;
  return id === undefined ? inline(schema) : { $ref: uri(id) };
}

/** Describes a parameter's schema. */
export const inline = (schema: z.ZodType): JsonSchema =>
  withoutHeader(z.toJSONSchema(schema, { ...FORM, io: "input" }));

/** Describes all named schemas. */
export function namedSchemas(): Record<string, JsonSchema> {
  const requests = z.toJSONSchema(requestSchemas, { ...FORM, io: "input", uri }).schemas;
  const responses = z.toJSONSchema(responseSchemas, { ...FORM, io: "output", uri }).schemas;
  return Object.fromEntries(
    Object.entries({ ...requests, ...responses }).map(([id, schema]) => [id, withoutHeader(schema)]),
  );
}

/** The document itself states the dialect and where the schema is. */
function withoutHeader({ $schema: _dialect, $id: _id, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
