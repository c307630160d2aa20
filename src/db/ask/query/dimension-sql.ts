/** SQL of dimensions: the value of an account, a user or an item, and whether it meets a filter. */
import { DAY_MS } from "../../../core/durations.ts";
import { STAGE_WORDS } from "../../../core/health/attributes.ts";
import { STAGES } from "../../../core/health/model.ts";
import { foldName } from "../../../core/ask/normalize-names.ts";
import { isWindowed } from "../../../core/ask/query/canonical.ts";
import { isOpenItemDimension } from "../../../core/ask/query/check.ts";
import { type Dimension, SEEN } from "../../../core/ask/query/dimensions.ts";
import type { Filter, FilterValue } from "../../../core/ask/query/model.ts";
import { calendarWindowDays, dayOf as dayOfDate } from "../../../core/ask/query/windows.ts";
import { dayOf } from "../../client/sql-fragments.ts";
import { statusOf } from "../../inbox/status-sql.ts";
import { account, health, item, mark, ownership, trait, user } from "./aliases.ts";
import { type Compiling, type Lookups, namedDimension } from "./compiler-types.ts";
import { attribute, isStageWord, stageOf } from "./stage-sql.ts";
import { NOW } from "./values.ts";

const KNOWN_STAGES = STAGES.flatMap((stage) => STAGE_WORDS[stage]);

/** `date` cuts off the time, because dividing a negative number (before 1970) would round it up. */
const dayOfText = (text: string): string => `(unixepoch(date(${text})) / ${DAY_MS / 1_000})`;

/** A dimension's value in SQL, with dates as days. NULL where it is unknown. */
export function valueOf(compiling: Compiling, name: string): string {
  const { values } = compiling;
  const [, owner, key] = /^(account|user)\.(.+)$/s.exec(name) ?? [];
  if (owner !== undefined && key !== undefined) {
    const subject = owner === "account" ? account.number : user.number;
    return `(SELECT ${traitOf(namedDimension(compiling, name))} FROM ${trait.table}
    WHERE ${trait.subjectKind} = '${owner}' AND ${trait.subject} = ${subject} AND ${trait.key} = ${values.add(key)})`;
  }
  const sql = BUILT_IN_VALUES[name];
  if (sql === undefined) throw new Error(`The dimension ${name} has no SQL.`);
  return sql;
}

/** Longer values aren't parsed: a filter's text is shorter, and parsing them for each user takes seconds. */
const MAX_PARSED_BYTES = 2_048;
const SHOWN_CHARACTERS = 256;

/** A trait's value in its dimension's type, or the beginning of a long text. NULL for other types, lists, objects. */
function traitOf({ type }: Dimension): string {
  const isLong = `octet_length(${trait.value}) > ${MAX_PARSED_BYTES}`;
  const [json, sql] = [`json_type(iif(${isLong}, NULL, ${trait.value}))`, `${trait.value} ->> '$'`];
  if (type === "number") return `iif(${json} IN ('integer', 'real'), ${sql}, NULL)`;
  if (type === "boolean") return `iif(${json} IN ('true', 'false'), ${sql}, NULL)`;
  if (type === "date")
    return dayOfText(`iif(${json} = 'text' AND ${sql} GLOB '[0-9][0-9][0-9][0-9]-[0-9]*', ${sql}, NULL)`);
  const beginning = `substr(${trait.value}, 2, ${SHOWN_CHARACTERS}) || '…'`;
  return `CASE WHEN ${isLong} THEN iif(substr(${trait.value}, 1, 1) = '"', ${beginning}, NULL)
    WHEN ${json} = 'text' THEN ${sql} WHEN ${json} NOT IN ('array', 'object') THEN ${trait.value} END`;
}

const STATUS = statusOf(item, mark, NOW);

/** The columns of an `account` with its `health`, a `user`, and an `item` with its `mark`. */
const BUILT_IN_VALUES: Readonly<Record<string, string>> = {
  account: account.number,
  kind: account.kind,
  stage: `iif(${account.number} IS NULL, NULL, ${stageOf()})`,
  plan: attribute("plan"),
  seats: attribute("seats"),
  mrr: attribute("mrr"),
  currency: attribute("currency"),
  owner: `(SELECT ${ownership.owner} FROM ${ownership.table} WHERE ${ownership.account} = ${account.number})`,
  trial_ends: dayOfText(attribute("trialEndsAt")),
  contract_ends: dayOfText(attribute("contractEndsAt")),
  health: health.state,
  score: health.score,
  user: user.number,
  item_kind: item.kind,
  severity: item.severity,
  status: STATUS,
  opened: item.openedDay,
  resolved: item.resolvedDay,
  dismissed: dayOf(mark.dismissedAt),
  snoozed_until: dayOf(mark.snoozedUntil),
};

