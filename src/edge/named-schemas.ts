/** Names schemas for the OpenAPI document, and converts them to JSON Schema. */
import * as z from "zod";

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Requests are described as clients write them, responses as they read them. */
const requestSchemas = z.registry<{ id: string }>();
const responseSchemas = z.registry<{ id: string }>();

const FORM = { target: "draft-2020-12", unrepresentable: "any" } as const;
const uri = (id: string): string => `#/components/schemas/${id}`;

export const request = <Schema extends z.ZodType>(id: string, schema: Schema): Schema => {
  requestSchemas.add(schema, { id });
  return schema;
};

export const response = <Schema extends z.ZodType>(id: string, schema: Schema): Schema => {
  responseSchemas.add(schema, { id });
  return schema;
};

/** The type of a response body. Read-only, so that constants and stored lists fit. */
export type ResponseBody<Schema extends z.ZodType> = DeepReadonly<z.output<Schema>>;

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

/** Describes a schema: by reference if it has a name, else inline. */
export function schemaOf(schema: z.ZodType): JsonSchema {
  const id = (requestSchemas.get(schema) ?? responseSchemas.get(schema))?.id;
  return id === undefined ? inline(schema) : { $ref: uri(id) };
}

export const inline = (schema: z.ZodType): JsonSchema =>
  withoutHeader(z.toJSONSchema(schema, { ...FORM, io: "input" }));

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
