/** The API's own description as a client reads it, and answers held against its JSON Schemas. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { z } from "zod";

const Ref = z.object({ $ref: z.string() });
const Response = z.looseObject({
  headers: z.record(z.string(), z.unknown()),
  content: z.record(z.string(), z.looseObject({ schema: z.looseObject({}) })).optional(),
});
const Operation = z.object({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(z.looseObject({ in: z.string(), name: z.string() })).default([]),
  requestBody: z
    .object({ content: z.object({ "application/json": z.object({ schema: Ref, example: z.unknown() }) }) })
    .optional(),
  responses: z.record(z.string(), z.unknown()),
});
export const Description = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({
    schemas: z.record(z.string(), z.looseObject({})),
    responses: z.record(z.string(), Response),
  }),
});
export type Description = z.infer<typeof Description>;
/** The error of all, narrowed to the codes of this status. */
const Narrowed = z.object({
  allOf: z.tuple([
    z.unknown(),
    z.object({
      properties: z.object({
        error: z.object({ properties: z.object({ code: z.object({ enum: z.array(z.string()) }) }) }),
      }),
    }),
  ]),
});

export interface DescribedOperation extends z.infer<typeof Operation> {
  path: string;
  method: string;
}

export function operationsOf({ paths }: Description): DescribedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  );
}

export class Judge {
  readonly #description: Description;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(description: Description) {
    this.#description = description;
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(description, "api");
  }

  /** What is wrong with a value; nothing, when all is well. */
  problems(schema: object, value: unknown): string[] {
    const key = JSON.stringify(schema);
    const validate = this.#compiled.get(key) ?? this.#ajv.compile(absolute(schema));
    this.#compiled.set(key, validate);
    return validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  }

  /** What an operation says of a status; nothing, where it says that there is none. */
  response({ responses }: DescribedOperation, status: number): z.infer<typeof Response> | undefined {
    const own = responses[status];
    if (own === undefined) return undefined;
    const ref = Ref.safeParse(own);
    const name = ref.data?.$ref.split("/").at(-1) ?? "";
    return Response.parse(ref.success ? this.#description.components.responses[name] : own);
  }

  /** All answers of an operation but those of faults: the statuses of successes, and statuses with codes of errors. */
  told(operation: DescribedOperation): string[] {
    return Object.keys(operation.responses).flatMap((status) => {
      if (Number(status) >= 500) return [];
      const schema = this.response(operation, Number(status))?.content?.["application/json"]?.schema;
      const narrowed = Narrowed.safeParse(schema);
      return narrowed.success
        ? narrowed.data.allOf[1].properties.error.properties.code.enum.map((code) => `${status} ${code}`)
        : [status];
    });
  }
}

/** By where a schema is in the document to where it is in what ajv knows as `api`. */
function absolute(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"api#/'));
}
