/**
 * A tenant of the tests of crossing: a workspace whose external ids, message ids, event names, trait keys and questions
 * are those of any other, while every text that may differ carries a word of its own, the canary.
 */
import { ownRange, type WorkspaceRef } from "../../../src/db/client/database.ts";
import { encodeCursor } from "../../../src/edge/cursor.ts";
import { DAY_MS } from "../../../src/core/durations.ts";
import { jsonBearer } from "../identity/identified-workspace.ts";
import { type Fields } from "../support/messages.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

/** When the stories begin: the morning of a Tuesday. */
export const START = Date.UTC(2030, 0, 8, 6);

/** No digit, or questions would not look for misspellings of it. */
export const CANARIES = ["canaryalpha", "canarybravo"] as const;
export type Canary = (typeof CANARIES)[number];

/** What of a tenant another may come by, and try with a key of its own. */
export interface Leaked {
  account: string;
  user: string;
  item: string;
  key: string;
  destination: string;
  /** By list, as `events`. */
  cursors: Record<string, string>;
  /** The number of its workspace, from which a forged cursor can be made. */
  number: number;
}

export interface Tenant extends Leaked {
  canary: Canary;
  workspace: TestWorkspace;
  ref: WorkspaceRef;
  items: string[];
}

const day = (before: number): string => new Date(START - before * DAY_MS).toISOString();

/** Forty days of three companies: one falls silent, one is on trial, one hardly begins; somebody alone; and what was rejected. */
function story(canary: Canary): Fields[] {
  const text = { note: canary, deep: { list: [canary] } };
  const days = Array.from({ length: 40 }, (_, place) => 40 - place);
  return [
    {
      type: "group",
      messageId: "g1",
      userId: "u1",
      groupId: "acme",
      timestamp: day(41),
      traits: { plan: `${canary} plan`, stage: `${canary} stage`, seats: 4, mrr: 490, currency: "EUR", colour: canary },
    },
    {
      type: "group",
      messageId: "g2",
      userId: "u2",
      groupId: "globex",
      timestamp: day(41),
      traits: { plan: `${canary} plan`, stage: "trial", trialEndsAt: day(-5), [`${canary}_key`]: canary },
    },
    { type: "identify", messageId: "i1", userId: "u1", timestamp: day(41), traits: { role: canary, colour: canary } },
    ...days
      .filter((before) => before > 14)
      .map((before) => ({
        type: "track",
        messageId: `a${before}`,
        userId: "u1",
        event: "report.exported",
        timestamp: day(before),
        properties: text,
      })),
    ...days
      .filter((before) => before % 7 !== 0)
      .map((before) => ({
        type: "track",
        messageId: `b${before}`,
        userId: "u2",
        event: "search.used",
        timestamp: day(before),
        properties: text,
      })),
    {
      type: "group",
      messageId: "g3",
      userId: "u4",
      groupId: "initech",
      timestamp: day(10),
      traits: { colour: canary },
    },
    { type: "track", messageId: "n1", userId: "u4", event: "search.used", timestamp: day(9), properties: text },
    { type: "track", messageId: "s1", userId: "u3", event: "report.exported", timestamp: day(3), properties: text },
    { type: "track", messageId: "o1", userId: "u1", accountId: `${canary}-only`, event: `${canary}.used` },
    { type: "track", messageId: "r1", userId: "u1", accountId: "acme", properties: text },
    { type: "identify", messageId: "r2", userId: "u2", timestamp: canary, traits: text },
  ];
}

/** Creates a tenant in the database that tenants share, which is not the directory's. */
export async function newTenant(canary: Canary): Promise<Tenant> {
  const workspace = await newWorkspace({ name: `${canary} Inc.`, writeLimit: 200, database: "DB_1" });
  const { id, key, keyId, post } = workspace;
  await admin("PUT", `/workspaces/${id}/dpa`, { acceptedBy: `${canary} Ann`, version: canary });
  const { status, text, body } = await post("/api/v1/cdp", story(canary));
  if (status !== 200 || body.rejected?.length !== 2) throw new Error(`the story was not stored: ${text}`);
  for (const [accountId, userId] of [
    ["acme", "u1"],
    ["globex", "u2"],
  ]) {
    const traits = {
      company: `${canary} ${accountId}`,
      name: `${canary} ${userId}`,
      email: `${userId}@${canary}.example`,
    };
    await post("/api/v1/identity", { accountId, userId, traits }, jsonBearer(key));
  }
  const destination = await workspace.postJson("/api/v1/destinations", {
    kind: "webhook",
    url: `https://hooks.${canary}.com/behavior`,
    events: ["inbox.opened", "inbox.resolved", "health.changed"],
    includeIdentity: true,
  });
  const ref = await workspace.ref();
  const [account, user] = await Promise.all([
    workspace.get("/api/v1/accounts/acme"),
    workspace.get("/api/v1/users/u1"),
  ]);
  return {
    canary,
    workspace,
    ref,
    number: ref.number,
    account: account.body.account?.id ?? "",
    user: user.body.user?.id ?? "",
    key: keyId,
    destination: Object(destination.body["destination"]).id,
    item: "",
    items: [],
    cursors: {},
  };
}

/** What there is once the recompute has judged: items, and cursors of each list. */
export async function withOutcomes(tenant: Tenant): Promise<Tenant> {
  const { get } = tenant.workspace;
  const { body } = await get("/api/v1/inbox");
  const items = [body["items"] ?? []].flat().map((item) => String(Object(item).id));
  const cursors: Record<string, string> = {};
  for (const list of ["events", "rejected", "accounts", "inbox"]) {
    const { body: page, text } = await get(`/api/v1/${list}?limit=1`);
    if (typeof page.nextCursor !== "string") throw new Error(`${list} has but one page: ${text}`);
    cursors[list] = page.nextCursor;
  }
  const [item = ""] = items;
  if (item === "") throw new Error("the story has no inbox item");
  return { ...tenant, item, items, cursors };
}

/** The same of nobody: what has the form of it and was never given out. */
export function nobody(beside: WorkspaceRef): Leaked {
  const random = "123456789abcdef01234567";
  const cursorOf = (list: string, position: number | [number, number], ...filter: string[]) =>
    encodeCursor([list, `ws_0${random}`, ...filter], position);
  const number = beside.number + 1;
  const { first } = ownRange({ id: "", number, database: "DB" });
  return {
    account: `acc_1${random}`,
    user: `usr_2${random}`,
    item: `itm_3${random}`,
    key: `key_4${random}`,
    destination: `dst_5${random}`,
    cursors: {
      events: cursorOf("events", first + 5),
      rejected: cursorOf("rejected", first + 5),
      accounts: cursorOf("accounts", [50, 1], "score", ""),
      inbox: cursorOf("inbox", [3, 1], "open", ""),
    },
    number,
  };
}
