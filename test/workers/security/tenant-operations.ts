/**
 * Every operation that belongs to a workspace, as a tenant may call it: on what is its own, on what another tenant
 * calls the same, and on what it came by of another's.
 */
import { ownRange } from "../../../src/db/client/database.ts";
import { encodeCursor } from "../../../src/edge/cursor.ts";
import { CANARIES, type Leaked, type Tenant } from "./tenant.ts";

export interface Call {
  /** What the route's parameters are, in their order. */
  parameters?: string[];
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Draws one of several, as the test's generator decided. */
export type Pick = <One>(...of: readonly One[]) => One;

export type Operation = (own: Tenant, theirs: Leaked, pick: Pick) => Call;

const IDS = ["acme", "globex", "u1", "u2", "u3"] as const;

/** An id to read by, or to erase. Never a name that one tenant alone has: it would carry the canary. */
const anyId = (own: Tenant, theirs: Leaked, pick: Pick): string =>
  pick<string>(...IDS, own.account, own.user, theirs.account, theirs.user, "nobody", theirs.item);
/** An id in a message: another's internal id is a name like any other there. */
const accountName = (theirs: Leaked, pick: Pick): string => pick("acme", "globex", "u1", theirs.account);
const userName = (theirs: Leaked, pick: Pick): string => pick("u1", "u2", "u3", "u4", theirs.user);
const messageId = (pick: Pick): string => pick("g1", "a20", "m1", "m2", "m3", "m4");
const EVENTS = ["report.exported", "search.used", "invoice.paid"] as const;

const message = (own: Tenant, theirs: Leaked, pick: Pick, type?: string): Record<string, unknown> => {
  const { canary } = own;
  const texts = { note: `${canary} ${pick("a", "b")}`, [`${canary}_key`]: canary };
  const fields = { messageId: messageId(pick), userId: userName(theirs, pick) };
  switch (type ?? pick("track", "track", "identify", "group", "broken")) {
    case "track":
      return { ...fields, type: "track", event: pick(...EVENTS), properties: texts };
    case "identify":
      return { ...fields, type: "identify", traits: { ...texts, role: `${canary} ${pick("x", "y")}` } };
    case "group":
      return {
        ...fields,
        type: "group",
        groupId: accountName(theirs, pick),
        traits: { plan: `${canary} plus`, ...texts },
      };
    case "broken":
      return { ...fields, type: "track", event: null, properties: texts, context: texts };
    default:
      return { ...fields, type, properties: texts };
  }
};

const several = (own: Tenant, theirs: Leaked, pick: Pick): Call => {
  const count = pick(1, 3, 250);
  const messages = Array.from({ length: Math.min(count, 3) }, () => message(own, theirs, pick));
  // More than the write limit: it is charged ahead, and what follows is refused for a while.
  const flood = Array.from({ length: count - messages.length }, () => ({ type: "page" }));
  return { body: { batch: [...messages, ...flood] } };
};

const capture: Operation = (own, theirs, pick) => ({
  body: {
    accountId: accountName(theirs, pick),
    userId: userName(theirs, pick),
    event: pick(...EVENTS, "Broken"),
    accountPlan: `${own.canary} pro`,
    properties: { note: own.canary },
  },
  headers: pick<Record<string, string>>({}, { "Idempotency-Key": pick("k1", "k2") }),
});

/** By the names that both tenants have, by those of one alone, as they are and misspelt, and by internal ids. */
const question: Operation = (own, theirs, pick) => {
  const ofBoth = pick("acme", "globex", "u1", "u3", "report.exported", own.account);
  const word = pick(...CANARIES);
  const ofOne = pick(
    `${word} acme`,
    `${word} u1`,
    `u2@${word}.example`,
    `${word}-only`,
    `${word}.used`,
    `${word} plan`,
    `${word.replace("ar", "ra")} acme`,
    word,
  );
  const name = pick(ofBoth, ofOne, theirs.account, theirs.user);
  return {
    body: {
      question: pick(
        `How many events did "${name}" have in the last 90 days?`,
        `When was "${name}" last seen?`,
        `How healthy is ${name}?`,
        `What plan is "${name}" on?`,
        `What is the colour of "${name}"?`,
        `What is the role of user "${name}"?`,
        `Who uses "${name}"?`,
        `How many accounts are on the "${name}"?`,
        "What's in the inbox?",
        "Top 5 accounts by activity this quarter",
        "How many accounts are there?",
        "Which features are used most?",
        "Who was active in acme in the last 60 days?",
        "What is our MRR?",
        "Which accounts are silent?",
        "What's in the inbox for this account?",
        "Which account is u1 in?",
      ),
      ...pick<object>(
        {},
        { accountId: pick("acme", own.account, theirs.account) },
        { userId: pick("u1", own.user, theirs.user) },
        { feature: pick(...EVENTS, "canaryalpha.used", "canarybravo.used") },
      ),
    },
  };
};

const identity: Operation = (own, theirs, pick) => ({
  body: {
    accountId: pick("acme", "globex", own.account, theirs.account),
    userId: pick("u1", "u2", own.user, theirs.user),
    traits: pick<object>({ company: `${own.canary} ${pick("One", "Two")}`, name: null }, { name: `${own.canary} Jo` }),
  },
});

/** A page of a list: from its start, from a cursor of its own, of another's, or forged from both. */
const list =
  (name: string, positions: (number: number) => (number | [number, number])[], ...filter: string[]): Operation =>
  (own, theirs, pick) => {
    const forged = () => encodeCursor([name, own.workspace.id, ...filter], pick(...positions(theirs.number)));
    const cursor = pick<() => string | null>(
      () => null,
      () => own.cursors[name] ?? null,
      () => theirs.cursors[name] ?? null,
      forged,
      forged,
    )();
    return { query: { limit: pick("1", "200"), ...(cursor === null ? {} : { cursor }) } };
  };
const inLog = (number: number): number[] => {
  const { first, last } = ownRange({ id: "", number, database: "DB" });
  return [first - 1, first + 10, first + 4_000, last + 1];
};
const EVER = { from: "2000-01-01", to: "2100-01-01" };
/** Cursors for positions in the own log and in the other one, as the own list and as the other. */
const exportCursors = (own: Tenant, theirs: Leaked): string[] =>
  inLog(theirs.number).flatMap((position) =>
    [own.workspace.id, "ws_other"].map((id) => encodeCursor(["export", id, EVER.from, EVER.to], position)),
  );
const anywhere = (): [number, number][] => [
  [-1, 0],
  [1e9, 1e9],
];

const item = (own: Tenant, theirs: Leaked, pick: Pick): string => pick(theirs.item, theirs.account, ...own.items);
const mark: Operation = (...given) => ({ parameters: [item(...given)] });
/** Names both tenants have, or one, and values of traits that only one has. */
const structured: Operation = (own, theirs, pick) => {
  const name = pick("acme", "globex", "u1", own.account, theirs.account, theirs.user, ...CANARIES);
  const where = pick<unknown[]>(
    [],
    [{ dimension: "account", is: name }],
    [{ dimension: "user", is: name }],
    [{ dimension: "plan", is: `${name} plan` }],
    [{ dimension: "account.colour", isNot: name }],
  );
  return { body: { find: "users", where, show: pick("list", "count", "summary") } };
};

/** Calls a tool of agents, as a client of an older revision does: its arguments are those of the API's operation. */
const tool: Operation = (own, theirs, pick) => {
  const page = (of: Operation) => {
    const { cursor } = of(own, theirs, pick).query ?? {};
    return { limit: pick(1, 200), ...(cursor !== undefined && { cursor }) };
  };
  const [name, given] = pick<() => [string, unknown]>(
    () => ["ask", question(own, theirs, pick).body],
    () => ["query", structured(own, theirs, pick).body],
    () => ["list_dimensions", {}],
    () => ["list_accounts", page(list("accounts", anywhere, "score", ""))],
    () => ["get_account", { account: anyId(own, theirs, pick) }],
    () => ["list_inbox", page(list("inbox", anywhere, "open", ""))],
    () => ["list_events", page(list("events", inLog))],
    () => ["dismiss_item", { id: item(own, theirs, pick), reason: "wrong" }],
    () => ["snooze_item", { id: item(own, theirs, pick), until: "2030-06-01T00:00:00Z" }],
  )();
  return {
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } },
    headers: { Accept: "application/json, text/event-stream" },
  };
};

