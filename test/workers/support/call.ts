import type { Call } from "../../../src/services/call.ts";

/** A use case's call outside of a request. */
export const callWith = (changed: Env): Call => ({ env: changed, logFields: { operation: "test" } });
