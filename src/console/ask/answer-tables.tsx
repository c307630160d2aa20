/** The rows of an answer as a table, as a chart and as CSV, and the evidence for what the rows don't show. */
import type { Child, FC } from "hono/jsx";

import type { Evidence } from "../../core/ask/model.ts";
import { DAY_MS } from "../../core/durations.ts";
import type { Day, Window } from "../../core/health/model.ts";
import { dateOf } from "../../core/health/texts.ts";
import { countedPart, dayOf } from "../../core/ask/query/windows.ts";
import { isMoney } from "../../core/ask/query/check.ts";
import { writeMoney, writeDays } from "../../core/ask/query/evidence-list.ts";
import { type Period, PERIODS, type Query } from "../../core/ask/query/model.ts";
import { ENTITY_TYPES } from "../../core/ask/query/subjects.ts";
import { isItemKind, KIND_NAMES } from "../../core/inbox/kind-names.ts";
import type { Answer } from "../../services/ask/run-query.ts";
import { LineChart } from "../charts/line-chart.tsx";
import { type CsvCell, csvLine } from "../components/csv.ts";
import { formatMinute } from "../components/format.ts";
import { Table, type TableColumns } from "../components/table.tsx";
import { accountPath, MaybeLink } from "./account-links.tsx";
import { EVIDENCE_LABELS, formatValue, labelOf } from "./answer-labels.ts";

export type AnswerRow = Readonly<Record<string, unknown>>;

/** Limits the size of the page if there are many rows or long names. */
const MAX_TABLE_BYTES = 28_000;

/** The keys that name a row. All others are values. */
const NAME_COLUMNS: ReadonlySet<string> = new Set(["id", "externalId", "name"]);
const PERCENT: ReadonlySet<string> = new Set(["seat_use", "adoption"]);
/** The columns whose values are codes. */
const CODES: ReadonlySet<string> = new Set(["kind", "item_kind", "severity", "status", "state", "stage", "health"]);

interface ResultTableProps {
  workspace: { id: string };
  query: Query;
  rows: readonly AnswerRow[];
  counted: CountedDays;
}

interface CountedDays {
  window: Window | null;
  /** The first day that anything was recorded. */
  firstDay: Day | null;
  today: Day;
}

/** Returns the row's values, those of a named entity included. */
const cellsOf = (row: AnswerRow): unknown[] =>
  Object.values(row).flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : [value]));

/** Returns the evidence that no row repeats. */
export function evidenceBeside(evidence: readonly Evidence[], rows: readonly AnswerRow[]): Evidence[] {
  const shown = new Set(rows.flatMap(cellsOf));
  const columns = new Set([...ENTITY_TYPES.values(), ...rows.flatMap((row) => Object.keys(row))]);
  return evidence.filter(({ measure, value }) => !columns.has(measure) || !shown.has(value));
}

const csvCellsOf = (value: unknown): CsvCell =>
  typeof value === "object" && value !== null
    ? String(Reflect.get(value, "externalId") ?? "")
    : typeof value === "string" || typeof value === "number" || typeof value === "boolean"
      ? value
      : null;

/** Writes rows with their codes and ids, as the API returns them. */
export function csvOf(rows: readonly AnswerRow[]): string {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return [csvLine(keys), ...rows.map((row) => csvLine(keys.map((key) => csvCellsOf(row[key]))))].join("");
}

const periodOf = ({ per }: Query): Period | undefined => PERIODS.find((each) => each === per);

/** Whether an answer may have a chart. */
export const isSeries = ({ asked }: Answer): boolean => asked !== null && periodOf(asked.query) !== undefined;

/** A chart of one value for each day, week or month. `null` for anything else. */
export const SeriesChart: FC<{ query: Query; rows: readonly AnswerRow[] }> = ({ query, rows }) => {
  const unit = periodOf(query);
  const key = Object.keys(rows[0] ?? {}).find((each) => typeof rows[0]?.[each] === "number");
  if (unit === undefined || key === undefined || rows.length < 2) return null;
  const dated = rows.map((row) => ({ day: Date.parse(String(row[unit])) / DAY_MS, value: row[key], row }));
  // Sums of money have a row for each currency.
  if (new Set(dated.map(({ day }) => day)).size < dated.length) return null;
  const points = dated
    .toSorted((a, b) => a.day - b.day)
    .map(({ day, value }) => ({ day, value: typeof value === "number" ? value : null }));
  return <LineChart title={`${labelOf(key)} per ${unit}`} name={labelOf(key)} {...{ points, unit }} />;
};

