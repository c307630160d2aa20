/** Declares a tool. As with a route, one declaration checks arguments, types the results and describes both. */
import type * as z from "zod";

import { MAX_ASK_BYTES } from "../config.ts";
import type { Scope } from "../core/api-key.ts";
import type { KeyGrant } from "../db/workspaces/api-keys.ts";
import { failure, type Failure, toIssues } from "../edge/errors.ts";
import type { ResponseBody } from "../edge/named-schemas.ts";
import { bytesOf } from "./fit.ts";

interface Declaration<Input, Output extends { ok: true }> {
  /** The scope that the key needs. */
  readonly scope: Scope;
  readonly title: string;
  /** It contains no value of a workspace, because such a value could instruct an agent. */
  readonly description: string;
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType<Output>;
  /** Writes don't count toward the read limit. */
  readonly isWrite?: true;
}

export interface Tool extends Declaration<unknown, { ok: true }> {
  readonly call: (env: Env, grant: KeyGrant, given: unknown) => Promise<{ readonly ok: true } | Failure>;
}

export const tool = <Input, Output extends { ok: true }>(
  declaration: Declaration<Input, Output>,
  run: (env: Env, grant: KeyGrant, input: Input) => Promise<ResponseBody<z.ZodType<Output>> | Failure>,
): Tool => ({
  ...declaration,
  call: async (env, grant, given) => {
    if (bytesOf(JSON.stringify(given)) > MAX_ASK_BYTES)
      return failure("invalid_request", `The arguments have more than ${MAX_ASK_BYTES / 1_024} KB.`);
    const { success, data, error } = declaration.input.safeParse(given);
    if (success) return run(env, grant, data);
    return failure("invalid_request", "Invalid arguments. See issues.", toIssues(error.issues));
  },
});
