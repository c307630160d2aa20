/** The account list as CSV (RFC 4180). */
import type { ExportedAccount } from "../../db/accounts/console-accounts.ts";
import { isoOrNull } from "../../services/present/iso.ts";

type Cell = string | number | null | undefined;

/** Spreadsheets run a text that begins so as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const QUOTED = /[",\r\n]/;

function cellOf(value: Cell): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const rowOf = (cells: readonly Cell[]): string => `${cells.map(cellOf).join(",")}\r\n`;

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
  yield rowOf(["id", ...(withIdentity ? ["name"] : []), ...HEADINGS, "last active", "contract end", ...traits]);
  for await (const page of pages) {
    yield page.map((account) => rowOf(cellsOf(account, traits, withIdentity))).join("");
  }
}

function cellsOf(account: ExportedAccount, keys: readonly string[], withIdentity: boolean): Cell[] {
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
      const value = traits[key];
      return typeof value === "string" || typeof value === "number"
        ? value
        : value == null
          ? null
          : JSON.stringify(value);
    }),
  ];
}
