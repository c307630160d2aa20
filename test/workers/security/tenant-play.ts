/** Plays what tenants do, one step after the other, and keeps every answer. */
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";

import { databasesIn } from "../guard/workspace-databases.ts";
import { emptyTables } from "../support/database.ts";
import { send } from "../support/send.ts";
import { admin, ADMIN_HEADERS } from "../support/workspace.ts";
import { CANARIES, type Leaked, newTenant, nobody, START, type Tenant, withOutcomes } from "./tenant.ts";
import { type Call, OPERATIONS, type Pick } from "./tenant-operations.ts";
import { type Rows, rowsOfWorkspace } from "./workspace-rows.ts";

export interface Step {
  /** By which tenant; `recompute` is nobody's, and judges all. */
  by: 0 | 1 | "recompute";
  /** One of `OPERATIONS`. */
  route: string;
  /** What `Pick` goes by, and how much time passes before. */
  draws: readonly number[];
}

export interface Told {
  route: string;
  /** Whether what was sent has a word of the other tenant's in it. */
  asksForTheirs: boolean;
  status: number;
  headers: (string | null)[];
  text: string;
}

const WAITS_MS = [0, 4_000, 3 * 3_600_000];
/** What tells of a tenant's state or of whom an answer is for; the rest is the platform's. */
const HEADERS = ["Content-Type", "WWW-Authenticate", "RateLimit", "RateLimit-Policy", "Retry-After", "Allow", "Link"];

/**
 * Plays all steps from a state of the database that is always the same, and erases the tenants in the end.
 * @param alone the first tenant has the service for itself, and comes by ids that nobody ever had
 * @returns what each was told
 */
export async function play(steps: readonly Step[], alone: boolean): Promise<[Told[], Told[]]> {
  vi.setSystemTime(START);
  for (const [, database] of databasesIn(env)) {
    await emptyTables(["recompute_runs", "leases"], database);
  }
  const made = [await newTenant(CANARIES[0]), ...(alone ? [] : [await newTenant(CANARIES[1])])];
  await admin("POST", "/recompute");
  const tenants: Tenant[] = [];
  for (const tenant of made) tenants.push(await withOutcomes(tenant));
  try {
    return await playAmong(tenants, steps);
  } finally {
    for (const { workspace } of tenants) await admin("DELETE", `/workspaces/${workspace.id}`);
  }
}

const rowsOf = async (tenant: Tenant | undefined): Promise<Rows> =>
  tenant === undefined ? {} : rowsOfWorkspace(tenant.ref);

async function playAmong(tenants: readonly Tenant[], steps: readonly Step[]): Promise<[Told[], Told[]]> {
  const told: [Told[], Told[]] = [[], []];
  /** What each holds, as long as it has done nothing since. */
  const held: [Rows | null, Rows | null] = [null, null];
  let now = START;
  for (const [place, step] of steps.entries()) {
    now += WAITS_MS[(step.draws[0] ?? 0) % WAITS_MS.length] ?? 0;
    vi.setSystemTime(now);
    const { by } = step;
    if (by === "recompute") {
      await admin("POST", "/recompute");
      held.fill(null);
      continue;
    }
    const [own, other] = [tenants[by], tenants[1 - by]];
    if (own === undefined) continue;
    const before = held[by === 0 ? 1 : 0] ?? (await rowsOf(other));
    told[by].push(await takeStep(own, other ?? nobody(own.ref), step, `step-${place}`));
    const after = await rowsOf(other);
    expect(after, `what the other holds after ${step.route}`).toEqual(before);
    held[by] = null;
    held[by === 0 ? 1 : 0] = after;
  }
  return told;
}

interface StepRequest {
  method: string;
  path: string;
  body: unknown;
  init: { headers: Record<string, string> };
}

/** What a step sends. */
export function requestOf(own: Tenant, theirs: Leaked, { route, draws }: Step): StepRequest {
  const operation = OPERATIONS[route];
  if (operation === undefined) throw new Error(`${route} is no operation`);
  const call = operation(own, theirs, picker(draws));
  const { method, path } = target(route, call);
  const headers = {
    ...(path.startsWith("/admin/") ? ADMIN_HEADERS : { Authorization: `Bearer ${own.workspace.key}` }),
    ...(call.body === undefined ? {} : { "Content-Type": "application/json" }),
    ...call.headers,
  };
  return { method, path, body: call.body, init: { headers } };
}

async function takeStep(own: Tenant, theirs: Leaked, step: Step, requestId: string): Promise<Told> {
  const { method, path, body, init } = requestOf(own, theirs, step);
  const headers = { ...init.headers, "X-Request-Id": requestId };
  const answer = await send(method, path, body, { headers });
  const sent = `${path} ${JSON.stringify(body)}`;
  const other = CANARIES.find((canary) => canary !== own.canary);
  return {
    route: step.route,
    asksForTheirs: other !== undefined && sent.includes(other),
    status: answer.status,
    headers: HEADERS.map((name) => answer.headers.get(name)),
    text: answer.text,
  };
}

/** One of several by the draws, in turn; the first of them told how long to wait. */
function picker(draws: readonly number[]): Pick {
  let place = 0;
  return (...of) => {
    place += 1;
    const chosen = of[(draws[place % draws.length] ?? 0) % of.length];
    if (chosen === undefined) throw new Error("there is nothing to pick from");
    return chosen;
  };
}

function target(route: string, { parameters = [], query = {} }: Call): { method: string; path: string } {
  const [method = "", pattern = ""] = route.split(" ");
  const rest = [...parameters];
  const path = pattern.replaceAll(/:\w+/g, () => encodeURIComponent(rest.shift() ?? ""));
  const search = new URLSearchParams(query).toString();
  return { method, path: search === "" ? path : `${path}?${search}` };
}

/**
 * The same without what is drawn at random: ids by the order in which they were told, so that two that are the same
 * stay the same; secrets, and cursors, which hold numbers that count for all workspaces.
 */
export function withoutRandomness(told: readonly Told[]): Told[] {
  const known = new Map<string, string>();
  const nameOf = (id: string) => {
    const name = known.get(id) ?? `<id ${known.size}>`;
    known.set(id, name);
    return name;
  };
  return told.map((one) => ({
    ...one,
    text: one.text
      .replaceAll(/[0-9a-f]{32}|[0-9a-f]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, nameOf)
      // Restated queries quote an id that contains a word of theirs, such as "a".
      .replaceAll(/\\"(\w+_<id \d+>)\\"/g, "$1")
      .replaceAll(/(\\?"(?:nextCursor|key|lastFour|secret)\\?":\\?")[^"\\]*/g, "$1<random>")
      // These may lag, and a limiter that was evicted has lost the latest (§9).
      .replaceAll(/"(admitted|refused)":\d+/g, '"$1":"<count>"')
      // D1 also counts the row after a range, where the scan ends. It may be another tenant's.
      .replaceAll(/"rowsRead":\d+/g, '"rowsRead":"<count>"'),
  }));
}
