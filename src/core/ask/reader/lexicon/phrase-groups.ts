/**
 * The lexicon's data: files of phrase groups. A group has the fragments that each of its phrases yields, so a new phrase
 * is one more text in one line. The build checks them against `phrase-group-schema.ts`.
 */
import type { Fragment } from "../fragments/fragments.ts";
import activity from "./phrases/activity.json" with { type: "json" };
import changes from "./phrases/changes.json" with { type: "json" };
import forms from "./phrases/forms.json" with { type: "json" };
import ignored from "./phrases/ignored.json" with { type: "json" };
import inbox from "./phrases/inbox.json" with { type: "json" };
import measures from "./phrases/measures.json" with { type: "json" };
import nouns from "./phrases/nouns.json" with { type: "json" };
import numbers from "./phrases/numbers-and-rankings.json" with { type: "json" };
import refused from "./phrases/refused.json" with { type: "json" };
import states from "./phrases/states.json" with { type: "json" };
import uses from "./phrases/uses.json" with { type: "json" };

export interface PhraseGroup {
  /** The fragments that each phrase yields. None: the phrase is ignored. */
  means: readonly Fragment[];
  /** In lower case, without punctuation, sorted. `~` stands for any word for a notice. */
  phrases: readonly string[];
}

/** All groups. If a phrase is in several groups, its meanings are tried in the order of the groups. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript widens texts of JSON, and the build checks them.
export const PHRASE_GROUPS = [
  ...nouns,
  ...ignored,
  ...forms,
  ...measures,
  ...states,
  ...activity,
  ...inbox,
  ...uses,
  ...numbers,
  ...changes,
  ...refused,
] as readonly PhraseGroup[];
