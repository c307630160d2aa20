/** What an answer stands on, as tables: its rows where it is a list, and every figure and name in it. */
import type { Child, FC } from "hono/jsx";

import { spanOf } from "../../core/ask/answer/wording.ts";
import type { Evidence } from "../../core/ask/model.ts";
import { Card } from "../parts/parts.tsx";
import { type AccountLinks, isAccountId } from "./account-links.ts";
import { EVIDENCE_NAMES, nameOf, valueOf } from "./ask-words.ts";

type Row = Record<string, unknown>;

/** Of a list's rows the columns that tell what a row is of; the others are figures. */
const NAMING = new Set(["id", "externalId", "name"]);

export const RowsTable: FC<{ links: AccountLinks; rows: readonly Row[] }> = ({ links, rows }) => {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const figures = keys.filter((key) => !NAMING.has(key));
  const isNamed = keys.includes("externalId");
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
          <tbody>
            {rows.map((row) => (
              <tr>
                {isNamed && <th scope="row">{whoIn(row, links)}</th>}
                {figures.map((key) => (
                  <td>{figureIn(key, row[key], links)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
};

function whoIn({ id, externalId, name }: Row, links: AccountLinks): Child {
  const text = name === undefined ? valueOf(externalId) : `${valueOf(name)} (${valueOf(externalId)})`;
  return isAccountId(id) ? <a href={links(valueOf(externalId))}>{text}</a> : text;
}

/** Of a list's rows the columns that hold one of our own codes. */
const CODES = new Set(["kind", "reason", "severity", "state"]);

function figureIn(key: string, value: unknown, links: AccountLinks): Child {
  if (key === "account") return accountIn(value, links);
  return CODES.has(key) && typeof value === "string" ? nameOf(value) : valueOf(value);
}

const accountIn = (externalId: unknown, links: AccountLinks): Child =>
  typeof externalId === "string" ? <a href={links(externalId)}>{externalId}</a> : "–";

/** So many that the page of the longest list stays small. */
const MAX_EVIDENCE_ROWS = 100;

export const EvidenceTable: FC<{ links: AccountLinks; evidence: readonly Evidence[] }> = ({ links, evidence }) => (
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
        <tbody>
          {evidence.slice(0, MAX_EVIDENCE_ROWS).map(({ kind, measure, value, window, asOf }) => (
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
          ))}
        </tbody>
      </table>
    </div>
    {evidence.length > MAX_EVIDENCE_ROWS && (
      <p class="note">
        The first {MAX_EVIDENCE_ROWS} of {evidence.length}. The API answers with all of them.
      </p>
    )}
  </Card>
);

/** `2030-01-08 06:00` */
const minuteOf = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace("T", " ");
