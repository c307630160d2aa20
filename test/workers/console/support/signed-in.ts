/** A minimal browser for the console: sends the session cookie, and forms from the console's own origin. */
import { exports } from "cloudflare:workers";

import { ORIGIN } from "../../support/send.ts";
import { ADMIN_HEADERS } from "../../support/workspace.ts";

export interface PageAnswer {
  status: number;
  headers: Headers;
  html: string;
  /** The target of a redirect. */
  location: string | null;
}

export interface Browser {
  cookie: string;
  get: (path: string, headers?: Record<string, string>) => Promise<PageAnswer>;
  /** Sends a form. @param fields as pairs, if a name is repeated */
  post: (
    path: string,
    fields?: Record<string, string> | [string, string][],
    headers?: Record<string, string>,
  ) => Promise<PageAnswer>;
}

/** @param address the client's; without one, as on a laptop, its attempts to sign in aren't limited */
export function browser(cookie = "", address?: string): Browser {
  const ask = async (method: string, path: string, headers: Record<string, string>, body?: URLSearchParams) => {
    const client = address === undefined ? {} : { "CF-Connecting-IP": address };
    const init = { method, headers: { Cookie: cookie, ...client, ...headers } };
    const response = await exports.default.fetch(
      new Request(ORIGIN + path, { ...init, redirect: "manual", ...(body !== undefined && { body }) }),
    );
    const { status, headers: answered } = response;
    return { status, headers: answered, html: await response.text(), location: answered.get("Location") };
  };
  return {
    cookie,
    get: (path, headers = { "Sec-Fetch-Site": "same-origin" }) => ask("GET", path, headers),
    post: (path, fields = {}, headers = { Origin: ORIGIN }) => ask("POST", path, headers, new URLSearchParams(fields)),
  };
}

/** Signs in. @param secret a workspace's key; default: the admin token */
export async function signedIn(secret = ADMIN_HEADERS.Authorization.slice("Bearer ".length)): Promise<Browser> {
  const { status, headers } = await browser().post("/console/sign-in", { secret });
  const cookie = headers.get("Set-Cookie")?.split(";")[0];
  if (status !== 303 || cookie === undefined) throw new Error(`the sign-in answered ${status}`);
  return browser(cookie);
}

/** Returns the hidden id of a form that creates something. */
export const creationIdIn = (html: string): string => /name="creationId" value="(\w+)"/.exec(html)?.[1] ?? "";
