/** Schemas with a name of their own in the OpenAPI document. */
import * as z from "zod";

/** Requests are described as clients write them, responses as they read them. */
export const requestSchemas = z.registry<{ id: string }>();
export const responseSchemas = z.registry<{ id: string }>();

/** Names a request schema. Returns the same schema. */
export const request = <Schema extends z.ZodType>(id: string, schema: Schema): Schema => {
  requestSchemas.add(schema, { id });
  return schema;
};

/** Names a response schema. Returns the same schema. */
export const response = <Schema extends z.ZodType>(id: string, schema: Schema): Schema => {
  responseSchemas.add(schema, { id });
  return schema;
};

/** The type of a response body. Read-only, so that constants and stored lists fit. */
export type ResponseBody<Schema extends z.ZodType> = DeepReadonly<z.output<Schema>>;

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;