const read: Operation = (...given) => ({ parameters: [anyId(...given)] });

const destination: Operation = (own, theirs, pick) => ({
  parameters: [pick(own.destination, theirs.destination, theirs.destination)],
});

const onWorkspace =
  (body?: (own: Tenant, pick: Pick) => unknown): Operation =>
  (own, _theirs, pick) => ({ parameters: [own.workspace.id], ...(body && { body: body(own, pick) }) });

const ofType =
  (type: string): Operation =>
  (...given) => ({ body: message(...given, type) });

/** What the paths of client libraries name, and the browser library by its first letter. */
const TYPES = ["track", "identify", "group", "page", "screen", "alias"];
const CDP_PATHS: [path: string, operation: Operation][] = [
  ...["/api/v1/cdp", "/api/cdp", "/v1/batch", "/v1/b"].map((path): [string, Operation] => [path, several]),
  ...TYPES.flatMap((type): [string, Operation][] => [
    [`/v1/${type}`, ofType(type)],
    [`/v1/${type.charAt(0)}`, ofType(type)],
  ]),
];

/** By route, as the app has it. */
export const OPERATIONS: Record<string, Operation> = {
  ...Object.fromEntries(
    CDP_PATHS.flatMap(([path, operation]): [string, Operation][] => [
      [`POST ${path}`, operation],
      [`OPTIONS ${path}`, () => ({})],
    ]),
  ),
  "POST /api/v1/events": capture,
  "POST /api/events": capture,
  "OPTIONS /api/v1/events": () => ({}),
  "OPTIONS /api/events": () => ({}),
  "POST /api/v1/identity": identity,
  "POST /api/identity": identity,
  "DELETE /api/v1/users/:externalId": read,
  "POST /api/v1/users/erase": (...given) => ({ body: { userId: anyId(...given) } }),
  "POST /api/v1/ask": question,
  "POST /api/ask": question,
  "POST /api/v1/query": structured,
  "GET /api/v1/dimensions": () => ({}),
  "GET /api/v1/events": list("events", inLog),
  "GET /api/v1/rejected": list("rejected", inLog),
  "GET /api/v1/users/:externalId": read,
  "GET /api/v1/accounts": list("accounts", anywhere, "score", "", ""),
  "GET /api/v1/accounts/:externalId": read,
  "PUT /api/v1/accounts/:externalId/owner": (own, theirs, pick) => ({
    parameters: [anyId(own, theirs, pick)],
    body: { owner: pick(`${own.canary} owner`, null) },
  }),
  "GET /api/v1/inbox": list("inbox", anywhere, "open", "", ""),
  "POST /api/v1/inbox/:id/dismiss": mark,
  "DELETE /api/v1/inbox/:id/dismiss": mark,
  "POST /api/v1/inbox/:id/snooze": (...given) => ({
    parameters: [item(...given)],
    body: { until: "2030-06-01T00:00:00Z" },
  }),
  "DELETE /api/v1/inbox/:id/snooze": mark,
  "POST /api/v1/inbox/:id/contacted": mark,
  "DELETE /api/v1/inbox/:id/contacted": mark,
  "PUT /api/v1/inbox/:id/note": (...given) => ({
    parameters: [item(...given)],
    body: { text: `${given[0].canary} note` },
  }),
  "GET /api/v1/destinations": () => ({}),
  "POST /api/v1/destinations": ({ canary }) => ({
    body: { kind: "webhook", url: `https://${canary}.example.com/`, events: ["inbox.opened"] },
  }),
  "PATCH /api/v1/destinations/:id": (own, theirs, pick) => ({
    ...destination(own, theirs, pick),
    body: pick<object>({ disabled: pick(true, false) }, { filter: { owner: own.canary } }),
  }),
  "GET /api/v1/destinations/:id/attempts": destination,
  "DELETE /api/v1/destinations/:id": destination,
  "GET /admin/workspaces/:id": onWorkspace(),
  "GET /admin/workspaces/:id/backups": onWorkspace(),
  "PATCH /admin/workspaces/:id": onWorkspace(({ canary }, pick) => ({
    name: `${canary} & Co.`,
    writeLimit: pick(1, 50, 500),
  })),
  "DELETE /admin/workspaces/:id": onWorkspace(),
  "POST /admin/workspaces/:id/rebuild": onWorkspace(),
  "POST /admin/workspaces/:id/recompute": onWorkspace(),
  "POST /admin/workspaces/:id/import": onWorkspace((_, pick) => ({ writeLimit: pick(100, 10_000), ttlHours: 1 })),
  "DELETE /admin/workspaces/:id/import": onWorkspace(),
  "POST /admin/workspaces/:id/keys": onWorkspace(({ canary }) => ({ name: `${canary} key`, scopes: ["read"] })),
  "DELETE /admin/workspaces/:id/keys/:keyId": (own, theirs, pick) => ({
    parameters: [own.workspace.id, pick(theirs.key, own.key, own.key)],
  }),
  "PATCH /admin/workspaces/:id/keys/:keyId": (own, theirs, pick) => ({
    parameters: [own.workspace.id, pick(theirs.key, theirs.key, own.key)],
    body: { writeLimit: 40 },
  }),
  "POST /admin/workspaces/:id/keys/:keyId/rotate": (own, theirs, pick) => ({
    parameters: [own.workspace.id, pick(theirs.key, theirs.key, own.key)],
    // The tenant goes on with its key.
    body: { graceHours: 720 },
  }),
  "PUT /admin/workspaces/:id/dpa": onWorkspace(({ canary }) => ({ acceptedBy: `${canary} Bo`, version: canary })),
  "DELETE /admin/workspaces/:id/dpa": onWorkspace(),
  "GET /api/v1/export": (own, theirs, pick) => ({
    query: { ...EVER, ...pick<object>({}, {}, { cursor: pick(...exportCursors(own, theirs)) }) },
  }),
  "GET /api/v1/archive": () => ({ query: EVER }),
  "POST /mcp": tool,
  "POST /v1/import": several,
  "OPTIONS /v1/import": () => ({}),
};

