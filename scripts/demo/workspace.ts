/**
 * The demo's workspace: the newest one called "Demo", which `npm start` makes, or a new one.
 *
 * It remembers by itself when it was first filled: by the first of the keys that each run makes. So the story is told
 * on from there, and what was sent before is known to be the same.
 */
import * as z from "zod";

import { MAX_WRITE_LIMIT } from "../../src/config.ts";
import { DEFAULT_WRITE_LIMIT } from "../../src/core/limit/policy.ts";
import { call } from "./service.ts";

export interface Admin {
  url: string;
  token: string;
}

interface DemoWorkspace {
  id: string;
  /** Whether nobody has to accept the data processing agreement any more. */
  hasAgreed: boolean;
  /** The date of the first run, where there was one. */
  filledFrom: string | null;
}

export interface Key {
  id: string;
  key: string;
}

const NAME = "Demo";
const PAGE = 200;

const KEY_NAME = /^demo (\d{4}-\d{2}-\d{2})$/;

const Answer = z.object({ ok: z.literal(true) });
const NewWorkspace = z.object({ workspace: z.object({ id: z.string() }) });
const NewKey = z.object({ key: z.object({ id: z.string(), key: z.string() }) });
const Workspaces = z.object({
  workspaces: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      dpa: z.unknown(),
      keys: z.array(z.object({ name: z.string().nullable() })),
    }),
  ),
  nextCursor: z.string().nullable(),
});

export async function findOrMakeWorkspace(admin: Admin): Promise<DemoWorkspace> {
  for (let cursor: string | null = ""; cursor !== null;) {
    const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page: z.infer<typeof Workspaces> = await ask(admin, `/admin/workspaces?limit=${PAGE}${query}`, Workspaces);
    const found = page.workspaces.find(({ name }) => name === NAME);
    if (found !== undefined) {
      const dates = found.keys.flatMap(({ name }) => KEY_NAME.exec(name ?? "")?.[1] ?? []).toSorted();
      return { id: found.id, hasAgreed: found.dpa !== null, filledFrom: dates[0] ?? null };
    }
    cursor = page.nextCursor;
  }
  const made = await ask(admin, "/admin/workspaces", NewWorkspace, "POST", { name: NAME });
  return { id: made.workspace.id, hasAgreed: false, filledFrom: null };
}

/** The key that people get, which may read and ask. Its name is what `filledFrom` is read from. */
export const makeReadingKey = (admin: Admin, { id }: DemoWorkspace, date: string): Promise<Key> =>
  makeKey(admin, id, `demo ${date}`, ["read", "ask"]);

/** The key that the demo itself sends with, for as long as it needs it, with the write limit out of its way. */
export async function whileSending<T>(
  admin: Admin,
  { id }: DemoWorkspace,
  work: (key: string) => Promise<T>,
): Promise<T> {
  const { id: keyId, key } = await makeKey(admin, id, "demo sender", ["ingest", "identity", "inbox", "read"]);
  try {
    await limitTo(admin, id, MAX_WRITE_LIMIT);
    return await work(key);
  } finally {
    await limitTo(admin, id, DEFAULT_WRITE_LIMIT);
    await ask(admin, `/admin/workspaces/${id}/keys/${keyId}`, Answer, "DELETE");
  }
}

export async function acceptAgreement(admin: Admin, { id, hasAgreed }: DemoWorkspace): Promise<void> {
  if (hasAgreed) return;
  await ask(admin, `/admin/workspaces/${id}/dpa`, Answer, "PUT", { acceptedBy: "The demo", version: "1" });
}

const Recompute = z.object({ skipped: z.string().optional(), complete: z.boolean().optional() });

/** @returns whether nothing is left to do; false also while another run is under way */
export async function recompute(admin: Admin): Promise<boolean> {
  const { skipped, complete } = await ask(admin, "/admin/recompute", Recompute, "POST");
  return skipped === undefined && complete === true;
}

async function makeKey(admin: Admin, id: string, name: string, scopes: readonly string[]): Promise<Key> {
  const { key } = await ask(admin, `/admin/workspaces/${id}/keys`, NewKey, "POST", { name, scopes });
  return key;
}

const limitTo = (admin: Admin, id: string, writeLimit: number): Promise<unknown> =>
  ask(admin, `/admin/workspaces/${id}`, Answer, "PATCH", { writeLimit });

const ask = <T>(
  { url, token }: Admin,
  path: string,
  schema: z.ZodType<T>,
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" = "GET",
  body?: unknown,
): Promise<T> => call(url, { method, path, key: token, ...(body === undefined ? {} : { body }) }, schema);
