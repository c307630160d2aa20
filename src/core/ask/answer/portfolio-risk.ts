/** The accounts at risk, the lowest score first, each with the first of its reasons. */
import { describeReason } from "../../health/texts.ts";
import type { PortfolioAccount } from "../model.ts";
import { idsOf, nameGrounds, type Outcome } from "./finding.ts";
import { healthGround, reasonGrounds } from "./health-answers.ts";
import { cutOff, MAX_VALUE_ROWS, SHOWN_ROWS } from "./listing.ts";
import { type Judged, judgedOf, judgedOn } from "./portfolio-health.ts";
import { inExactFigures, named, ranked, STATE_WORDS, thereAre } from "./wording.ts";

export function atRisk(accounts: readonly PortfolioAccount[]): Outcome {
  const judged = judgedOf(accounts, true);
  if ("silence" in judged) return judged;
  const risky = ranked(
    judged.accounts.filter(({ health }) => health.state === "at_risk"),
    ({ health }) => -(health.score ?? 0),
    ({ of }) => of.account,
  );
  const on = judgedOn(judged);
  const kept = risky.slice(0, MAX_VALUE_ROWS);
  const shown = kept.slice(0, SHOWN_ROWS);
  const cut = cutOff(risky.length, shown.length);
  const head = `${thereAre(risky.length, "account")} ${STATE_WORDS.at_risk} ${on.says}${shown.length === 0 ? "" : ":"}`;
  const list = `${shown.map(describe).join("; ")}${cut.says}`;
  return {
    says: [`${list === "" ? head : `${head} ${list}`}.`, ...on.notes].join(" "),
    value: kept.map(({ of, health }) => ({
      ...idsOf(of.account),
      score: health.score,
      reason: health.reasons[0]?.code ?? null,
    })),
    grounds: [
      { kind: "health", measure: "at_risk", value: risky.length },
      ...kept.flatMap(groundsOf),
      ...cut.grounds,
      ...on.grounds,
    ],
  };
}

/** `"acme" with a score of 35 – No activity for 9 business days …`. */
function describe({ of, health }: Judged): string {
  const reason = health.reasons[0];
  const why = reason === undefined ? "" : ` – ${describeReason(reason).slice(0, -1)}`;
  return `${named(of.account)} with a score of ${inExactFigures(health.score ?? 0)}${why}`;
}

function groundsOf({ of, health }: Judged) {
  const reasons = health.reasons.slice(0, 1);
  return [
    ...nameGrounds(of.account),
    healthGround("score", health.score ?? 0, health),
    ...reasons.flatMap((reason) => reasonGrounds(reason, health)),
  ];
}
