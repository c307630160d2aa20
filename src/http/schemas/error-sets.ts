/** Error codes that routes have in common. */

export const FAULTS = ["internal", "unavailable"] as const;
export const KEYED = ["unauthorized", "forbidden", ...FAULTS] as const;
/** Reads also refuse invalid and unknown query parameters. */
export const READ = [...KEYED, "invalid_request"] as const;
/** Without an admin token in the deployment, every administration path is 404. */
export const ADMIN = ["unauthorized", "not_found", ...FAULTS] as const;
export const JSON_BODY = [
  "invalid_json",
  "invalid_request",
  "message_too_large",
  "unsupported_encoding",
  "unsupported_media_type",
] as const;
export const INGEST = [...KEYED, "invalid_json", "invalid_request", "unsupported_encoding", "rate_limited"] as const;
