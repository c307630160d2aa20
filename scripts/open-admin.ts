/** Opens the administration of a running service. */
import { fileURLToPath } from "node:url";

import { type Client, createClient } from "../clients/typescript/src/client.ts";
import { sayBusy } from "./request.ts";
import { adminToken } from "./start/secrets.ts";
import { baseUrl, readSettings } from "./start/settings.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** @param url by default the local service's, whose token is in .dev.vars. @throws Error for the operator */
export function openAdmin(url: string | undefined): Client {
  const settings = readSettings(ROOT, process.env);
  if (url === undefined)
    return createClient({ url: baseUrl(settings), key: adminToken(settings).value, onRetry: sayBusy });
  if (settings.adminToken === null) throw new Error("Set ADMIN_TOKEN in the environment to the service's admin token.");
  return createClient({ url: new URL(url).origin, key: settings.adminToken, onRetry: sayBusy });
}
