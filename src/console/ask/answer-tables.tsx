/** The results of an answer that is a list, and the evidence for every number and name in an answer. */
import type { Child, FC } from "hono/jsx";

import { spanOf } from "../../core/ask/answer/wording.ts";
import type { Evidence } from "../../core/ask/model.ts";
import { Card } from "../components/elements.tsx";
import { formatMinute } from "../components/format.ts";
import { TableFrame } from "../components/table.tsx";
import { takeBytes, truncate } from "../components/truncate.ts";
import { type AccountLinks, isAccountId } from "./account-links.ts";
import { EVIDENCE_LABELS, formatValue, labelOf } from "./answer-labels.ts";

type Row = Record<string, unknown>;

/** Keeps the page small, however many rows there are and however long their names. */
const MAX_TABLE_BYTES = 34_000;
const MAX_EVIDENCE_ROWS = 100;

/** The columns that name a row. All others are values. */
const NAME_COLUMNS = new Set(["id", "externalId", "name"]);

export const ResultTable: FC<{ links: AccountLinks; rows: readonly Row[] }> = ({ links, rows }) => {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const values = keys.filter((key) => !NAME_COLUMNS.has(key));
  const isNamed = keys.includes("externalId");
  const shown = takeBytes(
    rows.map((row) => (
      <tr>
        {isNamed && <th scope="row">{nameOfRow(row, links)}</th>}
        {values.map((key) => (
          <td>{valueOfRow(key, row[key], links)}</td>
        ))}
      </tr>
    )),
    MAX_TABLE_BYTES,
  );
  return (
    <Card title="Results">
      <TableFrame
        caption="Results"
        columns={[...(isNamed ? ["Name"] : []), ...values.map(labelOf)]}
        class="answer-table"
      >
        {shown}
      </TableFrame>
      <ShownRows shown={shown.length} all={rows.length} />
    </Card>
  );
};

function nameOfRow({ id, externalId, name }: Row, links: AccountLinks): Child {
  const text = name === undefined ? formatValue(externalId) : `${formatValue(name)} (${formatValue(externalId)})`;
  return isAccountId(id) && typeof externalId === "string" ? linkTo(links(externalId), text) : text;
}

/** The columns whose values are codes. */
const CODE_COLUMNS = new Set(["kind", "reason", "severity", "state"]);

function valueOfRow(key: string, value: unknown, links: AccountLinks): Child {
  if (key === "account") return accountLink(value, links);
  return CODE_COLUMNS.has(key) && typeof value === "string" ? labelOf(value) : formatValue(value);
}

const accountLink = (externalId: unknown, links: AccountLinks): Child =>
  typeof externalId === "string" ? linkTo(links(externalId), truncate(externalId)) : "–";

const linkTo = (path: string | null, text: string): Child => (path === null ? text : <a href={path}>{text}</a>);

export const EvidenceTable: FC<{ links: AccountLinks; evidence: readonly Evidence[] }> = ({ links, evidence }) => {
  const shown = takeBytes(
    evidence.slice(0, MAX_EVIDENCE_ROWS).map((one) => <EvidenceRow evidence={one} links={links} />),
    MAX_TABLE_BYTES,
  );
  return (
    <Card
      title="Evidence"
      lead="Every number, name and date in the answer. Days are UTC, and periods include both ends."
    >
      <TableFrame caption="Evidence for the answer" columns={["Measure", "Value", "As of"]} class="answer-table">
        {shown}
      </TableFrame>
      <ShownRows shown={shown.length} all={evidence.length} />
    </Card>
  );
};

const EvidenceRow: FC<{ links: AccountLinks; evidence: Evidence }> = ({ links, evidence }) => {
  const { kind, measure, value, window, asOf } = evidence;
  return (
    <tr>
      <th scope="row">
        {labelOf(measure)}{" "}
        <span class="note">
          {EVIDENCE_LABELS[kind]}
          {window !== undefined && `, ${spanOf(window)}`}
        </span>
      </th>
      <td>{measure === "account" ? accountLink(value, links) : formatValue(value)}</td>
      <td>{formatMinute(asOf)}</td>
    </tr>
  );
};

/** Says how many rows a shortened table shows. */
const ShownRows: FC<{ shown: number; all: number }> = ({ shown, all }) =>
  shown === all ? (
    <></>
  ) : (
    <p class="note">
      Showing the first {shown} of {all}. The API returns all of them.
    </p>
  );
