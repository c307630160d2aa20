/** Which accounts there are, by the state of their health, their stage and their plan. */
import type { HealthState } from "../../health/model.ts";
import { readStage } from "../../health/stage.ts";
import { inFigures } from "../../health/texts.ts";
import type { AccountFilter, PortfolioAccount } from "../model.ts";
import { attribute, type Finding, type Ground, type Outcome, type Silence, silence } from "./finding.ts";
import { listing } from "./listing.ts";
import { judgedOn, type Judged, judgedOf } from "./portfolio-health.ts";
import { allOf, compareTexts, quoted, several, STATE_WORDS, thereAre } from "./wording.ts";

/** A selection of accounts, and how to put it. */
interface Selection {
  accounts: readonly PortfolioAccount[];
  /** ` at risk and on the plan "pro"`. */
  says: string;
  /** Sentences on what the selection could not see. */
  notes: readonly string[];
  grounds: readonly Ground[];
}

export function countAccounts(accounts: readonly PortfolioAccount[], filter: AccountFilter): Outcome {
  const selection = select(accounts, filter);
  if ("silence" in selection) return selection;
  const { length } = selection.accounts;
  const stages = selection.says === "" && length > 1 ? byStage(accounts) : { says: "", grounds: [] };
  return withNotes(
    {
      says: `${headOf(selection)}${stages.says}.`,
      value: length,
      grounds: [countGround(length), ...selection.grounds, ...stages.grounds],
    },
    selection,
  );
}

const STAGE_NAMES = [
  ["active", "active"],
  ["trial", "on trial"],
  ["churned", "churned"],
  [undefined, "in no known stage"],
] as const;

/** `: 10 active, 3 on trial and 1 churned`: who counts them all may mean but some. Nothing where no stage is known. */
function byStage(accounts: readonly PortfolioAccount[]): Pick<Finding, "says" | "grounds"> {
  const counts = STAGE_NAMES.map(([stage, name]) => ({
    name,
    count: accounts.filter((account) => stageWord(account) === stage).length,
  })).filter(({ count }) => count > 0);
  if (counts.length === 0 || (counts.length === 1 && counts[0]?.name === "in no known stage")) {
    return { says: "", grounds: [] };
  }
  return {
    says: `: ${allOf(counts.map(({ name, count }) => `${inFigures(count)} ${name}`))}`,
    grounds: counts.map(({ count }) => attribute("accounts_in_stage", count)),
  };
}

export function listAccounts(accounts: readonly PortfolioAccount[], filter: AccountFilter): Outcome {
  const selection = select(accounts, filter);
  if ("silence" in selection) return selection;
  const rows = selection.accounts
    .toSorted((a, b) => compareTexts(a.account.externalId, b.account.externalId))
    .map(({ account }) => ({ entity: account, says: "", fields: {}, grounds: [] }));
  const finding = listing(headOf(selection), rows, [countGround(rows.length), ...selection.grounds]);
  return withNotes(finding, selection);
}

const countGround = (count: number): Ground => attribute("accounts", count);

function headOf({ accounts, says }: Selection): string {
  if (says !== "") return `${thereAre(accounts.length, "account")} ${says}`;
  return `There ${accounts.length === 1 ? "is" : "are"} ${several(accounts.length, "account")}`;
}

function withNotes(finding: Finding, { notes }: Selection): Finding {
  return { ...finding, says: [finding.says, ...notes].join(" ") };
}

function select(accounts: readonly PortfolioAccount[], { state, stage, plan }: AccountFilter): Selection | Silence {
  const parts = [
    ...(state === undefined ? [] : [byState(accounts, state)]),
    ...(stage === undefined ? [] : [byAttribute(accounts, "stage", stageWord, stage, `in the stage ${stage}`)]),
    ...(plan === undefined
      ? []
      : [byAttribute(accounts, "plan", planOf, plan.toLowerCase(), `on the plan ${quoted(plan)}`)]),
  ];
  const selections: Selection[] = [];
  for (const part of parts) {
    if ("silence" in part) return part;
    selections.push(part);
  }
  const selected = selections.map((selection) => new Set(selection.accounts));
  return {
    accounts: accounts.filter((account) => selected.every((some) => some.has(account))),
    says: allOf(selections.map(({ says }) => says)),
    notes: selections.flatMap(({ notes }) => notes),
    grounds: [
      ...selections.flatMap(({ grounds }) => grounds),
      ...(plan === undefined ? [] : [attribute("plan", plan)]),
    ],
  };
}

/** Only a stage that is known is told of: what health takes for granted is no knowledge. */
function stageWord({ attributes }: PortfolioAccount): string | undefined {
  const { stage, known } = readStage(attributes.stage);
  return known ? stage : undefined;
}

const planOf = ({ attributes }: PortfolioAccount): string | undefined => attributes.plan?.toLowerCase();

function byAttribute(
  accounts: readonly PortfolioAccount[],
  what: "stage" | "plan",
  read: (account: PortfolioAccount) => string | undefined,
  wanted: string,
  says: string,
): Selection | Silence {
  const without = accounts.filter((account) => read(account) === undefined).length;
  if (accounts.length > 0 && without === accounts.length) {
    return silence("unmeasured_attribute", `No account has a known ${what}.`);
  }
  const grounds = without === 0 ? [] : [attribute(`accounts_without_${what}`, without)];
  const note = `${several(without, "account")} without a known ${what} ${without === 1 ? "is" : "are"} not among them.`;
  return {
    accounts: accounts.filter((account) => read(account) === wanted),
    says,
    notes: without === 0 ? [] : [note],
    grounds,
  };
}

function byState(accounts: readonly PortfolioAccount[], state: HealthState): Selection | Silence {
  const judged = judgedOf(accounts, state !== "stale");
  if ("silence" in judged) return judged;
  const { says, notes, grounds } = judgedOn(judged);
  const inState = judged.accounts.filter(({ health }) => health.state === state).map(({ of }: Judged) => of);
  return { accounts: inState, says: `${STATE_WORDS[state]} ${says}`, notes, grounds };
}
