/** Calls the running service over its public API. */
import type * as z from "zod";

import { request } from "../request.ts";

/** A reason why the demo can't go on: printed without a stack. */
export class DemoFailure extends Error {
  override name = "DemoFailure";
}

export interface Client {
  url: string;
  /** An API key, or the admin token. */
  key: string;
  /** Cancels calls. */
  stop?: AbortSignal;
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Makes a call and parses the response. Every call is safe to repeat: the service deduplicates what it stores.
 *
 * @throws DemoFailure when nothing answers or the status is not 2xx; an AbortError when it is canceled
 */
export async function call<T>(
  client: Client,
  method: Method,
  path: string,
  schema: z.ZodType<T>,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<T> {
  const init = {
    method,
    headers: { authorization: `Bearer ${client.key}`, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(client.stop === undefined ? {} : { signal: client.stop }),
  };
  const response = await send(client, path, init);
  const text = await response.text();
  if (response.ok) return schema.parse(JSON.parse(text));
  if (response.status === 401) {
    throw new DemoFailure(`The service has another admin token. Give npm run demo the ADMIN_TOKEN of npm start.`);
  }
  throw new DemoFailure(`${method} ${path} returned ${response.status}: ${text}`);
}

async function send({ url, stop }: Client, path: string, init: RequestInit): Promise<Response> {
  try {
    return await request(url + path, init);
  } catch {
    stop?.throwIfAborted();
    throw new DemoFailure(
      `Nothing answers at ${url}. Run npm start in another terminal first. Give both commands the same PORT.`,
    );
  }
}
