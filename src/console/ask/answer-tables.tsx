/** The rows of an answer, and the evidence for every number and name in it. */
import type { Child, FC } from "hono/jsx";

import type { Evidence } from "../../core/ask/model.ts";
import { inMoney, spanOf } from "../../core/ask/query/evidence-list.ts";
import type { Query } from "../../core/ask/query/model.ts";
import { dateOf } from "../../core/health/texts.ts";
import { formatMinute } from "../components/format.ts";
import { TableFrame } from "../components/table.tsx";
import { takeBytes } from "../components/truncate.ts";
import { accountPath, MaybeLink } from "./account-links.tsx";
import { EVIDENCE_LABELS, formatValue, labelOf } from "./answer-labels.ts";

export type Row = Readonly<Record<string, unknown>>;

/** Limits the size of the page if there are many rows or long names. */
const MAX_TABLE_BYTES = 28_000;
const MAX_EVIDENCE_ROWS = 100;

/** The columns that name a row. All others are values. */
const NAME_COLUMNS: ReadonlySet<string> = new Set(["id", "externalId", "name"]);
const MONEY: ReadonlySet<string> = new Set(["mrr", "arr"]);
const PERCENT: ReadonlySet<string> = new Set(["seat_use", "adoption"]);
/** The columns whose values are codes. */
const CODES: ReadonlySet<string> = new Set(["kind", "item_kind", "severity", "status", "state", "stage", "health"]);

interface ResultTableProps {
  workspace: { id: string };
  query: Query;
  rows: readonly Row[];
}

export const ResultTable: FC<ResultTableProps> = ({ workspace, query, rows }) => {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const isNamed = keys.includes("externalId");
  const hasMoney = keys.some((key) => MONEY.has(key));
  // Amounts are shown with their currency.
  const values = keys.filter(
    (key) => !NAME_COLUMNS.has(key) && (key !== "currency" || !hasMoney || query.per === "currency"),
  );
  const shown = takeBytes(
    rows.map((row) => (
      <tr>
        {isNamed && (
          <th scope="row">
            <NameOf {...{ workspace, row }} isAccount={isAboutAccounts(query)} />
          </th>
        )}
        {values.map((key) => (
          <td>{cellOf(key, row, query, workspace)}</td>
        ))}
      </tr>
    )),
    MAX_TABLE_BYTES,
  );
  return (
    <>
      <TableFrame
        caption="Results"
        columns={[...(isNamed ? ["Name"] : []), ...values.map(labelOf)]}
        class="answer-table"
      >
        {shown}
      </TableFrame>
      <ShownRows shown={shown.length} all={rows.length} />
    </>
  );
};

/** Whether the rows are accounts, or items about accounts. */
export const isAboutAccounts = ({ find }: Query): boolean => find === "accounts" || find === "items";

const NameOf: FC<{ workspace: { id: string }; row: Row; isAccount: boolean }> = ({ workspace, row, isAccount }) => {
  const { externalId, name } = row;
  if (typeof externalId !== "string") return <>–</>;
  const text = name === undefined ? formatValue(externalId) : `${formatValue(name)} (${formatValue(externalId)})`;
  return <MaybeLink to={isAccount ? accountPath(workspace, externalId) : null} text={text} />;
};

function cellOf(key: string, row: Row, query: Query, workspace: { id: string }): Child {
  const value = row[key];
  const measure = key === "before" ? (query.measure ?? "events") : key;
  const { currency } = row;
  if (typeof value === "object" && value !== null)
    return <NameOf {...{ workspace }} row={{ ...value }} isAccount={key === "account"} />;
  if (typeof value === "number") {
    if (MONEY.has(measure)) return inMoney(value, typeof currency === "string" ? currency : null);
    if (key === "opened") return dateOf(value);
    return PERCENT.has(measure) ? `${formatValue(value)}%` : formatValue(value);
  }
  if (key === "account" && typeof value === "string")
    return <NameOf {...{ workspace }} row={{ externalId: value }} isAccount />;
  return CODES.has(key) && typeof value === "string" ? labelOf(value) : formatValue(value);
}

export const EvidenceTable: FC<{ evidence: readonly Evidence[] }> = ({ evidence }) => {
  const shown = takeBytes(
    evidence.slice(0, MAX_EVIDENCE_ROWS).map((one) => <EvidenceRow evidence={one} />),
    MAX_TABLE_BYTES,
  );
  return (
    <>
      <p class="lead">Every number, name and date in the answer. Days are UTC, and periods include both ends.</p>
      <TableFrame caption="Evidence for the answer" columns={["Measure", "Value", "As of"]} class="answer-table">
        {shown}
      </TableFrame>
      <ShownRows shown={shown.length} all={evidence.length} />
    </>
  );
};

const EvidenceRow: FC<{ evidence: Evidence }> = ({ evidence: { kind, measure, value, window, asOf } }) => (
  <tr>
    <th scope="row">
      {labelOf(measure)}{" "}
      <span class="note">
        {EVIDENCE_LABELS[kind]}
        {window !== undefined && `, ${spanOf(window)}`}
      </span>
    </th>
    <td>{formatValue(value)}</td>
    <td>{formatMinute(asOf)}</td>
  </tr>
);

/** Says how many rows a shortened table shows. */
const ShownRows: FC<{ shown: number; all: number }> = ({ shown, all }) =>
  shown === all ? (
    <></>
  ) : (
    <p class="note">
      Showing the first {shown} of {all}. The API returns all of them.
    </p>
  );
