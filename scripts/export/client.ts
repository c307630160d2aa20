/** Reads from the service with the user's API key. */
import * as z from "zod";

import { request } from "../request.ts";

/** A problem that the user can solve: printed without a stack. */
export class ExportFailure extends Error {
  override name = "ExportFailure";
}

export interface Client {
  url: string;
  key: string;
}

export interface ExportOptions {
  /** UTC days, as `2026-11-23`. Both are included. */
  from: string;
  to: string;
  /** An existing folder. */
  out: string;
}

const ErrorResponse = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** @throws ExportFailure for a status other than 2xx; TypeError when the connection fails */
export async function get({ url, key }: Client, path: string, headers: Record<string, string> = {}): Promise<Response> {
  const response = await request(new Request(url + path, { headers: { authorization: `Bearer ${key}`, ...headers } }));
  if (response.ok && response.headers.get("content-type")?.startsWith("text/"))
    throw new ExportFailure(`${url} doesn't answer as this service does (${response.status}). Is --url right?`);
  if (response.ok) return response;
  throw new ExportFailure(`GET ${path} returned ${response.status} ${describe(await response.text())}`);
}

/** Returns the path and query of a link in a response. The host may be another one behind a proxy. */
export function linkOf({ headers, url }: Response, rel: "next" | "related"): string | null {
  const links = [...(headers.get("link") ?? "").matchAll(/<([^>]+)>[^<]*?\brel="?(\w+)/g)];
  const [, link] = links.find(([, , each]) => each === rel) ?? [];
  if (link === undefined) return null;
  const { pathname, search } = new URL(link, url);
  return pathname + search;
}

function describe(body: string): string {
  try {
    const { error } = ErrorResponse.parse(JSON.parse(body));
    return `${error.code}: ${error.message}`;
  } catch {
    return body; // a proxy's own error
  }
}
