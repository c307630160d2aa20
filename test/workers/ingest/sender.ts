/** Sends messages as a sender would, and reads what is stored. */
import { expect } from "vitest";
import type * as z from "zod";

import type { captured } from "../../../src/http/routes/capture.ts";
import type { event } from "../../../src/edge/responses/event.ts";
import type { rejected } from "../../../src/http/routes/events.ts";
import type { ingested } from "../../../src/http/routes/cdp.ts";
import type { userDetails } from "../../../src/http/routes/users.ts";
import type { Snapshot } from "../db/naive-ingest.ts";
import { storedState } from "../db/stored-state.ts";
import type { Answer } from "../support/send.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";

type Fields = Record<string, unknown>;

type CdpAnswer = z.infer<typeof ingested>;
type NativeAnswer = z.infer<typeof captured>;
type EventRow = z.infer<typeof event>;
type UserRow = z.infer<typeof userDetails>;
type Rejected = z.infer<typeof rejected>;

/** Returns the time so many minutes after a fixed start, long ago, so that nothing corrects it. */
export const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();

export class IngestSender {
  readonly workspace: TestWorkspace;

  constructor(workspace: TestWorkspace) {
    this.workspace = workspace;
  }

  /** Sends messages in one request. Several messages are a batch. */
  async send(...messages: Fields[]): Promise<CdpAnswer> {
    const [only] = messages;
    return this.post(messages.length === 1 ? only : { batch: messages });
  }

  /** Posts a body to the compatibility path. It must be accepted. */
  async post(body: unknown, path = "/api/v1/cdp"): Promise<CdpAnswer> {
    return JSON.parse(taken(await this.workspace.post(path, body)));
  }

  async capture(fields: Fields, idempotencyKey?: string): Promise<NativeAnswer> {
    const headers = idempotencyKey === undefined ? {} : { headers: { "Idempotency-Key": idempotencyKey } };
    const body = { accountId: "acme", userId: "u1", event: "report.exported", ...fields };
    return JSON.parse(taken(await this.workspace.post("/api/v1/events", body, headers)));
  }

  /** Returns the newest behavior events in the order of their arrival. */
  async events(limit = 200): Promise<EventRow[]> {
    const answer = taken(await this.workspace.get(`/api/v1/events?limit=${limit}`));
    const { events }: { events: EventRow[] } = JSON.parse(answer);
    return events.toReversed();
  }

  /** Returns the account of each behavior event, as `company:acme`, by message id. */
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

  /** Returns the account of a user, as `company:acme`. */
  async accountOf(externalId = "u1"): Promise<string | null> {
    const { account } = await this.user(externalId);
    return account && `${account.kind}:${account.externalId}`;
  }

  async rejected(): Promise<Rejected> {
    return JSON.parse(taken(await this.workspace.get("/api/v1/rejected?limit=200")));
  }

  /** Returns everything in the database, with accounts named `company:acme`. */
  async state(): Promise<Snapshot> {
    return storedState(await this.workspace.ref());
  }

  /** Returns the attributes of an account named `company:acme`, without their times. */
  async attributes(account = "company:acme"): Promise<Fields> {
    const { accounts } = await this.state();
    return Object.fromEntries(Object.entries(accounts[account] ?? {}).map(([name, [value]]) => [name, value]));
  }

  /** Returns the traits of a subject named `user:u1` or `company:acme`, without removed ones. */
  async traits(subject: string): Promise<Fields> {
    const { traits } = await this.state();
    const own = Object.entries(traits).filter(([key, [value]]) => key.startsWith(`${subject} `) && value !== null);
    return Object.fromEntries(own.map(([key, [value]]) => [key.slice(subject.length + 1), value]));
  }
}

/** Creates a sender with its own workspace and a write limit that no test reaches. */
export async function newSender(): Promise<IngestSender> {
  return new IngestSender(await newWorkspace({ writeLimit: 100_000 }));
}

/** Returns the text of a response, which must be 200. */
function taken({ status, text }: Answer): string {
  expect(status, text).toBe(200);
  return text;
}

// Messages by type. Tests set the fields that matter for their rule.

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
