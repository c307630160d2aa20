/** The description of the tool `query`, from which a language model learns the query language. Tests run its examples. */
import { MEASURES } from "../core/ask/query/model.ts";

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

export const QUERY_DESCRIPTION = `Answers an exact query: find entities, filter them (where), and show something about them.
A filter has a dimension and one condition: is, isNot, in, over, under, from, to, within, isUnknown, became, newly, changed. All filters must hold.
Measures: ${MEASURES.join(", ")}. Dimensions and their values: call list_dimensions. A customer's traits are named account.… or user.….
Window: {"last": 30, "unit": "day"}, {"next": …}, {"this": "month"}, {"previous": "month"}, {"from", "to"} or {"all": true}. Default: the last 28 days.
To filter by one account or user: {"dimension": "account", "is": <id>}; show why explains the health of one account, summary describes it.
An error names the field and what it may be: repair the query and call again. Examples:
${EXAMPLES.map((example) => example.join(" ")).join("\n")}`;
