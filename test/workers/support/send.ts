/** Sends requests to the Worker from outside, and reads the responses. */
import { exports } from "cloudflare:workers";

export const ORIGIN = "https://ingest.test";

interface EntityRef {
  id: string;
  externalId: string;
}

/** The fields of any response. */
export interface AnswerBody {
  ok?: boolean;
  error?: { code: string; message: string; requestId: string; issues?: { path: string; message: string }[] };
  account?: EntityRef | null;
  user?: EntityRef | null;
  stored?: number;
  duplicates?: number;
  deduped?: boolean;
  rejected?: Record<string, unknown>[];
  events?: Record<string, unknown>[];
  nextCursor?: string | null;
  workspace?: Record<string, unknown> & { id: string };
  workspaces?: (Record<string, unknown> & { id: string })[];
  key?: { id: string; key: string; scopes: string[]; signingSecret?: string };
  [field: string]: unknown;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** The raw text; `body` is its JSON, or empty for another type. */
  text: string;
  body: AnswerBody;
}

/** What `toMatchObject` expects of an error response. @param path the only field in its issues */
export const refusal = (status: number, code: string, path?: string) => ({
  status,
  body: { ok: false, error: { code, ...(path !== undefined && { issues: [{ path }] }) } },
});

export interface SendInit {
  headers?: Record<string, string>;
}

/**
 * @param body text, bytes and streams are sent unchanged, anything else as JSON; only text gets a Content-Type
 */
export async function send(method: string, path: string, body?: unknown, init: SendInit = {}): Promise<Answer> {
  return readAnswer(await exports.default.fetch(newRequest(method, path, body, init)));
}

export function newRequest(method: string, path: string, body?: unknown, { headers = {} }: SendInit = {}): Request {
  return new Request(ORIGIN + path, { method, headers, ...(body === undefined ? {} : { body: asBody(body) }) });
}

export async function readAnswer(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const text = await response.text();
  const isJson = text !== "" && headers.get("Content-Type")?.startsWith("application/json") !== false;
  const body: AnswerBody = isJson ? JSON.parse(text) : {};
  return { status, headers, text, body };
}

function asBody(body: unknown): string | Uint8Array | ReadableStream {
  if (typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream) return body;
  return JSON.stringify(body);
}
