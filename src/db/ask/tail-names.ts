/** What the tail brings that has no name in the index yet, matched here as the index would match it. */
import { foldName, spokenKey } from "../../core/ask/names.ts";
import type { LookUps } from "../../core/ask/question/look-ups.ts";
import type { Batch, Row } from "../client/batch.ts";
import { isSuperseded } from "./entity-rows.ts";
import { knownName, type RankedName } from "./known-name.ts";
import { slipFinder, soughtSpans } from "./slips.ts";
import { IN_TAIL } from "./tail.ts";
import { nameIn, selectUnnamed } from "./unnamed.ts";

const UNNAMED_IN_TAIL = selectUnnamed(IN_TAIL, `NOT ${isSuperseded("a")}`);

export interface TailNames {
  names: RankedName[];
  plans: string[];
  /** Event names that only the tail knows, whether a question names them or not. */
  features: ReadonlySet<string>;
}

export function selectTailNames(batch: Batch, lookUps: LookUps): () => TailNames {
  const unnamed = batch.add(UNNAMED_IN_TAIL);
  const asked = {
    exact: new Set(lookUps.exact),
    folded: new Set(lookUps.folded),
    spoken: new Set(lookUps.spoken),
  };
  const { isSlip, isSpent } = slipFinder(soughtSpans(lookUps.fuzzy));
  return () => {
    const rows = unnamed();
    const slips = new Set(rows.filter((row) => row["kind"] !== "plan" && isSlip(foldName(nameIn(row).text))));
    const named = rows.filter((row) => isAsked(row, asked) || (!isSpent() && slips.has(row)));
    return {
      names: named
        .filter(({ kind }) => kind !== "plan")
        .map((row) => knownName(row, row["kind"] === "feature" ? "event" : "external_id")),
      plans: named.filter(({ kind }) => kind === "plan").map((row) => nameIn(row).text),
      features: new Set(rows.filter(({ kind }) => kind === "feature").map((row) => nameIn(row).text)),
    };
  };
}

interface Asked {
  exact: ReadonlySet<string>;
  folded: ReadonlySet<string>;
  spoken: ReadonlySet<string>;
}

function isAsked(row: Row, { exact, folded, spoken }: Asked): boolean {
  const { kind, text } = nameIn(row);
  const key = foldName(text);
  if (folded.has(key)) return true;
  return kind === "feature" && (exact.has(text) || spoken.has(spokenKey(text)));
}
