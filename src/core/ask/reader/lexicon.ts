/**
 * The closed lexicon: phrases and the fragments that they mean. A phrase is given in folded words; `|` divides phrases
 * of the same meaning. The longest phrase that fits counts.
 */
import type { Filter } from "../query/model.ts";
import type { Fragment } from "./fragments.ts";

const is = (dimension: string, value: string | boolean): Filter => ({ dimension, is: value });
const filter = (own: Filter): Fragment => ({ type: "filter", filter: own });
const CUSTOMERS: readonly Filter[] = [is("stage", "active")];

type Entry = readonly [phrases: string, fragment: Fragment];

const FINDS: readonly Entry[] = [
  ["account|accounts|company|companies|organization|organizations|organisation|organisations|workspace|workspaces|logo|logos|tenant|tenants|acct|accts", { type: "find", find: "accounts" }],
  ["customer|customers|client|clients|paying account|paying accounts|paying customer|paying customers", { type: "find", find: "accounts", where: CUSTOMERS }],
  ["user|users|person|people|persons|ppl|employee|employees|member|members|team member|team members|contact|contacts|seat holder|anybody|anyone|somebody|someone", { type: "find", find: "users" }],
  ["feature|features|functionality|functionalities|capability|capabilities|event type|event types|kind of event|kinds of events|event name|event names|action type|tool", { type: "find", find: "features" }],
  ["item|items|inbox item|inbox items|inbox|notice|notices|alert|alerts|warning|warnings|notification|notifications|signal|signals|flag|flags", { type: "find", find: "items" }],
];

const FORMS: readonly Entry[] = [
  ["how many|number of|count|count of|the count of|total number of|how much|how many of", { type: "form", show: "count" }],
  ["which|list|show|name|give|give me|show me|tell me which|what are|find|which of|any|what", { type: "form", show: "list" }],
  ["who|whose|whom|who all", { type: "form", show: "list", who: true }],
  ["when|what date|which date|what day|on which date|on what date|since when|how long ago", { type: "form", show: "when" }],
  ["why|how come|what is the reason|what are the reasons|reason|reasons|explain", { type: "form", show: "why" }],
  ["is|are|was|were|did|does|do|has|have|had|is there|are there|was there|were there|has there been|do we have|did any|have any", { type: "form", show: "yes_no" }],
  ["tell me about|tell me more about|summary|summary of|summarize|summarise|overview|overview of|status of|how is|how are|how s|how are things with|what is going on with|what is up with|what do we know about|profile of|info on|information on|brief me on|snapshot of|update on|details of|state of|doing", { type: "form", show: "summary" }],
];

const MEASURES: readonly Entry[] = [
  ["event|events|activity|usage|use count|actions|action|volume|clicks|times|how often|often|engagement events", { type: "measure", measure: "events" }],
  ["active users|active people|active user|users active|weekly active users|monthly active users|daily active users|wau|mau|dau|active seats|people active", { type: "measure", measure: "active_users" }],
  ["active days|days active|days of activity|days with activity|active day|on how many days|how many days|number of days", { type: "measure", measure: "active_days" }],
  ["active accounts|accounts active", { type: "measure", measure: "active_accounts" }],
  ["mrr|monthly recurring revenue|revenue|monthly revenue|recurring revenue|contract value|pays|pay|paying us|spend|spends|worth", { type: "measure", measure: "mrr" }],
  ["arr|annual recurring revenue|annual revenue|yearly revenue|annualized revenue", { type: "measure", measure: "arr" }],
  ["seats|seat|licenses|licences|seat count|number of seats|license count", { type: "measure", measure: "seats" }],
  ["seat use|seat usage|seat utilization|seat utilisation|utilization|utilisation|license utilization|licence utilisation|share of seats used|seats used|seats in use|percent of seats", { type: "measure", measure: "seat_use" }],
  ["score|scores|health score|health scores|health|healthiness|health value", { type: "measure", measure: "score" }],
  ["adoption|adoption rate|uptake|penetration", { type: "measure", measure: "adoption" }],
  ["features used|number of features|distinct features|breadth", { type: "measure", measure: "features_used" }],
];

