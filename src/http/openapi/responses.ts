/** What an operation may answer: each status with its headers and its body. */
import { WRITE_WINDOW_MS } from "../../core/limit/policy.ts";
import { typedKeys } from "../../core/typed-keys.ts";
import { type ErrorCode, STATUS } from "../../edge/error-codes.ts";
import { errorBody, HEADERS, MEANINGS } from "./answers/errors.ts";
import { refTo } from "./components.ts";
import type { Operation } from "./operations/operation.ts";

/** In the order that answers name them in. */
const CODES = typedKeys(MEANINGS);

const WINDOW_SECONDS = WRITE_WINDOW_MS / 1_000;

const header = (description: string, schema: object = { type: "string" }) => ({ description, schema });
const seconds = { type: "integer", minimum: 0 };

/** By name, as answers refer to them. */
export const RESPONSE_HEADERS: Readonly<Record<string, object>> = {
  "X-Request-Id": header("Names this request, in the log too; the sender's own if it brought one."),
  RateLimit: header('What is left, once the limit was asked: `"writes";r=<messages>;t=<seconds until all are free>`.'),
  "RateLimit-Policy": header(`The write limit: \`"writes";q=<messages>;w=${WINDOW_SECONDS}\`.`),
  "Retry-After": header("So many seconds to wait before the same is sent again.", seconds),
  "X-RateLimit-Reset": header("The same as `Retry-After`.", seconds),
  "WWW-Authenticate": header("`Bearer`."),
  Link: header('`<path>; rel="successor-version"`: the versioned path, which answers the same.'),
};

/** Failures by their names. Operations share them: what one says depends on its codes alone. */
export type Failures = Record<string, object>;

/**
 * @param path where the operation is
 * @param failures those that the operation has are put here
 */
export function responsesOf(operation: Operation, path: string, failures: Failures): Record<string, object> {
  const { answer, limited, errors } = operation;
  const headers = [
    "X-Request-Id",
    ...(isUnversioned(path) ? ["Link"] : []),
    ...(limited === true ? ["RateLimit", "RateLimit-Policy"] : []),
  ];
  const responses: Record<string, object> = {
    [answer.status]: {
      description: answer.description,
      headers: refsTo(headers),
      ...(answer.schema && json(refTo(answer.schema), answer.examples)),
    },
  };
  for (const status of new Set(errors.map((code) => STATUS[code]))) {
    const own = CODES.filter((code) => STATUS[code] === status && errors.includes(code));
    const name = own.join("-or-");
    failures[name] ??= {
      description: own.map((code) => `\`${code}\`: ${MEANINGS[code]}`).join("\n\n"),
      headers: refsTo(["X-Request-Id", ...(HEADERS[status] ?? [])]),
      ...json(errorWith(own)),
    };
    responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return responses;
}

const isUnversioned = (path: string): boolean => /^\/api\/(?!v1\/)/.test(path);

const json = (schema: object, examples?: Readonly<Record<string, unknown>>) => ({
  content: {
    "application/json": {
      schema,
      ...(examples && {
        examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
      }),
    },
  },
});

/** The error of all, with one of these codes. */
const errorWith = (codes: readonly ErrorCode[]) => ({
  allOf: [
    refTo(errorBody),
    { type: "object", properties: { error: { type: "object", properties: { code: { enum: codes } } } } },
  ],
});

const refsTo = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
