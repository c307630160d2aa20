/**
 * Calls Behavior Ingest. The types of all operations are generated from the service's own OpenAPI document (`openapi.ts`).
 *
 *     const client = createClient({ url: "https://events.example.com", key });
 *     const { items } = await dataOf(client.GET("/api/v1/inbox"));
 */
import createFetchClient, { type Client as FetchClient } from "openapi-fetch";

import { type RetryOptions, retrying } from "./retry.ts";
import type { paths } from "./openapi.ts";

export type { components, operations, paths } from "./openapi.ts";
export type { RetryOptions } from "./retry.ts";

export type Client = FetchClient<paths>;

export interface ClientOptions extends RetryOptions {
  /** The service's address, such as `https://events.example.com`. */
  url: string;
  /** An API key, or the admin token for paths below `/admin`. */
  key: string;
  /** Sent with each request. */
  headers?: Record<string, string>;
  /** Cancels all requests and pauses. A call may have a signal of its own. */
  signal?: AbortSignal;
}

/**
 * Creates a client. It repeats a request that returns 429, 500 or 503, after the pause that `Retry-After` asks for. A repeated
 * capture or message is stored once: the client adds an `Idempotency-Key` or a `messageId` where you give none.
 */
export function createClient({ url, key, headers, signal, ...retries }: ClientOptions): Client {
  const client = createFetchClient<paths>({
    baseUrl: url,
    headers: { Authorization: `Bearer ${key}`, ...headers },
    ...(signal && { signal }),
    fetch: retrying(retries),
  });
  client.use({
    onRequest: async ({ schemaPath, request }) => {
      if (request.method !== "POST") return undefined;
      if (schemaPath.endsWith("/events") && !request.headers.has("Idempotency-Key"))
        request.headers.set("Idempotency-Key", crypto.randomUUID());
      if (!MESSAGE_PATHS.test(schemaPath)) return undefined;
      return new Request(request, { method: "POST", body: JSON.stringify(withMessageIds(await request.json())) });
    },
  });
  return client;
}

/** The paths that take messages in Segment's format. */
const MESSAGE_PATHS = /^\/v1\/|\/cdp$/;

function withMessageIds(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withMessageIds);
  if (!isObject(body)) return body;
  if ("batch" in body) return { ...body, batch: withMessageIds(body["batch"]) };
  if (isObject(body["json"])) return { ...body, json: withMessageIds(body["json"]) };
  return { ...body, messageId: body["messageId"] ?? crypto.randomUUID() };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** The error of a response whose status is not 2xx. Its message is the service's, followed by the invalid fields. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly response: Response;
  /** The service's code, such as `invalid_request`; null when something else answered, such as a proxy. */
  readonly code: string | null;
  readonly requestId: string | null;
  /** The invalid fields of the request. */
  readonly issues: readonly { path: string; message: string }[];

  /** @param body the parsed body, or its text */
  constructor(response: Response, body: unknown) {
    const { code, message, requestId, issues } = isObject(body) && isObject(body["error"]) ? body["error"] : {};
    const fields: ApiError["issues"] = Array.isArray(issues) ? issues : [];
    const text = typeof message === "string" ? message : typeof body === "string" ? body : "";
    const invalid = fields.map((issue) => `${issue.path} ${issue.message}.`);
    super([text || `${response.status} ${response.statusText}`, ...invalid].join(" "));
    this.response = response;
    this.code = typeof code === "string" ? code : null;
    this.requestId = typeof requestId === "string" ? requestId : null;
    this.issues = fields;
  }
}

/**
 * Returns the body of a successful response.
 * @throws ApiError for any status that is not 2xx; the error of `fetch` when nothing answers
 */
export async function dataOf<Data>(
  call: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<Exclude<Data, undefined>> {
  const { data, error, response } = await call;
  if (!response.ok) throw new ApiError(response, error);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- openapi-fetch has data for each response that is ok
  return data as Exclude<Data, undefined>;
}
