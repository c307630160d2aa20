import type * as z from "zod";

import { cutText } from "../core/ingest/text.ts";
import type { Issue } from "./errors.ts";

const MAX_ECHOED_CHARS = 64;

/** Lists the invalid fields. Issues quote nothing from the sender except the beginning of an unknown field's name. */
export function toIssues(issues: readonly z.core.$ZodIssue[]): Issue[] {
  return issues.flatMap((issue) => {
    const path = issue.path.map(String);
    if (issue.code !== "unrecognized_keys") return [{ path: path.join("."), message: issue.message }];
    return issue.keys.map((key) => ({
      path: [...path, cutText(key, MAX_ECHOED_CHARS)].join("."),
      message: "is not a field of this call",
    }));
  });
}
