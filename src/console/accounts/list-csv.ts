/** The account list as CSV. */
import type { ExportedAccount } from "../../db/accounts/console-accounts.ts";
import { type CsvCell, csvLine } from "../components/csv.ts";
import { isoOrNull } from "../../services/present/iso.ts";

const HEADINGS = ["state", "score", "trend", "mrr", "currency", "plan", "stage", "seats", "active users", "owner"];

/**
 * Writes accounts page by page.
 * @param traits the keys of further columns
 * @param withIdentity adds the company names
 */
export async function* accountLines(
  pages: AsyncIterable<readonly ExportedAccount[]>,
  traits: readonly string[],
  withIdentity: boolean,
): AsyncGenerator<string> {
  yield csvLine(["id", ...(withIdentity ? ["name"] : []), ...HEADINGS, "last active", "contract end", ...traits]);
  for await (const page of pages) {
    yield page.map((account) => csvLine(cellsOf(account, traits, withIdentity))).join("");
  }
}

function cellsOf(account: ExportedAccount, keys: readonly string[], withIdentity: boolean): CsvCell[] {
  const { attributes, health, activeUsers, owner, lastSeenAt, traits } = account;
  const { mrr, currency, plan, stage, seats, contractEndsAt } = attributes;
  return [
    account.externalId ?? account.id,
    ...(withIdentity ? [account.identity?.company] : []),
    health?.state,
    health?.score,
    health?.trend,
    mrr,
    currency,
    plan,
    stage,
    seats,
    activeUsers,
    owner,
    isoOrNull(lastSeenAt),
    contractEndsAt === undefined ? null : String(contractEndsAt).slice(0, "2030-01-01".length),
    ...keys.map((key) => {
      const value = traits[key] ?? null;
      return typeof value === "string" || typeof value === "number" ? value : value && JSON.stringify(value);
    }),
  ];
}