/** Routes that name no workspace, and are nobody's. */
export const OF_NO_TENANT = [
  "GET /healthz",
  "GET /readyz",
  "GET /openapi.json",
  "GET /admin/workspaces",
  "POST /admin/workspaces",
  "POST /admin/recompute",
  // A tenant's, but they send to other hosts: see http/destinations.
  "POST /api/v1/destinations/:id/test",
  "POST /api/v1/destinations/:id/attempts/:attemptId/resend",
  // A tenant's, but the queue runs it at any time: see moves/moves.
  "POST /admin/workspaces/:id/move",
  "DELETE /admin/workspaces/:id/move",
  "POST /admin/workspaces/:id/restore",
  // Every visitor of a page has the key, and no id leads elsewhere: see http/browsers.
  "GET /v1/projects/:key/settings",
  "OPTIONS /v1/projects/:key/settings",
  "GET /sourceConfig",
  "OPTIONS /sourceConfig",
  "POST /beacon/v1/batch",
  "OPTIONS /beacon/v1/batch",
  // What is archived depends on the days of the test: see archive/archive.
  "POST /admin/workspaces/:id/archive",
  "GET /api/v1/archive/:name",
  "GET /admin/databases",
  "PATCH /admin/databases/:name",
  "POST /admin/reconcile",
  // Of the deployment: see http/admin-tokens.
  "POST /admin/people",
  "GET /admin/people",
  "PATCH /admin/people/:id",
  "DELETE /admin/people/:id",
  "POST /admin/tokens",
  "GET /admin/tokens",
  "DELETE /admin/tokens/:id",
  // Only administrators read it: see http/audit.
  "GET /admin/audit",
];
