/** Reads what the service has stored, through its API. */
import { z } from "zod";

const Account = z.object({ id: z.string(), externalId: z.string(), kind: z.enum(["company", "solo"]) });
const Time = z.iso.datetime();

const StoredEvent = z.object({
  messageId: z.string(),
  name: z.string(),
  account: Account.nullable(),
  user: z.object({ id: z.string(), externalId: z.string() }).nullable(),
  properties: z.record(z.string(), z.unknown()),
  occurredAt: Time,
  receivedAt: Time,
  source: z.enum(["cdp", "native"]),
});
export type StoredEvent = z.infer<typeof StoredEvent>;

const Page = z.object({ ok: z.literal(true), events: z.array(StoredEvent), nextCursor: z.string().nullable() });
const UserAnswer = z.object({
  user: z.object({
    account: Account.nullable(),
    memberships: z.array(z.object({ account: Account, groupedAt: Time })),
    traits: z.record(z.string(), z.unknown()),
  }),
});
const RejectedAnswer = z.object({ counts: z.array(z.object({ code: z.string(), count: z.number() })) });
const WorkspaceAnswer = z.object({ workspace: z.object({ counters: z.object({ stored: z.number() }) }) });

export class Reader {
  readonly #url: string;
  readonly #key: string;

  constructor({ url }: { url: string }, { key }: { key: string }) {
    this.#url = url;
    this.#key = key;
  }

  /** Returns all events, newest arrival first. */
  async events(pageSize = 200): Promise<StoredEvent[]> {
    const events: StoredEvent[] = [];
    const seen = new Set<string>();
    for (let cursor: string | null = ""; cursor !== null;) {
      if (seen.has(cursor)) throw new Error("A cursor came twice");
      seen.add(cursor);
      const from = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const page: z.infer<typeof Page> = Page.parse(await this.#get(`/api/v1/events?limit=${pageSize}${from}`));
      if (page.events.length > pageSize) throw new Error(`A page of ${pageSize} had ${page.events.length} events`);
      events.push(...page.events);
      cursor = page.nextCursor;
    }
    return events;
  }

  async user(externalId: string): Promise<z.infer<typeof UserAnswer>["user"]> {
    return UserAnswer.parse(await this.#get(`/api/v1/users/${encodeURIComponent(externalId)}`)).user;
  }

  /** Counts the rejected messages by code. */
  async rejected(): Promise<Record<string, number>> {
    const totals: Record<string, number> = {};
    for (const { code, count } of RejectedAnswer.parse(await this.#get("/api/v1/rejected")).counts) {
      totals[code] = (totals[code] ?? 0) + count;
    }
    return totals;
  }

  async #get(path: string): Promise<unknown> {
    const response = await fetch(this.#url + path, { headers: { authorization: `Bearer ${this.#key}` } });
    const answer = await response.text();
    if (!response.ok) throw new Error(`GET ${path} answered ${response.status}: ${answer}`);
    if (!response.headers.get("x-request-id")) throw new Error(`GET ${path} answered without X-Request-Id`);
    return JSON.parse(answer);
  }
}

/** Counts the messages of all types that a workspace has stored. */
export async function storedMessages(
  service: { admin(method: string, path: string): Promise<Response> },
  { id }: { id: string },
): Promise<number> {
  const response = await service.admin("GET", `/admin/workspaces/${id}`);
  return WorkspaceAnswer.parse(await response.json()).workspace.counters.stored;
}
