/**
 * What became of a request is known at the edge, and only after the workspace's object was asked. So it rides along with
 * the workspace's next question to the object, and costs no call of its own. While somebody watches, the object says so,
 * and it is told within the second.
 *
 * An isolate that ends before the next question takes with it what it has not reported, and a call that fails may: the
 * counters may miss messages, and never count one twice.
 */
import { waitUntil } from "cloudflare:workers";

import type { Outcomes } from "../core/traffic/traffic.ts";
import { askObject } from "./call-limiter.ts";
import type { OutcomeReport, WorkspaceTraffic } from "./limiter-rpc.ts";

/** Each question to the object takes the report, so what is in one came of requests that were under way together. */
const unreported = new Map<string, OutcomeReport>();
/** Workspaces that somebody watched when the object was last asked, and until when to count on a report that is due. */
const watched = new Map<string, number>();
const NONE_IS_DUE = -Infinity;
const MAX_WORKSPACES = 1_000;
const REPORT_AFTER_MS = 500;
/** One that is still not made by then was lost with the request that was to make it. */
const LOST_AFTER_MS = 2 * REPORT_AFTER_MS;

/**
 * What the workspace's traffic is, with what this isolate knows of it. The workspace counts as watched from then on for
 * some seconds.
 * @throws LimiterUnavailable
 */
export const askForTraffic = (env: Env, workspaceId: string): Promise<WorkspaceTraffic> =>
  askObject(env, workspaceId, async (object): Promise<WorkspaceTraffic> =>
    object.traffic(takeUnreported(workspaceId).report),
  );

/** Keeps what became of the messages of one request, to be reported. */
export function noteOutcomes(env: Env, workspaceId: string, { stored, duplicates, rejected }: Outcomes): void {
  if (stored + duplicates + rejected === 0) return;
  const known = unreported.get(workspaceId);
  if (known === undefined) makeRoom(unreported);
  unreported.set(workspaceId, {
    stored: (known?.stored ?? 0) + stored,
    duplicates: (known?.duplicates ?? 0) + duplicates,
    rejected: (known?.rejected ?? 0) + rejected,
    at: Date.now(),
  });

  const countOnIt = watched.get(workspaceId);
  if (countOnIt === undefined || performance.now() < countOnIt) return;
  watched.set(workspaceId, performance.now() + LOST_AFTER_MS);
  waitUntil(reportLater(env, workspaceId));
}

/** What is not reported yet, to be sent with a question: it is not kept any longer, whatever becomes of that. */
export function takeUnreported(workspaceId: string): { report?: OutcomeReport } {
  const report = unreported.get(workspaceId);
  if (report === undefined) return {};
  unreported.delete(workspaceId);
  return { report };
}

/** What the object said when it was asked. */
export function noteWatched(workspaceId: string, isWatched: boolean): void {
  if (!isWatched) {
    watched.delete(workspaceId);
  } else if (!watched.has(workspaceId)) {
    makeRoom(watched);
    watched.set(workspaceId, NONE_IS_DUE);
  }
}

/** Asked once: where only the answer was lost, a second time would count twice. */
async function reportLater(env: Env, workspaceId: string): Promise<void> {
  await scheduler.wait(REPORT_AFTER_MS);
  if (watched.has(workspaceId)) watched.set(workspaceId, NONE_IS_DUE);
  const { report } = takeUnreported(workspaceId);
  if (report === undefined) return;
  await env.WRITE_LIMITER.getByName(workspaceId)
    .countOutcomes(report)
    .catch(() => undefined);
}

/** The longest known goes first. */
function makeRoom(known: Map<string, unknown>): void {
  if (known.size < MAX_WORKSPACES) return;
  const [oldest] = known.keys();
  if (oldest !== undefined) known.delete(oldest);
}
