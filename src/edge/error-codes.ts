/** Error codes with their statuses: docs/wire.md §8. */
export const STATUS = {
  invalid_json: 400,
  invalid_request: 400,
  invalid_message: 400,
  unauthorized: 401,
  forbidden: 403,
  dpa_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  message_too_large: 413,
  batch_too_large: 413,
  unsupported_encoding: 415,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof STATUS;

/** An error response lists at most this many issues. */
export const MAX_ISSUES = 20;
