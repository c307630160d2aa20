/** Each operation as the API describes itself: its paths, and all that it may answer. */
import type * as z from "zod";

import type { ErrorCode } from "../../../src/edge/error-codes.ts";
import { OPERATIONS as DESCRIBED } from "../../../src/http/openapi/operations/operations.ts";

export interface Operation {
  method: string;
  /** A segment in braces is whatever stands there. */
  paths: readonly string[];
  /** Whether browsers may send to it from anywhere. */
  isIngest: boolean;
  /** Of a success: its status, and its body. */
  status: number;
  body: z.ZodType;
  errors: readonly ErrorCode[];
}

/** But those that a browser asks by itself: they have no body. */
export const OPERATIONS: readonly Operation[] = DESCRIBED.flatMap(({ at, method, access, answer, errors }) =>
  answer.schema === undefined
    ? []
    : [
        {
          method: method.toUpperCase(),
          paths: Object.keys(at),
          isIngest: access === "ingest",
          status: answer.status,
          body: answer.schema,
          errors,
        },
      ],
);

/** The operations of a path, by any method. */
export function operationsAt(path: string): Operation[] {
  return OPERATIONS.filter(({ paths }) => paths.some((own) => matches(own, path)));
}

function matches(pattern: string, path: string): boolean {
  const [wanted, found] = [pattern.split("/"), path.split("/")];
  return (
    wanted.length === found.length &&
    wanted.every((segment, index) => (segment.startsWith("{") ? found[index] !== "" : segment === found[index]))
  );
}