const DIMENSIONS: readonly Entry[] = [
  ["plan|plans|tier|tiers|subscription|package|pricing plan|edition", { type: "dimension", dimension: "plan" }],
  ["stage|stages|lifecycle|lifecycle stage|customer stage|status", { type: "dimension", dimension: "stage" }],
  ["currency|currencies", { type: "dimension", dimension: "currency" }],
  ["trial end|trial ends|trial end date|trials end|trial run out|trial expire|trial expires|trials expiring|trial expiry|trial ending|trials ending|end of trial|end of the trial|trial over|trial runs out", { type: "dimension", dimension: "trial_ends" }],
  ["health state|health states|health status|health band|health category", { type: "dimension", dimension: "health" }],
  ["last seen|last active|last activity|last event|last login|most recent activity|latest activity|latest event|last used|last use|last time", { type: "dimension", dimension: "last_seen" }],
  ["first seen|first event|first activity|first active|first used|first use|first time|signed up|sign up|joined|onboarded|started with us|new since", { type: "dimension", dimension: "first_seen" }],
  ["kind of notice|notice type|notice types|kind of notices|kinds of notices|item kind|type of notice|types of notices|kinds of warnings|kind|type|types|kinds", { type: "dimension", dimension: "item_kind" }],
  ["severity|severities|priority|urgency", { type: "dimension", dimension: "severity" }],
];

const FILTERS: readonly Entry[] = [
  ["at risk|at risk accounts|in danger|in trouble|red|red accounts|risk|in the red|struggling|unhealthy|sick|risky|churn risk|churn risks", filter(is("health", "at_risk"))],
  ["healthy|green|in good health|in good shape|doing well|doing fine", filter(is("health", "healthy"))],
  ["watch|on watch|watchlist|yellow|amber|on the watch list|to watch", filter(is("health", "watch"))],
  ["insufficient data|not enough data|no score|without a score|unscored|no score yet", filter(is("health", "insufficient_data"))],
  ["trial|trials|on trial|in trial|trialing|trialling|in a trial|trial accounts|trial account|free trial|on a trial|trialists", filter(is("stage", "trial"))],
  ["churned|lost|gone|cancelled|canceled|former|left us|ex customers|churned accounts|churned customers", filter(is("stage", "churned"))],
  ["paid|converted customers|live|live customers", filter(is("stage", "active"))],
  ["active|in use|alive|still around|around|using the product|using it|engaged", filter(is("active", true))],
  ["inactive|silent|quiet|dormant|idle|dead|gone silent|gone quiet|went quiet|went silent|no activity|no events|no event|no usage|not a single event|without activity|without events|without any event|without any events|without usage|nobody touched|absent|stopped using the product|stopped using us", filter(is("active", false))],
  ["company account|business account|companies only", filter(is("kind", "company"))],
  ["personal account|personal accounts|solo account|solo accounts|individuals", filter(is("kind", "solo"))],
  ["open|unresolved|still open|outstanding|pending", filter(is("status", "open"))],
  ["snoozed|on snooze", filter(is("status", "snoozed"))],
  ["dismissed|put aside|ignored", filter(is("status", "dismissed"))],
  ["resolved|closed|solved|auto resolved", filter(is("status", "resolved"))],
  ["critical|critical severity", filter(is("severity", "critical"))],
  ["high severity|high priority|severity high|urgent|severe", filter(is("severity", "high"))],
  ["medium severity|medium priority|severity medium", filter(is("severity", "medium"))],
  ["low severity|low priority|severity low|minor", filter(is("severity", "low"))],
  ["became a customer|become a customer|became customers|become customers|converted|convert|converting|signed|won|did we win|new customers|new customer|turned into customers|went live|bought", filter({ dimension: "stage", became: "active" })],
  ["churn|cancel|leave us|left|did we lose|we lost|lost us|cancelled on us|churning", filter({ dimension: "stage", became: "churned" })],
  ["started a trial|began a trial|new trials|new trial|started trials|trials started|start a trial", filter({ dimension: "stage", became: "trial" })],
  ["newly at risk|became at risk|fell to at risk|turned red|new at risk|moved to at risk|went to at risk|dropped to at risk", filter({ dimension: "health", became: "at_risk" })],
  ["recovered|became healthy|turned healthy|back to healthy|turned green", filter({ dimension: "health", became: "healthy" })],
  ["reduced seats|cut seats|seat reduction|seat reductions|fewer seats than before|reduced their seats|cut their seats|removed seats|seats reduced|seats went down", filter({ dimension: "seats", changed: "down" })],
  ["added seats|more seats than before|bought seats|expanded seats|bought more seats|seat expansion|seats went up|added licenses", filter({ dimension: "seats", changed: "up" })],
  ["downgraded|downgrade|contracted|mrr went down|reduced mrr|mrr contraction|contraction", filter({ dimension: "mrr", changed: "down" })],
  ["upgraded|upgrade|expanded|mrr went up|mrr expansion|expansion|upsold", filter({ dimension: "mrr", changed: "up" })],
];

