/** What a test of the ingest rules does: send messages as a sender would, and look at what is stored. */
import { expect } from "vitest";

import type { Snapshot } from "../db/naive-ingest.ts";
import { storedState } from "../db/stored-state.ts";
import type { Answer } from "../support/send.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";

type Fields = Record<string, unknown>;

export interface Entity {
  id: string;
  externalId: string;
}

export interface CdpAnswer {
  ok: true;
  deduped: boolean;
  source: "cdp";
  account: Entity | null;
  user: Entity | null;
  stored: number;
  duplicates: number;
  rejected: { index: number; messageId?: string; code: string; message: string; path?: string }[];
  redacted: { index: number; messageId: string | null; paths: string[] }[];
}

export interface NativeAnswer {
  ok: true;
  deduped: boolean;
  account: Entity;
  user: Entity;
}

export interface EventRow {
  messageId: string;
  name: string;
  account: (Entity & { kind: "company" | "solo" }) | null;
  user: Entity | null;
  properties: Fields;
  occurredAt: string;
  receivedAt: string;
  source: string;
}

export interface UserRow extends Entity {
  account: (Entity & { kind: "company" | "solo"; via: string }) | null;
  memberships: { account: Entity; groupedAt: string }[];
  traits: Fields;
}

export interface RejectedRow extends Fields {
  code: string;
  message: string;
}

/** A moment of the story that a test tells, so many minutes after its start; long past, so that nothing corrects it. */
export const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();

export class IngestSender {
  readonly workspace: TestWorkspace;

  constructor(workspace: TestWorkspace) {
    this.workspace = workspace;
  }

  /** Sends messages in one request; several are a batch. */
  async send(...messages: Fields[]): Promise<CdpAnswer> {
    const [only] = messages;
    return this.post(messages.length === 1 ? only : { batch: messages });
  }

  /** Posts a body to the compatibility path, where it has to be taken. */
  async post(body: unknown, path = "/api/v1/cdp"): Promise<CdpAnswer> {
    return JSON.parse(taken(await this.workspace.post(path, body)));
  }

  async capture(fields: Fields, idempotencyKey?: string): Promise<NativeAnswer> {
    const headers = idempotencyKey === undefined ? {} : { headers: { "Idempotency-Key": idempotencyKey } };
    const body = { accountId: "acme", userId: "u1", event: "report.exported", ...fields };
    return JSON.parse(taken(await this.workspace.post("/api/v1/events", body, headers)));
  }

  /** The newest behaviour events in the order of their arrival. */
  async events(limit = 200): Promise<EventRow[]> {
    const answer = taken(await this.workspace.get(`/api/v1/events?limit=${limit}`));
    const { events }: { events: EventRow[] } = JSON.parse(answer);
    return events.toReversed();
  }

  /** Of each behaviour event, by message id: the account it is stored under, as `company:acme`. */
  async accountsOfEvents(): Promise<Record<string, string | null>> {
    const entries = (await this.events()).map(
      ({ messageId, account }) => [messageId, account && `${account.kind}:${account.externalId}`] as const,
    );
    return Object.fromEntries(entries);
  }

  async user(externalId = "u1"): Promise<UserRow> {
    const path = `/api/v1/users/${encodeURIComponent(externalId)}`;
    const { user }: { user: UserRow } = JSON.parse(taken(await this.workspace.get(path)));
    return user;
  }

  /** The account of a user, as `company:acme`. */
  async accountOf(externalId = "u1"): Promise<string | null> {
    const { account } = await this.user(externalId);
    return account && `${account.kind}:${account.externalId}`;
  }

  async rejected(): Promise<{ rejected: RejectedRow[]; counts: { day: string; code: string; count: number }[] }> {
    return JSON.parse(taken(await this.workspace.get("/api/v1/rejected?limit=200")));
  }

  /** All that the database has, with accounts named as `company:acme`. */
  async state(): Promise<Snapshot> {
    return storedState(await this.workspace.ref());
  }

  /** The attributes of an account, named as `company:acme`, without when and by what they were decided. */
  async attributes(account = "company:acme"): Promise<Fields> {
    const { accounts } = await this.state();
    return Object.fromEntries(Object.entries(accounts[account] ?? {}).map(([name, [value]]) => [name, value]));
  }

  /** The traits of a subject, named as `user:u1` or `company:acme`; removed ones are left out. */
  async traits(subject: string): Promise<Fields> {
    const { traits } = await this.state();
    const own = Object.entries(traits).filter(([key, [value]]) => key.startsWith(`${subject} `) && value !== null);
    return Object.fromEntries(own.map(([key, [value]]) => [key.slice(subject.length + 1), value]));
  }
}

/** A sender with a workspace of its own, and a write limit that no test reaches. */
export async function newSender(): Promise<IngestSender> {
  return new IngestSender(await newWorkspace({ writeLimit: 100_000 }));
}

/** The text of an answer, which has to be 200. */
function taken({ status, text }: Answer): string {
  expect(status, text).toBe(200);
  return text;
}

// Messages, by type. Tests give the fields that their rule is about.

export const track = (fields: Fields = {}): Fields => ({
  type: "track",
  userId: "u1",
  event: "report.exported",
  timestamp: at(0),
  ...fields,
});

export const identify = (fields: Fields = {}): Fields => ({
  type: "identify",
  userId: "u1",
  timestamp: at(0),
  ...fields,
});

export const group = (groupId: string, fields: Fields = {}): Fields => ({
  type: "group",
  userId: "u1",
  groupId,
  timestamp: at(0),
  ...fields,
});
