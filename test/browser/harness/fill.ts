/**
 * Fills a workspace with data for each page: ninety days of accounts that grow, decline or go silent, some with hostile
 * names. The data and its scores are the same each time.
 */
import type { Workspace } from "../../harness/admin-client.ts";
import type { ServedWorker } from "../../harness/serve-worker.ts";

/** Names that would do something on a page that doesn't escape them. */
export const PICTURE = "<img src=x onerror=alert(1)>";
export const SCRIPT = '"><script>alert(1)</script>';

const DAY_MS = 86_400_000;
const DAYS = 90;
const BATCH = 1_000;
const NAME = "Northwind";
/** Gives the list of accounts a second page. */
const SMALL_ACCOUNTS = 55;
const SILENT_ACCOUNTS = 60;
const REMAINING_ACCOUNTS = 15;
const FEATURES = ["Report Exported", "Board Shared", "Comment Added", "Member Invited", "Filter Saved"];

interface Fate {
  id: string;
  seats: number;
  mrr: number;
  /** The number of active users this many days ago. */
  usersAt: (ago: number) => number;
  traits?: object;
}

const FATES: Fate[] = [
  { id: "acme", seats: 12, mrr: 1_200, usersAt: () => 10 },
  { id: "globex", seats: 10, mrr: 4_000, usersAt: (ago) => (ago > 14 ? 8 : 0) },
  { id: "initech", seats: 14, mrr: 900, usersAt: (ago) => Math.min(12, 3 + Math.floor(ago / 6)) },
  { id: "hooli", seats: 20, mrr: 2_500, usersAt: (ago) => (ago > 28 ? 6 : 16) },
  { id: "umbrella", seats: 8, mrr: 300, usersAt: (ago) => (ago % 5 === 0 ? 2 : 1) },
  { id: PICTURE, seats: 6, mrr: 150, usersAt: (ago) => (ago > 17 ? 5 : 0) },
  { id: SCRIPT, seats: 5, mrr: 90, usersAt: (ago) => (ago > 20 ? 4 : 0) },
];

/** @returns a workspace of each kind, once all accounts are scored */
export async function fill(worker: ServedWorker): Promise<{ full: Workspace; busy: Workspace }> {
  const full = await filled(worker, NAME, [...FATES.flatMap(historyOf), ...trial(), ...smallAccounts(), ...rejected()]);
  const busy = await filled(worker, "Southwind", silentAccounts());
  for (;;) {
    const run = await expectOk(await worker.admin("POST", "/admin/recompute"));
    if (Reflect.get(Object(run), "complete") === true) return { full, busy };
  }
}

async function filled(worker: ServedWorker, name: string, messages: readonly object[]): Promise<Workspace> {
  const workspace = await worker.createWorkspace({ name, writeLimit: 100_000 });
  for (let at = 0; at < messages.length; at += BATCH) {
    await post(worker, workspace.key, "/api/v1/cdp", { batch: messages.slice(at, at + BATCH) });
  }
  await expectOk(await worker.admin("PATCH", `/admin/workspaces/${workspace.id}`, { writeLimit: 100 }));
  return workspace;
}

/** More accounts to contact than a page of the inbox has. They fell silent one by one, beside some that are still there. */
const silentAccounts = (): object[] =>
  Array.from({ length: SILENT_ACCOUNTS + REMAINING_ACCOUNTS }, (_, number) => {
    const silentSince = number < SILENT_ACCOUNTS ? 24 + (number % 30) : 0;
    return historyOf({
      id: `silent-${number}`,
      seats: 5,
      mrr: 100 + number,
      usersAt: (ago) => (ago > silentSince ? 1 : 0),
    });
  }).flat();

/** A time in the morning, this many days ago. */
const timeOf = (ago: number, minute = 0): string => {
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  return new Date(midnight - ago * DAY_MS + 9 * 3_600_000 + minute * 60_000).toISOString();
};
const isWeekend = (ago: number): boolean => new Date(timeOf(ago)).getUTCDay() % 6 === 0;

function historyOf({ id, seats, mrr, usersAt }: Fate): object[] {
  const groupId = id;
  const traits = { plan: seats > 9 ? "business" : "team", seats, mrr, currency: "EUR", stage: "active" };
  const days = Array.from({ length: DAYS }, (_, day) => DAYS - day).filter((ago) => !isWeekend(ago));
  return [
    { type: "group", groupId, timestamp: timeOf(DAYS), traits },
    ...days.flatMap((ago) =>
      Array.from({ length: usersAt(ago) }, (_, user) => ({
        type: "track",
        userId: `${id}-${user + 1}`,
        event: FEATURES[(user + ago) % FEATURES.length],
        timestamp: timeOf(ago, user),
        properties: { accountId: id },
      })),
    ),
  ];
}

/** A trial that ends in three days, with little activity. */
function trial(): object[] {
  const traits = { stage: "trial", trialEndsAt: new Date(Date.now() + 3 * DAY_MS).toISOString(), seats: 5 };
  return [
    { type: "group", groupId: "soylent", userId: "soylent-1", timestamp: timeOf(11), traits },
    ...[11, 10, 9].map((ago) => ({
      type: "track",
      userId: "soylent-1",
      event: "Report Exported",
      timestamp: timeOf(ago),
    })),
  ];
}

const smallAccounts = (): object[] =>
  Array.from({ length: SMALL_ACCOUNTS }, (_, number) => ({
    type: "track",
    userId: `small-${number + 1}`,
    event: "Board Shared",
    timestamp: timeOf(3, number),
    properties: { accountId: `small-${number + 1}` },
  }));

const rejected = (): object[] => [
  { type: "track", userId: "acme-1", event: "!!!" },
  { type: "group", userId: "acme-1", traits: { note: SCRIPT } },
  { type: "track", userId: "u1", event: PICTURE, timestamp: "not a time", properties: { note: PICTURE } },
];

async function post(worker: ServedWorker, key: string, path: string, body: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return expectOk(await fetch(worker.url + path, { method: "POST", headers, body: JSON.stringify(body) }));
}

async function expectOk(answer: Response): Promise<unknown> {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}
