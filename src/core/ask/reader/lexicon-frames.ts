/** What is said around nouns and conditions: use, bounds, rankings, changes, groups. */
import type { Fragment } from "./fragments.ts";
import { type Entry, EVENTS } from "./lexicon-entry.ts";

const order = (direction: "up" | "down", by?: Extract<Fragment, { type: "order" }>["by"]): Fragment => ({
  type: "order",
  direction,
  ...(by && { by }),
});

const USES: Fragment = { type: "use", use: "uses" };
const NEVER: Fragment = { type: "use", use: "never" };
const STOPPED: Fragment = { type: "use", use: "stopped" };
const BY: Fragment = { type: "per" };
const EACH: Fragment = { type: "per", isStrict: true };

export const USE: readonly Entry[] = [
  [
    "use|uses|used|using|tried|try|touched|touch|adopted|adopt|adopters of|picked up|pick up|took up|take up|taken up|work with|works with|ran|likes|like|makes use of|make use of|making use of|still use|still uses|still using|still used|users of|people who use|has ever used|ever used|adopters|make|made|makes|making|perform|performed|generate|generated",
    USES,
  ],
  [
    "left|raised|opened|triggered|came in|come in|fired|popped up|write|writes|wrote|written",
    { type: "use", use: "arose" },
  ],
  [
    "never used|never tried|never touched|never use|never|never ever|have never|has never|not ever|never once|not yet|not once",
    NEVER,
  ],
  [
    "stopped using|stopped|no longer use|no longer uses|no longer used|no longer using|no longer|quit using|gave up|abandoned|stopped to use|stop using|stop|quit|gave up on|do not use any more|not use any more|not any more|not use anymore|not anymore",
    STOPPED,
  ],
  ["users of", { type: "find", find: "users" }],
  [
    "started using|began using|start using|newly use|newly using|for the first time|start|starts|began|begin",
    { type: "use", use: "started" },
  ],
];

export const NUMBERS: readonly Entry[] = [
  [
    "more than|over|above|greater than|exceeding|exceed|exceeds|higher than|larger than|bigger than|upwards of|and more than|or more than|>|longer than|older than|more then",
    { type: "bound", condition: "over" },
  ],
  [
    "less than|fewer than|under|below|lower than|smaller than|<|less then|shorter than|beneath",
    { type: "bound", condition: "under" },
  ],
  [
    "at least|no less than|no fewer than|minimum of|min|minimum|≥|or more|and more|and above|and up|or over|or above|or higher|or longer|plus|not less than|not fewer than",
    { type: "bound", condition: "from" },
  ],
  [
    "at most|no more than|maximum of|max|up to|≤|or less|or fewer|and below|or under|or below|or lower|not more than",
    { type: "bound", condition: "to" },
  ],
  ["exactly|equal to|equals|precisely|=|just|only", { type: "bound", condition: "is" }],
  ["half|half of|half the|half of the", { type: "number", value: 50, unit: "percent" }],
];

