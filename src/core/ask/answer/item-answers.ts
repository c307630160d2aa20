/** What is open in the inbox, by the titles that it is shown with there. */
import { DAY_MS } from "../../durations.ts";
import { describeItem, TITLE_CODES } from "../../inbox/texts.ts";
import type { Freshness, NamedItem } from "../model.ts";
import { type Ground, nameGrounds, type Outcome, silence } from "./finding.ts";
import { cutOff, MAX_VALUE_ROWS } from "./listing.ts";
import { compareTexts, isoDay, isoTime, named, quoted, thereAre, toOneDecimal } from "./wording.ts";

/**
 * @param where ` about "acme"`, or nothing of the whole inbox
 */
export function openItems(items: readonly NamedItem[], where: string, limit: number, freshness: Freshness): Outcome {
  if (freshness.lastRecomputeAt === null) {
    return silence("insufficient_history", "The inbox has not been filled yet.");
  }
  const open = items
    .filter(({ item }) => item.resolvedDay === null)
    .toSorted((a, b) => b.item.rank - a.item.rank || compareTexts(orderOf(a), orderOf(b)));
  const kept = open.slice(0, MAX_VALUE_ROWS);
  const titles = kept.map(titleOf);
  const shown = titles.slice(0, Math.min(limit, MAX_VALUE_ROWS));
  const cut = cutOff(open.length, shown.length);
  const head = `${thereAre(open.length, "inbox item")} open${where}`;
  return {
    says: `${head}${shown.length === 0 ? "" : `: ${shown.join("; ")}`}${cut.says}.`,
    value: kept.map(({ id, item, account }, index) => ({
      id,
      kind: item.kind,
      severity: item.severity,
      account: account?.externalId ?? null,
      title: titles[index],
      since: isoDay(item.openedDay),
    })),
    grounds: [
      { kind: "item", measure: "open_items", value: open.length },
      ...kept.flatMap(itemGrounds),
      ...cut.grounds,
    ],
  };
}

/** Of equal rank: by account, kind and subject, whatever the ids. */
const orderOf = ({ account, item: { kind, subject } }: NamedItem): string =>
  JSON.stringify([account?.externalId ?? "", kind, subject]);

function titleOf({ item, account, subjectName }: NamedItem): string {
  const names = { account: account === null ? "The workspace" : named(account) };
  return describeItem(item, subjectName === null ? names : { ...names, subject: quoted(subjectName) }).title;
}

/** What a title can say: which account, user or feature, when a trial ends, and the numbers it shows. */
function itemGrounds({ id, item, account, subjectName }: NamedItem): Ground[] {
  const asOf = (item.confirmedDay + 1) * DAY_MS;
  const grounds: Ground[] = [{ kind: "item", measure: item.kind, value: id, asOf }];
  if (account !== null) grounds.push(...nameGrounds(account));
  if (subjectName !== null) grounds.push({ kind: "item", measure: "subject", value: subjectName, asOf });
  if (item.kind.startsWith("trial_")) {
    grounds.push({ kind: "item", measure: "trial_end", value: isoTime(Number(item.subject)), asOf });
  }
  for (const { code, value, expected } of item.evidence) {
    if (!TITLE_CODES.has(code)) continue;
    grounds.push({ kind: "item", measure: code, value: toOneDecimal(value), asOf });
    if (expected !== undefined) {
      grounds.push({ kind: "item", measure: `${code}.expected`, value: toOneDecimal(expected), asOf });
    }
  }
  return grounds;
}
