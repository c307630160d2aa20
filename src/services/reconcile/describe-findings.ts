/** Describes findings, with the details that an operator needs to decide. */
import { numberKey } from "../../archive/journal.ts";
import type { Finding, WorkspaceFinding, KnownWorkspace } from "../../core/reconcile/plan-repairs.ts";
import * as repairs from "../../db/reconcile/repairs.ts";

/** @param home the database that holds the workspace, if that is known */
export async function describeFindings(
  env: Env,
  row: KnownWorkspace & { id: string; number: number },
  home: string | null,
  findings: readonly Finding[],
): Promise<WorkspaceFinding[]> {
  const described = findings.map(async (finding) => {
    if (finding === "number_used_twice" || finding === "unknown_rows") return namedByAll(row, finding);
    return { workspace: row.id, finding, detail: await detailOf(env, row, home, finding) };
  });
  return (await Promise.all(described)).flat();
}

/** Lists each id that has the number, and where. */
function namedByAll(
  { number, claim, entry, sides }: KnownWorkspace & { number: number },
  finding: Finding,
): WorkspaceFinding[] {
  const places = [
    ...(claim === null ? [] : [{ id: claim.id, place: numberKey(number) }]),
    ...(entry === null ? [] : [{ id: entry.id, place: "the directory" }]),
    ...sides.map(({ id, database }) => ({ id, place: database })),
  ];
  return [...Map.groupBy(places, ({ id }) => id)].map(([workspace, own]) => {
    return { workspace, finding, detail: `Number ${number} in ${own.map(({ place }) => place).join(", ")}.` };
  });
}

async function detailOf(
  env: Env,
  { number, entry, sides, limiter }: KnownWorkspace & { number: number },
  home: string | null,
  finding: Finding,
): Promise<string | null> {
  if (finding === "not_bound") return `${entry?.database ?? limiter.database}.`;
  if (finding === "busy" && entry?.move)
    return `It moves from ${entry.move.from} to ${entry.move.to}: ${entry.move.state}.`;
  if (finding === "storage_limit") {
    const [directory, room] = [entry?.storageLimitBytes, limiter.room].map((bytes) =>
      bytes == null ? null : `${bytes} bytes`,
    );
    return `The directory has ${directory ?? "no limit"}, and the limiter ${room ? `room for ${room}` : "no limit"}.`;
  }
  if (finding !== "copy_kept") return null;
  const read = sides.map(async ({ database }) => {
    const at = await repairs.newestMessageAt(env, { number, database });
    return `${database} (${database === home ? "in use" : "copy"}): ${at === null ? "none" : new Date(at).toISOString()}`;
  });
  return `Newest messages: ${(await Promise.all(read)).join(", ")}.`;
}
