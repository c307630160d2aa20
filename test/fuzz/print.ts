/** A run, and a case of it, for people and for programs. */
import type { FuzzCase } from "./case.ts";
import type { FuzzReport } from "./fuzz.ts";
import { toWire } from "./request.ts";
import type { Outcome } from "./send/answer.ts";

const MOST_PRINTED = 2_000;

export function reportText({ tally, failures, problems, ...report }: FuzzReport): string {
  const { seed, from, cases, seconds, slowestMs, memoryMb, logLines } = report;
  const heading = `${cases} cases from ${from} with seed ${seed} in ${seconds.toFixed(0)} s, the slowest in ${slowestMs.toFixed(0)} ms.`;
  const memory = `workerd had ${memoryMb.join(", ")} MB after each quarter and at the end; the log has ${logLines} lines.`;
  const told = failures.map(({ number, case: one, outcome, problems: wrong }) =>
    [caseText(one, outcome, wrong), `Again: --seed ${seed} --only ${number}`, ""].join("\n"),
  );
  const wrong = [failures.length > 0 ? `${failures.length} cases failed.` : "", ...problems].filter(
    (line) => line !== "",
  );
  const verdict = wrong.length === 0 ? "Nothing is wrong." : wrong.join("\n");
  return [heading, ...(memoryMb.length > 0 ? [memory] : []), "", tally.toString(), "", ...told, verdict].join("\n");
}

export function reportJson({ failures, ...report }: FuzzReport): string {
  const told = failures.map(({ number, mutators, problems, case: one, outcome }) => {
    return { number, mutators, problems, text: caseText(one, outcome, problems) };
  });
  return JSON.stringify({ ...report, failures: told }, null, 2);
}

/** A request with its answer, both cut. */
export function caseText(one: FuzzCase, outcome: Outcome, problems: readonly string[]): string {
  const answers = outcome.kind === "answered" ? outcome.answers : [];
  const came = answers.map(({ status, headers, body }) => {
    const fields = [...headers].map(([name, values]) => `${name}: ${values.join(", ")}\n`);
    return `${status}\n${fields.join("")}\n${printable(body)}`;
  });
  return [
    `── case ${one.number}: ${one.mutators.join(" + ") || "as it was made"}`,
    printable(Buffer.concat(toWire(one.request))),
    `── ${outcome.kind}${outcome.kind === "closed" ? `: ${outcome.problem}` : ""}`,
    ...came,
    problems.length > 0 ? `── wrong: ${problems.join("; ")}` : "── nothing is wrong",
  ].join("\n");
}

/** Control characters are shown as their numbers: the terminal is not to be fuzzed. */
function printable(bytes: Buffer): string {
  const shown = bytes.subarray(0, MOST_PRINTED).toString("latin1");
  const safe = shown.replaceAll(/[^\n\x20-\x7e]/g, (char) =>
    char === "\r" ? "" : `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
  return bytes.length > MOST_PRINTED ? `${safe}… (${bytes.length} bytes)` : safe;
}