const ITEM_KINDS: readonly Entry[] = [
  ["usage drop|usage drops|usage dropped|drop in usage", filter(is("item_kind", "usage_drop"))],
  ["slow decline|slow declines|declining slowly", filter(is("item_kind", "slow_decline"))],
  ["went silent notice|gone silent notice|silence notice", filter(is("item_kind", "gone_silent"))],
  ["champion left|champion gone|key user quiet|key user left|champion quiet|champion leaving|lost champion|champions left|lost their champion|key users quiet", filter(is("item_kind", "key_user_quiet"))],
  ["seats nearly full|running out of seats|nearly full|almost out of seats", filter(is("item_kind", "seats_nearly_full"))],
  ["usage growth|ready to buy more|upsell|upsell notice|ready to expand|expansion ready", filter(is("item_kind", "usage_growth"))],
  ["feature dropped|dropped a feature|feature no longer used|stopped using a feature", filter(is("item_kind", "feature_dropped"))],
  ["trial ending|trial ending soon|trial with low activity", filter(is("item_kind", "trial_ending_low_activity"))],
  ["ready trial|trial ready to buy|trials ready to buy", filter(is("item_kind", "trial_ending_ready"))],
  ["trial expired|expired trial|expired trials|trials expired", filter(is("item_kind", "trial_expired"))],
  ["never activated|not activated", filter(is("item_kind", "never_activated"))],
  ["health dropped|health drop|health drops|score drop|score drops", filter(is("item_kind", "health_dropped"))],
  ["tracking stopped|tracking stop|data stopped", filter(is("item_kind", "tracking_stopped"))],
];

const USES: readonly Entry[] = [
  ["use|uses|used|using|do|doing|did|tried|touched|touch|adopted|adopt|picked up|pick up|work with|works with|had|ran", { type: "use", use: "uses" }],
  ["never used|not used|never tried|never touched|have not used|have not touched|has not used|do not use|does not use|not using|not touched|not tried|without using|never", { type: "use", use: "uses_not" }],
  ["stopped using|stopped|no longer use|no longer uses|no longer used|quit using|gave up|dropped|abandoned|not any more|do not use any more", { type: "use", use: "stopped" }],
  ["started using|began using|start using|started|newly use", { type: "use", use: "started" }],
];

const BOUNDS: readonly Entry[] = [
  ["more than|over|above|greater than|exceeding|exceed|exceeds|higher than|larger than|bigger than|better than|upwards of|>", { type: "bound", condition: "over" }],
  ["less than|fewer than|under|below|lower than|smaller than|worse than|<", { type: "bound", condition: "under" }],
  ["at least|no less than|no fewer than|minimum of|min|from|≥|or more|and more|and above|and up|+", { type: "bound", condition: "from" }],
  ["at most|no more than|maximum of|max|up to|≤|or less|or fewer|and below", { type: "bound", condition: "to" }],
  ["exactly|equal to|equals|precisely|=", { type: "bound", condition: "is" }],
];