export const ORDERS: readonly Entry[] = [
  [
    "most|highest|greatest|highest first|most first|descending|desc|ranked|ranking|ranking of|mostly|maximum of|high to low|rank by|most often|most frequently|most of all|most heavily|more|better|bigger|larger|most enthusiastically|ranked by|sorted by|ordered by|sort by|order by|fastest|quickest",
    order("down"),
  ],
  [
    "bottom|least|fewest|lowest|lowest first|ascending|asc|low to high|least often|fewest first|least frequently|less|lower|fewer|worse|smaller",
    order("up"),
  ],
  ["top|leading", { type: "order", direction: "down", isTop: true }],
  ["higher", order("down")],
  ["biggest|largest|big ones first|biggest first|largest first", order("down", "size")],
  ["smallest|tiniest|smallest first", order("up", "size")],
  ["most valuable|highest paying|best paying|pays most|pays the most|pay most|pay the most", order("down", "mrr")],
  ["lowest paying|pays least|pays the least", order("up", "mrr")],
  [
    "healthiest|best health|best first|highest health|stars|the stars|healthier|in better health|doing better|doing best",
    order("down", "score"),
  ],
  [
    "worst health|worst first|least healthy|unhealthiest|poorest|weakest|lowest health|riskiest|in worse health|sickest|doing worse|doing worst|worse off",
    order("up", "score"),
  ],
  ["best|strongest|popular|most popular|most common", order("down")],
  ["least popular|least common", order("up")],
  ["most adopted|best adopted", order("down"), { type: "measure", measure: "adoption" }],
  ["least adopted", order("up"), { type: "measure", measure: "adoption" }],
  ["worst", order("up")],
  ["power users|power user|heavy users|heaviest users", order("down", "events"), { type: "find", find: "users" }],
  [
    "had the most active users|had most active users|has the most active users|have the most active users|has most active users|with the most active users|with most active users",
    order("down"),
    { type: "measure", measure: "active_users" },
  ],
  [
    "most active|busiest|most used|most engaged|heaviest|most activity|used most|being used most|used the most|uses it most|use it most|use it the most|most usage|most frequently used|most often used|most active first",
    order("down", "events"),
  ],
  [
    "least active|least used|least engaged|used least|used the least|least usage|most inactive|rarely used|least activity|quietest",
    order("up", "events"),
  ],
  ["by date", order("up", "date")],
  ["renews first|renews next|renew first|renew next", { type: "dimension", dimension: "renewal" }, order("up", "time")],
  ["alphabetical|alphabetically|in alphabetical order|by name|a to z", order("up", "name")],
  [
    "busiest day|busiest days|best day|best days|peak day|most active day|most active days|best and worst days",
    order("down", "events"),
    { type: "per", per: "day" },
  ],
  [
    "busiest week|busiest weeks|best week|peak week|most active week",
    order("down", "events"),
    { type: "per", per: "week" },
  ],
  ["busiest month|best month|peak month|most active month", order("down", "events"), { type: "per", per: "month" }],
  ["quietest day|slowest day|worst day|least active day", order("up", "events"), { type: "per", per: "day" }],
  ["newest|latest|most recent|newest first|most recently opened|recent|latest first", order("down", "time")],
  ["oldest|earliest|oldest first|soonest|soonest first|earliest first|next up|next", order("up", "time")],
];

export const CHANGES: readonly Entry[] = [
  [
    "grew|grow|growing|growth|growth in|increase|increased|increases|increasing|rise|rises|rose|rising|risen|gained|gain|went up|go up|gone up|going up|is up|are up|fastest growing|growers|risers|better than before|grown|climbed|picked up usage|on the rise|ramping up|accelerating|trending up|increase in|rise in|higher than before",
    { type: "change", direction: "up" },
  ],
  [
    "fell|fall|falls|falling|fallen|drop|drops|dropped|dropping|decline|declined|declines|declining|decrease|decreased|decreasing|decreases|shrank|shrink|shrinking|shrunk|went down|go down|gone down|going down|is down|are down|decliners|droppers|slipped|slid|dipped|dip|slipping|trending down|drop in|fall in|decline in|slowed down|slowing down|lost most|lost the most|lower than before|gone downhill",
    { type: "change", direction: "down" },
  ],
  ["added|add|expanded", { type: "change", direction: "up", by: "what" }],
  ["up", { type: "change", direction: "up", by: "what" }],
  ["down", { type: "change", direction: "down", by: "what" }],
  [
    "lost users|lose users|losing users",
    { type: "measure", measure: "active_users" },
    { type: "change", direction: "down" },
  ],
  [
    "reduce|reduced|reducing|reduction|reductions|cut|cuts|cutting|cut back|removed",
    { type: "change", direction: "down", by: "what" },
  ],
  [
    "trend|trends|trending|change|changed|changes|development|evolve|evolved|develop|developed|week over week|month over month|wow|mom|compared to before|change in|changes in|moved|moving|go up or down|went up or down|up or down|gone up or down",
    { type: "change", direction: null },
  ],
];

