/** What an answer stands on, as tables: its rows where it is a list, and every figure and name in it. */
import type { Child, FC } from "hono/jsx";

import { spanOf } from "../../core/ask/answer/wording.ts";
import type { Evidence } from "../../core/ask/model.ts";
import { fitting } from "../components/take-bytes.ts";
import { Card } from "../components/elements.tsx";
import { shortened } from "../components/truncate.ts";
import { type AccountLinks, isAccountId } from "./account-links.ts";
import { EVIDENCE_NAMES, nameOf, valueOf } from "./ask-words.ts";

type Row = Record<string, unknown>;

/** So much that the page of the longest list stays small, however long its names are. */
const MAX_TABLE_BYTES = 34_000;
const MAX_EVIDENCE_ROWS = 100;

/** Of a list's rows the columns that tell what a row is of; the others are figures. */
const NAMING = new Set(["id", "externalId", "name"]);

export const RowsTable: FC<{ links: AccountLinks; rows: readonly Row[] }> = ({ links, rows }) => {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const figures = keys.filter((key) => !NAMING.has(key));
  const isNamed = keys.includes("externalId");
  const shown = fitting(
    rows.map((row) => (
      <tr>
        {isNamed && <th scope="row">{whoIn(row, links)}</th>}
        {figures.map((key) => (
          <td>{figureIn(key, row[key], links)}</td>
        ))}
      </tr>
    )),
    MAX_TABLE_BYTES,
  );
  return (
    <Card title="In rows">
      <div class="table-scroll">
        <table class="answer-rows">
          <caption class="visually-hidden">The answer in rows</caption>
          <thead>
            <tr>
              {isNamed && <th scope="col">Who</th>}
              {figures.map((key) => (
                <th scope="col">{nameOf(key)}</th>
              ))}
            </tr>
          </thead>
          <tbody>{shown}</tbody>
        </table>
      </div>
      <FirstOf shown={shown.length} all={rows.length} />
    </Card>
  );
};

function whoIn({ id, externalId, name }: Row, links: AccountLinks): Child {
  const text = name === undefined ? valueOf(externalId) : `${valueOf(name)} (${valueOf(externalId)})`;
  return isAccountId(id) && typeof externalId === "string" ? linkTo(links(externalId), text) : text;
}

/** Of a list's rows the columns that hold one of our own codes. */
const CODES = new Set(["kind", "reason", "severity", "state"]);

function figureIn(key: string, value: unknown, links: AccountLinks): Child {
  if (key === "account") return accountIn(value, links);
  return CODES.has(key) && typeof value === "string" ? nameOf(value) : valueOf(value);
}

const accountIn = (externalId: unknown, links: AccountLinks): Child =>
  typeof externalId === "string" ? linkTo(links(externalId), shortened(externalId)) : "–";

const linkTo = (page: string | null, text: string): Child => (page === null ? text : <a href={page}>{text}</a>);

export const EvidenceTable: FC<{ links: AccountLinks; evidence: readonly Evidence[] }> = ({ links, evidence }) => {
  const shown = fitting(
    evidence.slice(0, MAX_EVIDENCE_ROWS).map((one) => <EvidenceRow evidence={one} links={links} />),
    MAX_TABLE_BYTES,
  );
  return (
    <Card title="Evidence" lead="Every figure, name and date of the answer. Days are UTC, both ends included.">
      <div class="table-scroll">
        <table class="answer-evidence">
          <caption class="visually-hidden">What the answer stands on</caption>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Value</th>
              <th scope="col">As of</th>
            </tr>
          </thead>
          <tbody>{shown}</tbody>
        </table>
      </div>
      <FirstOf shown={shown.length} all={evidence.length} />
    </Card>
  );
};

const EvidenceRow: FC<{ links: AccountLinks; evidence: Evidence }> = ({ links, evidence }) => {
  const { kind, measure, value, window, asOf } = evidence;
  return (
    <tr>
      <th scope="row">
        {nameOf(measure)}{" "}
        <span class="note">
          {EVIDENCE_NAMES[kind]}
          {window !== undefined && `, ${spanOf(window)}`}
        </span>
      </th>
      <td>{measure === "account" ? accountIn(value, links) : valueOf(value)}</td>
      <td>{minuteOf(asOf)}</td>
    </tr>
  );
};

/** Of a list of which not all is shown. */
const FirstOf: FC<{ shown: number; all: number }> = ({ shown, all }) =>
  shown === all ? (
    <></>
  ) : (
    <p class="note">
      The first {shown} of {all}. The API answers with all of them.
    </p>
  );

/** `2030-01-08 06:00` */
const minuteOf = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace("T", " ");