const ORDERS: readonly Entry[] = [
  ["top|most|highest|biggest|largest|greatest|maximum|best|leading|heaviest|strongest|most first|highest first|descending|desc|most active|busiest|first", { type: "order", direction: "down" }],
  ["bottom|least|fewest|lowest|smallest|minimum|worst|weakest|lowest first|ascending|asc|least active|last|poorest", { type: "order", direction: "up" }],
  ["newest|latest|most recent|newest first|recent", { type: "order", direction: "down", by: "recent" }],
  ["oldest|earliest|oldest first|soonest|soonest first|next", { type: "order", direction: "up", by: "recent" }],
];

const CHANGES: readonly Entry[] = [
  ["grew|grow|growing|growth|increase|increased|increasing|rise|rose|rising|gained|gain|went up|go up|up|improved|improve|improving|fastest growing|growers|risers|better", { type: "change", direction: "up" }],
  ["fell|fall|falling|drop|drops|dropping|decline|declined|declining|decrease|decreased|decreasing|shrank|shrink|shrinking|lost most|went down|go down|down|worsened|worse|decliners|droppers|slipped|slid|dipped", { type: "change", direction: "down" }],
  ["trend|trends|trending|change|changed|changes|development|evolve|evolved|over time|week over week|month over month|wow|mom|compared to before", { type: "change", direction: null }],
];

const OTHERS: readonly Entry[] = [
  ["compared with|compared to|compare|versus|vs|against|in comparison with|in comparison to|relative to|than|comparison", { type: "compare" }],
  ["before|the period before|the time before|previously|before that|prior period|previous period|than before|the weeks before|the month before|the week before", { type: "before" }],
  ["per|by|for each|for every|each|every|split by|broken down by|grouped by|breakdown by|by each|across|split of|breakdown of|split|breakdown", { type: "per" }],
  ["per day|daily|by day|each day|every day|day by day", { type: "per", per: "day" }],
  ["per week|weekly|by week|each week|every week|week by week", { type: "per", per: "week" }],
  ["per month|monthly|by month|each month|every month|month by month", { type: "per", per: "month" }],
  ["average|avg|mean|on average|typical", { type: "total", total: "average" }],
  ["total|sum|sum of|overall|altogether|combined|in total|all together|together", { type: "total", total: "sum" }],
  ["not|no|without|except|excluding|other than|apart from|besides|never|none|nobody|zero|no one|non|isn t|lacking|minus", { type: "negation" }],
  ["or|and or|either", { type: "or" }],
  ["unknown|missing|not set|not recorded|blank|empty|not filled in|undefined|unset|no value", { type: "unknown", unknown: true }],
];

/** Words that change nothing in any question. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a an the of in on at to for with and our my your their its his her us we i you they it he she them me this that these those there here " +
    "please pls plz thanks thank thx hi hello hey dear team morning good afternoon evening cheers ok okay so well now currently right just " +
    "can could would will shall may might should do does did be been being am is are was were has have had having " +
    "s t d re ve m want need like know see look get got tell say let find out check wondering curious quick quickly question " +
    "also too really actually maybe perhaps all some both who which what as than then into from by about"
  ).split(" "),
);

const ENTRIES = [...FINDS, ...FORMS, ...MEASURES, ...DIMENSIONS, ...FILTERS, ...ITEM_KINDS, ...USES, ...BOUNDS, ...ORDERS, ...CHANGES, ...OTHERS];

export const MAX_PHRASE_WORDS = 6;

/** By phrase: everything that it may mean. */
export const LEXICON: ReadonlyMap<string, readonly Fragment[]> = lexiconOf(ENTRIES);

function lexiconOf(entries: readonly Entry[]): Map<string, Fragment[]> {
  const lexicon = new Map<string, Fragment[]>();
  for (const [phrases, fragment] of entries)
    for (const phrase of phrases.split("|")) lexicon.set(phrase, [...(lexicon.get(phrase) ?? []), fragment]);
  return lexicon;
}
