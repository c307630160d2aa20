import { fileURLToPath } from "node:url";

/**
 * The environment in which wrangler asks nothing, reports nothing home and writes nothing outside the project.
 */
export const QUIET_WRANGLER = {
  CI: "true",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_WRITE_LOGS: "false",
  /** `request.cf` is a placeholder on this machine: the real one is not worth a call to the network at each start. */
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  /** Its page on local data, at a path that the deployed Worker does not have. */
  X_LOCAL_EXPLORER: "false",
  /** Node keeps here what it compiles: half a second less for each start of a tool as large. */
  NODE_COMPILE_CACHE: fileURLToPath(new URL("../node_modules/.cache/node", import.meta.url)),
} as const;
