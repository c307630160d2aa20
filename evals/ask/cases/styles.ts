/** The ways in which a question is put. */
export const STYLES = ["plain", "terse", "passive", "polite", "typo", "jargon", "plural", "indirect"] as const;
export type Style = (typeof STYLES)[number];

/**
 * A question in each of the styles, with slots: `{account}`, `{account's}`, `{account~}` (with a slip in it), `{other}`,
 * `{user}`, `{feature}` (`report.exported`), `{spoken}` (`report exported`), `{doing}`, `{did}`, `{window}` and more.
 * What stands in `[brackets]` is said with the subject as a hint.
 */
export type Phrasings = Readonly<Record<Style, string>> & {
  /** In any style: these were held apart once. */
  readonly more: readonly string[];
};
