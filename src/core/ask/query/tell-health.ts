/** Answers why the health of accounts is as it is, from the explanations that are stored with their scores. */
import { describeMissing, describeReasons } from "../../health/texts.ts";
import type { Health } from "../../health/model.ts";
import type { Grounds } from "./figures.ts";
import { isoDate } from "./windows.ts";
import type { Query } from "./model.ts";
import type { QueryResult, ResultRow } from "./result.ts";
import { linesOf, nameText, rowsOf } from "./tell-values.ts";
import { refuse, type Told, told } from "./telling.ts";
import { upper } from "./say-measures.ts";
import { CODES } from "./words.ts";

export function tellWhy(query: Query, result: QueryResult, noun: string, grounds: Grounds): Told {
  const [first, ...others] = result.rows;
  if (first === undefined) return refuse("insufficient_history", `There is no health of ${noun} to explain.`);
  if (others.length === 0 && result.total <= 1) {
    if (!first.health)
      return refuse(
        "insufficient_history",
        `${first.entity?.name ?? first.entity?.externalId ?? upper(noun)} has no health score yet.`,
      );
    const { text, reasons } = explained(first, first.health, grounds);
    return told(`${text}.${reasons.map((reason) => `\n- ${reason}`).join("")}`, rowsOf(query, result.rows), grounds);
  }
  const lines = result.rows.map((row) => {
    if (!row.health) return `${row.entity ? nameText(row.entity, grounds) : ""}: no health score yet`;
    const { text, reasons } = explained(row, row.health, grounds);
    return `${text}. ${reasons[0] ?? ""}`.trim();
  });
  const head = `The health of ${grounds.number("accounts", result.total)} ${noun}:`;
  return told(`${head}${linesOf(lines, result.total, grounds)}`, rowsOf(query, result.rows), grounds);
}

function explained({ entity }: ResultRow, health: Health, grounds: Grounds): { text: string; reasons: string[] } {
  const { state, score, reasons, missing } = health;
  const name = entity ? nameText(entity, grounds) : "It";
  grounds.add("health", "health", state);
  const scored = score === null ? "" : ` with a health score of ${grounds.number("score", score)}`;
  for (const { code, points, observed, expected, window } of reasons) {
    grounds.add("health", `${code}.points`, points);
    grounds.add("health", `${code}.observed`, observed, window);
    grounds.add("health", `${code}.expected`, expected, window);
  }
  for (const { code, observed, required } of missing) {
    const scale = code === "coverage" ? 100 : 1;
    grounds.add("health", `${code}.observed`, observed * scale);
    grounds.add("health", `${code}.required`, required * scale);
  }
  grounds.add("health", "day", isoDate(health.day));
  const all = [...describeReasons(reasons), ...missing.map(describeMissing)];
  return { text: `${name} is ${CODES["health"]?.[state] ?? state}${scored}`, reasons: all };
}
