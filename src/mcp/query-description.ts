/** The description of the tool `query`, from which a language model learns the query language. Tests run its examples. */

/** Questions with their queries. */
export const EXAMPLES: readonly (readonly [question: string, query: string])[] = [
  [
    "Which accounts are at risk, with the highest MRR first?",
    '{"find":"accounts","where":[{"dimension":"health","is":"at_risk"}],"show":"list","measure":"mrr","with":["score"]}',
  ],
  [
    "How many customers have a contract that ends in the next 90 days?",
    '{"find":"accounts","where":[{"dimension":"stage","is":"active"},{"dimension":"contract_ends","within":{"next":90,"unit":"day"}}],"show":"count"}',
  ],
  [
    "What share of trials were active in the last 7 days?",
    '{"find":"accounts","of":[{"dimension":"stage","is":"trial"}],"where":[{"dimension":"active","is":true,"window":{"last":7,"unit":"day"}}],"show":"share"}',
  ],
  ["What is our MRR by plan?", '{"find":"accounts","show":"value","measure":"mrr","per":"plan"}'],
  [
    "How many events were there in each week of the last 3 months?",
    '{"find":"events","show":"count","per":"week","window":{"last":3,"unit":"month"}}',
  ],
  [
    "Which 5 accounts lost the most activity last month, compared to the month before?",
    '{"find":"accounts","show":"list","measure":"events","window":{"previous":"month"},"compare":{"to":"before"},"order":{"by":"change","direction":"up"},"limit":5}',
  ],
  [
    "Which features do the most accounts use?",
    '{"find":"features","show":"list","measure":"active_accounts","limit":10}',
  ],
  [
    "Which users were active on 10 or more of the last 28 days?",
    '{"find":"users","where":[{"dimension":"active_days","from":10}],"show":"list","measure":"active_days","window":{"last":28,"unit":"day"}}',
  ],
  [
    "Which customers churned in the last 6 months?",
    '{"find":"accounts","where":[{"dimension":"stage","became":"churned","after":"active","window":{"last":6,"unit":"month"}}],"show":"list"}',
  ],
  ["How many open inbox items are there by kind?", '{"find":"items","show":"count","per":"item_kind"}'],
];

/** Claude Code keeps 2,048 characters of a description. */
export const QUERY_DESCRIPTION = `Answers an exact query. Dimensions and values: list_dimensions. A filter has a dimension and one condition.
Filter one account: {"dimension":"account","is":<id>}; then show why explains its health, summary describes it.
An error says what a field may be: repair the query. Examples:
${EXAMPLES.map((example) => example.join(" ")).join("\n")}`;
