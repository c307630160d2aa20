/** The rows of an answer, and the evidence for every number and name in it. */
import type { Child, FC } from "hono/jsx";

import type { Evidence } from "../../core/ask/model.ts";
import { isMoney } from "../../core/ask/query/check.ts";
import { writeMoney, writeDays } from "../../core/ask/query/evidence-list.ts";
import type { Query } from "../../core/ask/query/model.ts";
import { isItemKind, KIND_NAMES } from "../../core/inbox/kind-names.ts";
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
}

export const ResultTable: FC<ResultTableProps> = ({ workspace, query, rows }) => {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const name = {
    title: "Name",
    cell: (row: AnswerRow) => <NameOf {...{ workspace, row }} isAccount={isAboutAccounts(query)} />,
  };
  // Amounts are shown with their currency.
  const isShownApart = query.per === "currency" || !keys.some(isMoney);
  const values = keys
    .filter((key) => !NAME_COLUMNS.has(key) && (key !== "currency" || isShownApart))
    .map((key) => ({ title: labelOf(key), cell: (row: AnswerRow) => cellOf(key, row, query, workspace) }));
  return (
    <LongTable caption="Results" columns={keys.includes("externalId") ? [name, ...values] : values} {...{ rows }} />
  );
};

function LongTable<Each>(props: { caption: string; columns: TableColumns<Each>; rows: readonly Each[] }) {
  return <Table {...props} class="answer-table" maxBytes={MAX_TABLE_BYTES} whereAll="The API returns all of them." />;
}

/** Whether the rows are accounts, or items about accounts. */
export const isAboutAccounts = ({ find }: Query): boolean => find === "accounts" || find === "items";

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
    <p class="lead">Every number, name and date in the answer. Days are UTC, and periods include both ends.</p>
    <LongTable caption="Evidence for the answer" columns={EVIDENCE} rows={evidence} />
  </>
);
