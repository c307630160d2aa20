/**
 * Replaces a part of the protocol's package (`alias` in wrangler.toml). The original prepares all of the protocol's schemas
 * when the Worker starts, which takes 40 ms, and has a JSON Schema validator of 6 KB for forms, which this server doesn't
 * send. Schemas are prepared on first use instead.
 */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error("This server has no JSON Schema validator.");
  }
}

/** Servers on standard input and output read it. */
export const process = undefined;
