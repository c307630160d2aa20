/** Calls the administration of a running service. */
import { fileURLToPath } from "node:url";

import * as z from "zod";

import { parseJson } from "../src/core/parse-json.ts";
import { request } from "./request.ts";
import { adminToken } from "./start/admin-token.ts";
import { baseUrl, readSettings } from "./start/settings.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const Failure = z.object({
  error: z.object({
    message: z.string(),
    issues: z.array(z.object({ path: z.string(), message: z.string() })).default([]),
  }),
});

export interface AdminService {
  url: string;
  token: string;
}

/** @param url by default the local service's, whose token is in .dev.vars. @throws Error for the operator */
export function findService(url: string | undefined): AdminService {
  const settings = readSettings(ROOT, process.env);
  if (url === undefined) return { url: baseUrl(settings), token: adminToken(settings).value };
  if (settings.adminToken === null) throw new Error("Set ADMIN_TOKEN in the environment to the service's admin token.");
  return { url: new URL(url).origin, token: settings.adminToken };
}

/** @returns the status, the body, and what an error says */
export async function callService({ url, token }: AdminService, method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await request(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await response.text();
  const parsed = parseJson(text);
  const value: unknown = parsed.ok ? parsed.value : null;
  const { data } = Failure.safeParse(value);
  const issues = data?.error.issues.map(({ path: field, message }) => `${field} ${message}`) ?? [];
  return { status: response.status, body: value, message: [data?.error.message ?? text, ...issues].join(" ") };
}
