/** Accounts for everything at the end: each check compares what senders know with what the service has. */
import { isDeepStrictEqual } from "node:util";

import * as z from "zod";

import type { ServedWorker } from "../harness/serve-worker.ts";
import { SOURCES } from "./content.ts";
import { sumOf } from "./ledger.ts";
import { mostAdmitted, overfullWindows } from "./limit-check.ts";
import type { Sender } from "./sender.ts";

export interface Check {
  name: string;
  ok: boolean;
  figures: Record<string, number>;
}

const Rejected = z.object({ counts: z.array(z.object({ code: z.string(), count: z.number() })) });
const Described = z.object({
  workspace: z.object({
    counters: z.object({ stored: z.number(), rejected: z.number(), admitted: z.number(), refused: z.number() }),
  }),
});

export function checkAnswers(senders: readonly Sender[], problems: number): Check[] {
  const stored = sumOf(senders, ({ ledger }) => ledger.answered.stored);
  const acknowledged = sumOf(senders, ({ ledger }) => sumOf(SOURCES, (source) => ledger.acknowledged(source).size));
  return [
    {
      name: "`stored` in the answers adds up to the acknowledged messages",
      ok: stored === acknowledged,
      figures: { stored, acknowledged },
    },
    {
      name: "every answer is the expected one, and no list repeats or invents",
      ok: problems === 0,
      figures: { problems },
    },
  ];
}

export function checkLimits(senders: readonly Sender[]): Check[] {
  const overfull = sumOf(senders, ({ ledger, workspace }) => overfullWindows(ledger.admissions, workspace.limit));
  const above = senders.filter(
    ({ ledger, workspace }) => ledger.admitted > mostAdmitted(ledger.admissions, workspace.limit),
  );
  const checked = sumOf(senders, ({ ledger }) => ledger.admissions.length);
  return [
    { name: "no window of 10 s holds more than the limit", ok: overfull === 0, figures: { checked, overfull } },
    {
      name: "no workspace was admitted more than its limit allows in the whole run",
      ok: above.length === 0,
      figures: { above: above.length },
    },
  ];
}

/** Compares the service's own counters. They may lag: ask when it has been quiet for a while. */
export async function checkCounters(worker: ServedWorker, senders: readonly Sender[]): Promise<Check[]> {
  const differing = { counters: 0, codes: 0 };
  for (const { workspace, ledger } of senders) {
    const described = await worker.admin("GET", `/admin/workspaces/${workspace.id}`);
    const { counters } = Described.parse(await described.json()).workspace;
    const { answered, admitted, refused } = ledger;
    const rejected = sumOf(Object.values(answered.rejected), (count) => count);
    const { stored } = answered;
    if (!isDeepStrictEqual(counters, { stored, rejected, admitted, refused })) differing.counters += 1;
    const headers = { authorization: `Bearer ${workspace.key}` };
    const listed = await fetch(`${worker.url}/api/v1/rejected?limit=1`, { headers });
    const codes: Record<string, number> = {};
    for (const { code, count } of Rejected.parse(await listed.json()).counts) codes[code] = (codes[code] ?? 0) + count;
    if (!isDeepStrictEqual(codes, answered.rejected)) differing.codes += 1;
  }
  return [
    {
      name: "the service's counters equal those of the senders",
      ok: differing.counters === 0,
      figures: {
        admitted: sumOf(senders, ({ ledger }) => ledger.admitted),
        refused: sumOf(senders, ({ ledger }) => ledger.refused),
        "workspaces that differ": differing.counters,
      },
    },
    {
      name: "rejected messages are counted by code as they were answered",
      ok: differing.codes === 0,
      figures: { "workspaces that differ": differing.codes },
    },
  ];
}