export const OTHERS: readonly Entry[] = [
  [
    "went from|moved from|dropped from|slipped from|changed from|fell from|turned from|switched from|moving from|going from|gone from|upgraded from|downgraded from",
    { type: "moved", isFrom: true },
  ],
  [
    "became|become|turned|turn|turns|go|turned into|went|newly|went to|went into|moved to|moved into|moved up to|fell to|fell into|dropped to|slipped to|slipped into|slid to|slid into|switched to|changed to|upgraded to|downgraded to|upgrade to|downgrade to",
    { type: "moved" },
  ],
  [
    "are all|is every|do all|does every|did all|have all|has every|were all|is each|does each of|are all of",
    { type: "share" },
  ],
  [
    "improved|improve|improves|improving|improvement|improvements|improvement in|getting better|get better|got better|gotten better|recovering",
    { type: "change", direction: "up", by: "score" },
  ],
  [
    "worsened|worsen|worsening|getting worse|get worse|got worse|gotten worse|deteriorated|deteriorating|deteriorate",
    { type: "change", direction: "down", by: "score" },
  ],
  ["seen for the first time", { type: "new" }],
  ["signed up|sign up|signs up|joined|join|onboarded|created", { type: "new" }],
  ["last|the last", { type: "dimension", dimension: "last_seen" }],
  ["did usage drop|did usage fall|did usage go down", EVENTS, { type: "change", direction: "down" }],
  ["usage drop|usage drops|drop in usage|drops in usage", EVENTS, { type: "change", direction: "down" }],

  ["new|brand new|what new|whats new|what is new|newly added|newly seen", { type: "new" }],
  [
    "expired|lapsed|ended|run out already|over already|already over|already ended|already expired|already lapsed|is over|passed|have run out|ran out",
    { type: "over" },
  ],
  [
    "compared with|compared to|compare|versus|vs|against|in comparison with|in comparison to|relative to|than|comparison|compared against|difference between|difference in|any difference|any difference between|side by side|or rather|comparing|any difference in|ratio|ratio of",
    { type: "compare" },
  ],
  [
    "before|the week before|the month before|the quarter before|the day before|the year before|the previous one|the week prior|the month prior|the period before|the time before|previously|before that|prior period|previous period|than before|the weeks before|than it was|than previously|the period prior|the one before",
    { type: "before" },
  ],
  ["per|for each|for every|each|by each|in each|at each|does each|from each|of each|on each of|on each|each of", EACH],
  [
    "split by|broken down by|grouped by|breakdown by|split of|breakdown of|split|breakdown|divided by|group by|distribution of|distribution by|distribution",
    { type: "per", isSplit: true },
  ],
  ["by|across|by the|across all the", BY],
  [
    "per day|daily|by day|each day|every day|day by day|a day|on each day|per calendar day",
    { type: "per", per: "day" },
  ],
  ["which day|what day|which days", { type: "per", per: "day" }],
  [
    "per week|weekly|by week|each week|every week|week by week|a week|week on week|over time|weekly trend of|weekly trend|per calendar week|in which weeks|which weeks|which week",
    { type: "per", per: "week" },
  ],
  [
    "per month|monthly|by month|each month|every month|month by month|a month|which month|what month|in which month|in which months",
    { type: "per", per: "month" },
  ],
  ["average|avg|mean|on average|the average|an average", { type: "aggregate", aggregate: "average" }],
  ["median", { type: "aggregate", aggregate: "median" }],
  [
    "total|sum|sum of|overall|altogether|combined|in total|all together|add up|sum up|totals|total of|the total|together",
    { type: "aggregate", aggregate: "sum" },
  ],
  [
    "share|share of|percentage of|percent of|percentage|proportion of|proportion|fraction of|fraction|what share of|what percentage of|what percent of|what proportion of|percent|%|what part of|what fraction of|how big a share of",
    { type: "share" },
  ],
  [
    "with their|along with|together with|and their|including their|plus their|including|as well as their|and show|and his|and her",
    { type: "with" },
  ],
  [
    "all but|everyone but|everybody but|not|no|without|except|excluding|other than|apart from|besides|none|nobody|zero|no one|non|lacking|minus|dont|doesnt|didnt|havent|hasnt|isnt|arent|wasnt|w o|without a single|no single|without any|outside|outside of|without having|neither",
    { type: "negation" },
  ],
  ["rank among|rank among all|ranks among|rank against|ranked among", { type: "compare" }],
  ["or|nor|and or|respectively", { type: "or" }],
  [
    "unknown|missing|not set|not recorded|blank|empty|not filled in|undefined|unset|no value|do not have a|do not have an|not have a|not have an|without a|without an",
    { type: "unknown", unknown: true },
  ],
  ["known|filled in|set|recorded|given", { type: "unknown", unknown: false }],
  [
    "that account|this account|this customer|that customer|this company|their account",
    { type: "pointer", at: "account" },
  ],
  ["this user|that user|this person|that person|he|she|him|her|his", { type: "pointer", at: "user" }],
  ["it|they|this|that one|this one|them|those", { type: "pointer", at: "any" }],
];
