/** What is known about a workspace when a question is read. */
import type { Day } from "../../../health/model.ts";
import type { Dimension } from "../../query/dimensions.ts";
import type { NameMatch } from "./match-names.ts";

export interface Vocabulary {
  /** The names that were found for the question. */
  names: readonly NameMatch[];
  /** All event names of the workspace. */
  events: readonly string[];
  dimensions: readonly Dimension[];
  today: Day;
  /** The first day with records. */
  firstDay?: Day;
}
