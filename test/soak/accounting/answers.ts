/** What was answered against what had to be, and against what the service counts by itself. */
import * as z from "zod";

import type { ServedWorker } from "../../harness/serve-worker.ts";
import { SOURCES } from "../load/content.ts";
import { STATE } from "../load/ledger.ts";
import type { Surprises, WorkspaceLedger } from "../load/protocol.ts";
import { type Check, sumOf } from "./check.ts";

const Rejected = z.object({ counts: z.array(z.object({ code: z.string(), count: z.number() })) });
const Described = z.object({
  workspace: z.object({
    counters: z.object({ stored: z.number(), rejected: z.number(), admitted: z.number(), refused: z.number() }),
  }),
});

export function checkAnswers(ledgers: readonly WorkspaceLedger[], surprises: Surprises): Check[] {
  const acknowledged = sumOf(ledgers, ({ states }) =>
    sumOf(SOURCES, (source) => states[source].filter((state) => state === STATE.acknowledged).length),
  );
  const stored = sumOf(ledgers, ({ answered }) => answered.stored);
  const duplicates = sumOf(ledgers, ({ answered }) => answered.duplicates);
  const expected = sumOf(ledgers, (ledger) => ledger.expected.duplicates);
  return [
    {
      name: "the answers' `stored` add up to the messages that are stored",
      ok: stored === acknowledged,
      figures: { stored, acknowledged },
    },
    {
      name: "the answers' `duplicates` are the messages that were repeated",
      ok: duplicates === expected,
      figures: { duplicates, repeated: expected },
    },
    {
      name: "each answer is the one that had to come, and no list repeats or invents",
      ok: surprises.count === 0,
      figures: { surprises: surprises.count },
    },
  ];
}

/** The counters may lag: to be asked when it has been quiet for a while. */
export async function checkCounters(
  worker: ServedWorker,
  ledgers: readonly WorkspaceLedger[],
  keyOf: (workspaceId: string) => string,
): Promise<Check[]> {
  const differing = { stored: 0, rejected: 0, admitted: 0, refused: 0, byCode: 0 };
  for (const { id, answered, admitted, refused } of ledgers) {
    const described = await worker.admin("GET", `/admin/workspaces/${id}`);
    const { counters } = Described.parse(await described.json()).workspace;
    const rejected = sumOf(Object.values(answered.rejected), (count) => count);
    if (counters.stored !== answered.stored) differing.stored += 1;
    if (counters.rejected !== rejected) differing.rejected += 1;
    if (counters.admitted !== admitted) differing.admitted += 1;
    // Edges repeat cached denials without telling the limiter.
    if (counters.refused > refused) differing.refused += 1;
    const headers = { authorization: `Bearer ${keyOf(id)}` };
    const listed = await fetch(`${worker.url}/api/v1/rejected?limit=1`, { headers });
    const byCode: Record<string, number> = {};
    for (const { code, count } of Rejected.parse(await listed.json()).counts)
      byCode[code] = (byCode[code] ?? 0) + count;
    const codes = new Set([...Object.keys(byCode), ...Object.keys(answered.rejected)]);
    if ([...codes].some((code) => byCode[code] !== answered.rejected[code])) differing.byCode += 1;
  }
  const sum = (of: "admitted" | "refused") => sumOf(ledgers, (ledger) => ledger[of]);
  return [
    {
      name: "rejected messages are counted as they were answered, by code",
      ok: differing.byCode === 0 && differing.rejected === 0,
      figures: {
        rejected: sumOf(ledgers, ({ answered }) => sumOf(Object.values(answered.rejected), (count) => count)),
        "workspaces that differ": differing.byCode,
      },
    },
    {
      name: "the counters of the administration are those of the senders",
      ok: differing.stored + differing.admitted + differing.refused === 0,
      figures: {
        admitted: sum("admitted"),
        refused: sum("refused"),
        "workspaces that differ": differing.stored + differing.admitted + differing.refused,
      },
    },
  ];
}
