/** Says of each finding what an operator has to know of it to decide. */
import { numberKey } from "../../archive/journal.ts";
import type { Finding, Found, Known } from "../../core/reconcile/plan.ts";
import * as repairs from "../../db/reconcile/repairs.ts";

/** @param home the database that holds the workspace, if that is known */
export async function describeFindings(
  env: Env,
  row: Known & { id: string; number: number },
  home: string | null,
  findings: readonly Finding[],
): Promise<Found[]> {
  const found: Found[] = [];
  for (const finding of findings) {
    if (finding === "number_used_twice") found.push(...namedByAll(row));
    else found.push({ workspace: row.id, finding, detail: await detailOf(env, row, home, finding) });
  }
  return found;
}

/** Lists each id that has the number, and where. */
function namedByAll({ number, claim, entry, sides }: Known & { number: number }): Found[] {
  const places = [
    ...(claim === null ? [] : [{ id: claim.id, place: numberKey(number) }]),
    ...(entry === null ? [] : [{ id: entry.id, place: "the directory" }]),
    ...sides.map(({ id, database }) => ({ id, place: database })),
  ];
  return Array.from(
    Map.groupBy(places, ({ id }) => id),
    ([workspace, own]) => {
      const detail = `Number ${number} in ${own.map(({ place }) => place).join(", ")}.`;
      return { workspace, finding: "number_used_twice" as const, detail };
    },
  );
}

async function detailOf(
  env: Env,
  { number, entry, sides, limiter }: Known & { number: number },
  home: string | null,
  finding: Finding,
): Promise<string | null> {
  if (finding === "unknown_rows") return `Number ${number} in ${sides.map(({ database }) => database).join(", ")}.`;
  if (finding === "not_bound") return `${entry?.database ?? limiter.database}.`;
  if (finding === "busy" && entry?.move)
    return `It moves from ${entry.move.from} to ${entry.move.to}: ${entry.move.state}.`;
  if (finding !== "copy_kept") return null;
  const read = sides.map(async ({ database }) => {
    const at = await repairs.newestMessageAt(env, { number, database });
    return `${database} (${database === home ? "in use" : "copy"}): ${at === null ? "none" : new Date(at).toISOString()}`;
  });
  return `Newest messages: ${(await Promise.all(read)).join(", ")}.`;
}
