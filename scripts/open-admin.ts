/** Opens the administration of a running service. */
import { fileURLToPath } from "node:url";

import { type Client, createClient } from "../clients/typescript/src/client.ts";
import { sayBusy } from "./request.ts";
import { adminToken } from "./start/secrets.ts";
import { baseUrl, readSettings } from "./start/settings.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** @param url by default the local service's, whose token is in .dev.vars. @throws Error for the operator */
export function openAdmin(url: string | undefined): Client {
  if (url !== undefined && !isAddress(url)) throw new Error(`--url ${url} is no address, such as https://….`);
  const settings = readSettings(ROOT, process.env);
  const key = url === undefined ? adminToken(settings).value : settings.adminToken;
  if (key === null) throw new Error("Set ADMIN_TOKEN in the environment to the service's admin token.");
  const { origin } = new URL(url ?? baseUrl(settings));
  const client = createClient({ url: origin, key, onRetry: sayBusy });
  client.use({
    onError: ({ error }) => new Error(`${origin} can't be reached: ${causeOf(error)}. Is --url right?`),
    onResponse: ({ response: { headers, status } }) => {
      if (headers.get("content-type")?.startsWith("application/json")) return;
      throw new Error(`${origin} doesn't answer as this service does (${status}). Is --url right?`);
    },
  });
  return client;
}

export const isAddress = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/** `fetch` says only that it failed, and its cause says why. */
const causeOf = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
};
