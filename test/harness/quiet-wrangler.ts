/** Makes wrangler ask nothing, call no one and write nothing outside the project. */
export const QUIET_WRANGLER = {
  CI: "true",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_WRITE_LOGS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
} as const;