/** Accounts and users are sorted by external id. */
export const LABELS: Readonly<Record<string, string>> = { account: account.externalId, user: user.externalId };

/** Codes are sorted in the order of the dimension's values. */
export const sortable = (value: string, dimension: Dimension | undefined): string =>
  dimension?.type === "code" ? `instr('${(dimension.values ?? []).join(" ")}', ${value})` : value;

/** Whether a filter depends only on current values of an account or user. */
export const isStatic = (filter: Filter): boolean =>
  !isWindowed(filter) && !SEEN.has(filter.dimension) && filter.asOf === undefined;

/** The conditions on current values, over `account`, `health` and `user`. */
export const staticConditions = (compiling: Compiling, filters: readonly Filter[]): string[] =>
  filters.filter(isStatic).map((filter) => meetsNow(compiling, filter));

/** Whether an account, a user or an item meets a filter on its current values. */
export const meetsNow = (compiling: Compiling, filter: Filter): string =>
  isOpenItemDimension(filter.dimension, compiling.query.find)
    ? openItemMeets(compiling, filter)
    : meets(compiling, filter, valueOf(compiling, filter.dimension));

/** Whether an `account` has an open item that meets a filter; with `isNot`, whether it has no such item. */
function openItemMeets(compiling: Compiling, filter: Filter): string {
  const { dimension, isNot, isUnknown } = filter;
  const wanted = isNot === undefined ? filter : { dimension, is: isNot };
  const condition = isUnknown === undefined ? meets(compiling, wanted, valueOf(compiling, dimension)) : "1";
  const isNone = isNot !== undefined || isUnknown === true;
  return `${isNone ? "NOT " : ""}EXISTS (
    SELECT 1 FROM ${item.table} LEFT JOIN ${mark.table} ON ${mark.item} = ${item.number}
    WHERE ${item.workspace} = :workspace AND ${item.account} = ${account.number} AND ${STATUS} = 'open'
      AND ${condition})`;
}

/**
 * Whether a value meets a filter, in SQL: TRUE, FALSE or NULL. An unknown value meets only `isNot` and `isUnknown`.
 * @param word the sender's word for a stage. The stage has a value even if the word is absent
 */
export function meets(compiling: Compiling, filter: Filter, value: string, word = attribute("stage")): string {
  const { values, today, find } = compiling;
  const { is, isNot, over, under, from, to, within, isUnknown } = filter;
  const dimension = namedDimension(compiling, filter.dimension);
  const equals = (wanted: readonly FilterValue[]): string =>
    `${value} IN ${values.addList(wanted.flatMap((each) => storedForms(dimension, each, find)))}`;
  const bound = (limit: number | string): string =>
    typeof limit === "number" ? values.add(limit) : String(dayOfDate(limit));
  if (is !== undefined) return equals([is]);
  if (isNot !== undefined) return `(${equals([isNot])}) IS NOT TRUE`;
  if (filter.in !== undefined) return equals(filter.in);
  if (over !== undefined) return `${value} > ${values.add(over)}`;
  if (under !== undefined) return `${value} < ${values.add(under)}`;
  if (from !== undefined) return `${value} >= ${bound(from)}`;
  if (to !== undefined) return `${value} <= ${bound(to)}`;
  if (within !== undefined) {
    const days = calendarWindowDays(within, today);
    return `${value} BETWEEN ${days.from} AND ${days.to}`;
  }
  const known = dimension.name === "stage" ? `${isStageWord(word, KNOWN_STAGES)} IS TRUE` : `${value} IS NOT NULL`;
  return isUnknown === true ? `NOT (${known})` : known;
}

/** The forms in which a filter's value may be stored. JSON has no booleans in SQL. */
function storedForms(dimension: Dimension, value: FilterValue, find: Lookups["find"]): readonly FilterValue[] {
  const { name, type } = dimension;
  // No account or user has the number 0.
  if (name === "account" || name === "user") return [find({ type: name, name: String(value) })?.number ?? 0];
  if (type === "date") return [dayOfDate(String(value))];
  if (type === "boolean") return [value === true ? 1 : 0];
  return type === "text" && typeof value === "string" ? spellingsOf(dimension, value) : [value];
}

/** The stored spellings of a text: those that differ only in case, accents or punctuation. */
function spellingsOf({ values = [] }: Dimension, text: string): string[] {
  const key = foldName(text);
  return [...new Set([text, ...values.filter((value) => foldName(value) === key)])];
}