export const ResultTable: FC<ResultTableProps> = ({ workspace, query, rows, counted }) => {
  const unit = periodOf(query);
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const name = {
    title: "Name",
    cell: (row: AnswerRow) => <NameOf {...{ workspace, row }} isAccount={isAboutAccounts(query)} />,
  };
  // Amounts are shown with their currency.
  const isShownApart = query.per === "currency" || !keys.some(isMoney);
  const values = keys
    .filter((key) => !NAME_COLUMNS.has(key) && (key !== "currency" || isShownApart))
    .map((key) => ({
      title: labelOf(key),
      cell: (row: AnswerRow) => (
        <>
          {cellOf(key, row, query, workspace)}
          {key === unit && <PartNote {...{ unit, counted }} day={row[key]} />}
        </>
      ),
    }));
  return (
    <LongTable caption="Results" columns={keys.includes("externalId") ? [name, ...values] : values} {...{ rows }} />
  );
};

/** Says which part of a period was counted, if not all of it. */
const PartNote: FC<{ unit: Period; day: unknown; counted: CountedDays }> = ({ unit, day, counted }) => {
  const part = countedPart(unit, dayOf(String(day)), counted.window, counted);
  return part !== null && <span class="note"> ({typeof part === "number" ? `from ${dateOf(part)}` : part})</span>;
};

function LongTable<Each>(props: { caption: string; columns: TableColumns<Each>; rows: readonly Each[] }) {
  return <Table {...props} class="answer-table" maxBytes={MAX_TABLE_BYTES} whereAll="The API returns all of them." />;
}

/** Whether the rows are accounts, or items about accounts. */
const isAboutAccounts = ({ find }: Query): boolean => find === "accounts" || find === "items";

const NameOf: FC<{ workspace: { id: string }; row: AnswerRow; isAccount: boolean }> = ({
  workspace,
  row,
  isAccount,
}) => {
  const { externalId, name } = row;
  if (typeof externalId !== "string") return <>–</>;
  const text = name === undefined ? formatValue(externalId) : `${formatValue(name)} (${formatValue(externalId)})`;
  return <MaybeLink to={isAccount ? accountPath(workspace, externalId) : null} text={text} />;
};

function cellOf(key: string, row: AnswerRow, query: Query, workspace: { id: string }): Child {
  const value = row[key];
  const measure = key === "before" ? (query.measure ?? "events") : key;
  const { currency } = row;
  if (typeof value === "object" && value !== null)
    return <NameOf {...{ workspace }} row={{ ...value }} isAccount={key === "account"} />;
  if (typeof value === "number") {
    if (isMoney(measure)) return writeMoney(value, typeof currency === "string" ? currency : null);
    return PERCENT.has(measure) ? `${formatValue(value)}%` : formatValue(value);
  }
  if (key === "account" && typeof value === "string")
    return <NameOf {...{ workspace }} row={{ externalId: value }} isAccount />;
  if (!CODES.has(key) || typeof value !== "string") return formatValue(value);
  return isItemKind(value) ? KIND_NAMES[value] : labelOf(value);
}

const EVIDENCE: TableColumns<Evidence> = [
  {
    title: "Measure",
    cell: ({ kind, measure, window }) => (
      <>
        {labelOf(measure)}{" "}
        <span class="note">
          {EVIDENCE_LABELS[kind]}
          {window !== undefined && `, ${writeDays(window)}`}
        </span>
      </>
    ),
  },
  { title: "Value", cell: ({ value }) => formatValue(value) },
  { title: "As of", cell: ({ asOf }) => formatMinute(asOf) },
];

export const EvidenceTable: FC<{ evidence: readonly Evidence[] }> = ({ evidence }) => (
  <>
    <p class="lead">
      The numbers, names and dates in the answer that no row above shows. Days are UTC, and periods include both ends.
    </p>
    <LongTable caption="Evidence for the answer" columns={EVIDENCE} rows={evidence} />
  </>
);
