/**
 * The closed lexicon: phrases and the fragments that they mean. A phrase is given in folded words; `|` divides phrases
 * of the same meaning. The longest phrase that fits counts.
 */
import type { Filter } from "../query/model.ts";
import type { Fragment } from "./fragments.ts";
import { REASONS } from "./reasons.ts";

const is = (dimension: string, value: string | boolean): Filter => ({ dimension, is: value });
const filter = (own: Filter): Fragment => ({ type: "filter", filter: own });
const order = (direction: "up" | "down", by?: Extract<Fragment, { type: "order" }>["by"]): Fragment => ({
  type: "order",
  direction,
  ...(by && { by }),
});

type Entry = readonly [phrases: string, ...fragments: Fragment[]];

const CUSTOMER: Fragment = { type: "find", find: "accounts", where: [is("stage", "active")] };
const TRIALS: Fragment = { type: "find", find: "accounts", where: [is("stage", "trial")] };
const USES: Fragment = { type: "use", use: "uses" };
const NEVER: Fragment = { type: "use", use: "never" };
const STOPPED: Fragment = { type: "use", use: "stopped" };
const EVENTS: Fragment = { type: "measure", measure: "events" };
const INACTIVE = filter(is("active", false));
const BY: Fragment = { type: "per" };
const EACH: Fragment = { type: "per", isStrict: true };

const FINDS: readonly Entry[] = [
  [
    "account|accounts|company|companies|organization|organizations|organisation|organisations|workspaces|logo|logos|tenant|tenants|acct|accts|firm|firms",
    { type: "find", find: "accounts" },
  ],
  [
    "customer|customers|client|clients|customers only|only customers|customers that is|paying account|paying accounts|paying customer|paying customers|paying client|paying clients|customer accounts",
    CUSTOMER,
  ],
  ["trials|trialists|trial accounts|trial customers|accounts on trial|deals in trial|trialers", TRIALS],
  ["renewals|renewal", { type: "find", find: "accounts" }, { type: "dimension", dimension: "renewal" }],
  [
    "ex customer|ex customers|former customer|former customers|churned customer|churned customers|lost customer|lost customers",
    { type: "find", find: "accounts", where: [is("stage", "churned")] },
  ],
  [
    "user|users|person|people|persons|ppl|employee|employees|member|members|team member|team members|contact|contacts|seat holder|seat holders|folks|colleagues",
    { type: "find", find: "users" },
  ],
  [
    "feature|features|functionality|functionalities|capability|capabilities|event type|event types|kind of event|kinds of events|kinds of event|event name|event names|action type|functions|different features",
    { type: "find", find: "features" },
  ],
  [
    "item|items|inbox item|inbox items|inbox|notice|notices|alert|alerts|warning|warnings|notification|notifications|signal|signals|flag|flags|in the inbox",
    { type: "find", find: "items" },
  ],
];

const FORMS: readonly Entry[] = [
  [
    "how many|number of|count|count of|the count of|total number of|how much|how many of|how many different|number|how many are there|how many are they",
    { type: "form", show: "count" },
  ],
  [
    "which|wich|list|show|name|give me|show me|what are|find|which of|list of|every|list me|rank|sort|order|whats|which are",
    { type: "form", show: "list" },
  ],
  [
    "any|anything|is there any|are there any|has any|have any|did any|do any|do we have any|are any",
    { type: "form", show: "yes_no" },
  ],
  [
    "who|whose|whom|who all|everyone|everybody|anyone|anybody|someone|somebody|those who|anyone who|everyone who",
    { type: "form", show: "list", who: true },
  ],
  [
    "has anyone|has anybody|did anyone|did anybody|does anybody|does anyone|is anyone|is anybody|was anyone|have any people",
    { type: "form", show: "yes_no" },
    { type: "form", show: "list", who: true },
  ],
  ["which one|which one is|which of the two|which of them", { type: "form", show: "list", isOne: true }],
  [
    "when|what date|which date|what day|on which date|on what date|since when|how long ago|which day|when exactly",
    { type: "form", show: "when" },
  ],
  [
    "why|how come|what is the reason|what the reason|what the reason that|what are the reasons|reason|reasons|reasons for|reasons behind|reason for|reason behind|what is the reason that|the reason that|explain|what explains|what is behind",
    { type: "form", show: "why" },
  ],
  ["yes or no", { type: "form", show: "yes_no" }],
  [
    "tell me about|what s changed|what s changed at|what changed|what happening|what happening at|what up with|what going on with|what going on at|what changed at|what has changed|what has changed at|what happened|what happened at|what happened with|what s happening|what s happening at|whats happen|whats happening|what happens|what is happening|what is happening at|do what|been doing|been up to|doing|tell me more about|tell me everything about|summary|summary of|summarize|summarise|overview|overview of|status of|status|how is|how are|how s|how are things with|how are things at|what is going on with|what is going on at|what is up with|what do we know about|profile of|profile|info on|information on|brief me on|snapshot of|update on|details of|details on|state of|give me a summary of|everything on|what s up with|how is it going at|how is it going with",
    { type: "form", show: "summary" },
  ],
];

/** Auxiliary verbs ask for yes or no where they begin a question. Elsewhere they change nothing. */
export const AUXILIARIES: ReadonlySet<string> = new Set("is are was were did does do has have had".split(" "));

const MEASURES: readonly Entry[] = [
  [
    "times|event|events|activity|usage|use count|actions|action|event count|number of events|total events|events in total|api traffic|event volume|activities|event counts|product usage|total usage",
    EVENTS,
  ],
  [
    "how often|how much activity|how many times|how frequently|how much usage|how heavily",
    { type: "form", show: "count" },
    EVENTS,
  ],
  [
    "how many days|on how many days|number of days",
    { type: "form", show: "count" },
    { type: "measure", measure: "active_days" },
  ],
  [
    "active users|active people|active user|active seats|distinct users|unique users|active persons|active members|number of active users|active user count|different users|different people",
    { type: "measure", measure: "active_users" },
  ],
  [
    "daily active users|dau|daily active people",
    { type: "measure", measure: "active_users" },
    { type: "per", per: "day" },
  ],
  [
    "weekly active users|wau|weekly active people",
    { type: "measure", measure: "active_users" },
    { type: "per", per: "week" },
  ],
  [
    "monthly active users|mau|monthly active people",
    { type: "measure", measure: "active_users" },
    { type: "per", per: "month" },
  ],
  [
    "active days|days active|days of activity|days with activity|active day|days with events",
    { type: "measure", measure: "active_days" },
  ],
  ["active accounts|active companies", filter(is("active", true)), { type: "find", find: "accounts" }],
  ["active customers|active clients", filter(is("active", true)), CUSTOMER],
  ["number of active accounts", { type: "measure", measure: "active_accounts" }],
  [
    "mrr|monthly recurring revenue|revenue|monthly revenue|recurring revenue|monthly fee|pays|pay|pay us|pays us|paying us|spend|spends|spending|mrr amount|contract value|monthly spend",
    { type: "measure", measure: "mrr" },
  ],
  ["paying", { type: "measure", measure: "mrr" }],
  [
    "arr|annual recurring revenue|annual revenue|yearly revenue|annualized revenue|annualised revenue|yearly recurring revenue",
    { type: "measure", measure: "arr" },
  ],
  [
    "seats|seat|licenses|licences|seat count|number of seats|license count|licence count|seats they pay for|paid seats|seats bought",
    { type: "measure", measure: "seats" },
  ],
  [
    "seat use|seat usage|seat utilization|seat utilisation|utilization|utilisation|license utilization|licence utilisation|share of seats used|seats used|seats in use|percent of seats|percentage of seats used|share of active seats|seat occupancy|seat fill",
    { type: "measure", measure: "seat_use" },
  ],
  [
    "score|scores|health score|health scores|health|healthiness|health value|how healthy|current health|health points",
    { type: "measure", measure: "score" },
  ],
  ["adoption|adoption rate|uptake|penetration|feature adoption", { type: "measure", measure: "adoption" }],
  [
    "number of features used|number of features|distinct features|breadth|number of different features|feature count|breadth of use",
    { type: "measure", measure: "features_used" },
  ],
];

const DIMENSIONS: readonly Entry[] = [
  [
    "plan|plans|tier|tiers|subscription|package|pricing plan|edition|pricing tier",
    { type: "dimension", dimension: "plan" },
  ],
  [
    "customer or trial|customer or a trial|a customer or a trial|trial or customer|a trial or a customer|customer or on trial|customer or churned",
    { type: "dimension", dimension: "stage" },
  ],
  ["paying in|pay in|pays in|billed in|invoiced in|charged in", { type: "dimension", dimension: "currency" }],
  [
    "renewal coming up|renewals coming up|coming up for renewal|upcoming renewals|upcoming renewal|renews soon|renewing soon|contract ending soon",
    { type: "find", find: "accounts" },
    { type: "dimension", dimension: "renewal" },
    { type: "window", window: { next: 90, unit: "day" } },
  ],
  ["stage|stages|lifecycle|lifecycle stage|lifecycle stages|customer stage", { type: "dimension", dimension: "stage" }],
  ["currency|currencies|billing currency|which currency", { type: "dimension", dimension: "currency" }],
  [
    "trial end|trial ends|trial end date|trial end dates|trials end|trial run out|trial runs out|trial expire|trial expires|trial expiry|trial ending|end of trial|end of the trial|end of their trial|trial over|trial finish|trial finishes|trial due to end|trial up|days left|days remaining|days left in trial|end date|end dates",
    { type: "dimension", dimension: "trial_ends" },
  ],
  [
    "trials ending|trials expiring|trials running out|trials that end|trials that expire|trials end|trials expire|trials up",
    TRIALS,
    { type: "dimension", dimension: "trial_ends" },
  ],
  [
    "contract end|contract ends|contract end date|contract end dates|contract ending|contracts ending|contract expire|contract expires|contract expiry|contract runs out|contracts run out|contract run out|contracts end|contracts running out|contracts expiring|renewal date|renewal dates|renew|renews|renewing|up for renewal|due for renewal|contract renewal|contract renewals|contract is up|contract up|contracts up|end of contract|end of their contract|contract date|contract|contracts",
    { type: "dimension", dimension: "renewal" },
  ],
  [
    "health state|health states|health status|health band|health category|health categories|score category|risk level|risk category",
    { type: "dimension", dimension: "health" },
  ],
  [
    "last seen|last active|last activity|last event|last login|most recent activity|latest activity|latest event|last action|last time active|last use|last used|last time anyone touched|last touched|most recent event|last usage|last login or last action|last do anything|last did anything|last did something",
    { type: "dimension", dimension: "last_seen" },
  ],
  ["last time|most recently", { type: "dimension", dimension: "last_seen" }],
  [
    "first seen|first event|first activity|first active|first used|first use|first time|first appeared|first show up|first showed up|first using",
    { type: "dimension", dimension: "first_seen" },
  ],
  [
    "kind of notice|notice type|notice types|kind of notices|kinds of notices|item kind|item kinds|type of notice|types of notices|kinds of warnings|kind of warning|types of warnings|notice kind|notice kinds|of which type|by type|by kind|of which kind|warning type|warning types|type of notices|type of warning",
    { type: "dimension", dimension: "item_kind" },
  ],
  ["severity|severities|severity level", { type: "dimension", dimension: "severity" }],
  [
    "snoozed till when|snoozed until when|when does the snooze end|snooze end",
    { type: "dimension", dimension: "snoozed_until" },
  ],
  ["industry|industries|sector|sectors|vertical|verticals", { type: "dimension", dimension: "industry" }],
  ["region|regions|territory|territories|geography|geo", { type: "dimension", dimension: "region" }],
  ["role|roles|job role|job title|job titles|user role|user roles", { type: "dimension", dimension: "role" }],
];

const HEALTH: readonly Entry[] = [
  [
    "at risk|in danger|in trouble|red|in the red|struggling|unhealthy|sick|risky|churn risk|churn risks|risk|at churn risk|risk of churn|risk of churning|at risk of churning|red flags|in bad shape|in poor health|doing badly|doing poorly",
    filter(is("health", "at_risk")),
  ],
  ["healthy|green|in good health|in good shape|doing well|doing fine|ok health", filter(is("health", "healthy"))],
  ["watch|on watch|watchlist|yellow|amber|on the watch list|on the watchlist|in watch", filter(is("health", "watch"))],
  [
    "shaky|watch or worse|problem|problems|a problem|have problem|look shaky|not doing well",
    filter({ dimension: "health", in: ["watch", "at_risk"] }),
  ],
  [
    "insufficient data|not enough data|no score|without a score|unscored|no score yet|enough data for a score|thin data|too little data|do not have enough data|do not have enough data for a score|not have enough data for a score|not enough data for a score|no health score|without a health score",
    filter(is("health", "insufficient_data")),
  ],
  [
    "newly at risk|became at risk|become at risk|fell to at risk|turned red|new at risk|moved to at risk|went to at risk|dropped to at risk|slipped to at risk|slid to at risk|turned at risk|fell into at risk|went red|moved into at risk|slipped into at risk",
    filter({ dimension: "health", became: "at_risk" }),
  ],
  [
    "recovered|became healthy|become healthy|turned healthy|back to healthy|turned green|went green|moved to healthy",
    filter({ dimension: "health", became: "healthy" }),
  ],
  [
    "went to watch|moved to watch|dropped to watch|fell to watch|became watch|slipped to watch",
    filter({ dimension: "health", became: "watch" }),
  ],
];

const STAGES: readonly Entry[] = [
  [
    "trial|on trial|in trial|trialing|trialling|in a trial|free trial|on a trial|in trial stage|trial stage|still on trial|still in trial|trial account",
    filter(is("stage", "trial")),
  ],
  [
    "churned|lost|gone|cancelled|canceled|who left us|that left us|no longer customers|used to be a customer but left|used to be a customer|used to be customers|left us|but left|not a customer any more|churned stage",
    filter(is("stage", "churned")),
  ],
  [
    "a customer|converted customers|live customers|paying|customer stage|in customer stage",
    filter(is("stage", "active")),
  ],
  [
    "became a customer|become a customer|became customers|become customers|became customer|become customer|turned customer|converted|convert|converting|signed|sign|won|we win|win|new customers|new customer|turned into customers|went live|bought|new customers who signed|converted to customer|converted to customers|joined as customers|turned into a customer|new paying customers|become paying|became paying|started paying|trial to customer conversions|conversions",
    filter({ dimension: "stage", became: "active" }),
  ],
  [
    "churn|cancel|leave us|did we lose|we lose|we lost|lost us|churning|cancelled on us|churns|stopped being customers|stopped being a customer|stop being a customer",
    filter({ dimension: "stage", became: "churned" }),
  ],
  [
    "started a trial|began a trial|new trials|new trial|started trials|trials started|start a trial|trials started|started their trial|trial starts|started trial|start their trial",
    filter({ dimension: "stage", became: "trial" }),
  ],
];

const CONDITIONS: readonly Entry[] = [
  [
    "active|in use|alive|still around|around|using the product|using it|using us|using the tool|used the tool|use the tool|used it|use it|using our product|use the product|used the product|log in|logged in|at work|worked with the tool|did anything|do anything|did something|any activity|engaged|logged any activity|any events|any event|using our tool|still using it|still using the tool",
    filter(is("active", true)),
  ],
  [
    "inactive|silent|quiet|dormant|idle|dead|gone silent|gone quiet|went quiet|went silent|no activity|no events|no event|no usage|not a single event|without activity|without any activity|without events|without any event|without any events|without usage|nobody touched|nobody used|absent|stopped using the product|stopped using us|did nothing|done nothing|do nothing|nothing|zero activity|zero events|zero usage|not been active|not logged any activity|not done anything|not do anything|nobody has touched|fell silent|fallen silent|has not been used|have not been used",
    INACTIVE,
  ],
  ["company account|company accounts|companies only", filter(is("kind", "company"))],
  ["personal account|personal accounts|solo account|solo accounts|individuals|solo users", filter(is("kind", "solo"))],
  ["with a name|have a name", filter({ dimension: "account", isUnknown: false })],
  [
    "reduced seats|cut seats|seat reduction|seat reductions|fewer seats than before|reduced their seats|cut their seats|removed seats|seats went down|reduce seats|reduce their seats|lost seats|dropped seats|seat cuts|cut back seats|cutting seats|gave up seats|seat decrease|seat decreases|shrank their seats|decreased their seats|decreased seats|downsized|seats dropped|seats fell",
    filter({ dimension: "seats", changed: "down" }),
  ],
  [
    "added seats|more seats than before|bought seats|expanded seats|bought more seats|seat expansion|seats went up|added licenses|increased seats|increased their seats|add seats|buy more seats|grew their seats|seat increase|seat increases|seats increased",
    filter({ dimension: "seats", changed: "up" }),
  ],
  [
    "downgraded|downgrade|mrr went down|reduced mrr|mrr contraction|mrr fell|mrr dropped|mrr decreased|pay less than before",
    filter({ dimension: "mrr", changed: "down" }),
  ],
  [
    "upgraded|mrr went up|mrr expansion|upsold|mrr grew|mrr increased|mrr rose|pay more than before",
    filter({ dimension: "mrr", changed: "up" }),
  ],
];

const ITEMS: readonly Entry[] = [
  ["open|unresolved|still open|outstanding|pending|currently open|unsnoozed", filter(is("status", "open"))],
  ["snoozed|on snooze|snooze", filter(is("status", "snoozed"))],
  ["dismissed|put aside|dismiss", filter(is("status", "dismissed"))],
  ["resolved|solved|auto resolved|closed", filter(is("status", "resolved"))],
  ["critical|critical severity|severity critical|most severe", filter(is("severity", "critical"))],
  ["high severity|severity high|highest severity", filter(is("severity", "high"))],
  ["medium severity|severity medium", filter(is("severity", "medium"))],
  ["low severity|severity low", filter(is("severity", "low"))],
  [
    "usage drop|usage drops|usage drop notice|usage dropped notice|usage dropped notices|usage drop notices",
    filter(is("item_kind", "usage_drop")),
  ],
  ["slow decline|slow declines|declining slowly|slowly declining", filter(is("item_kind", "slow_decline"))],
  [
    "went silent notice|gone silent notice|silence notice|account went silent|went silent notices|gone silent notices",
    filter(is("item_kind", "gone_silent")),
  ],
  [
    "champion left|champion gone|key user quiet|key user left|champion quiet|champion leaving|lost champion|champions left|lost their champion|key users quiet|champion leave|a champion leave|lost a champion|champion has left|champion departed|champion is gone",
    filter(is("item_kind", "key_user_quiet")),
  ],
  [
    "seats nearly full|close to the seat limit|close to seat limit|near the seat limit|near their seat limit|at their seat limit|out of seats|running out of seats|nearly full|almost out of seats|close to their seat limit|seat limit nearly reached",
    filter(is("item_kind", "seats_nearly_full")),
  ],
  [
    "usage growth notice|ready to buy more|upsell|upsells|ready to expand|expansion ready|upsell notice|upsell notices|expansion candidates|expansion candidate|upsell candidates|ready for expansion|ready for an upsell|flagged as ready to expand|flagged as ready to buy more|upsell opportunities|expansion opportunities|upsell potential",
    filter(is("item_kind", "usage_growth")),
  ],
  [
    "feature dropped|dropped a feature|feature no longer used|feature is no longer used|a feature is no longer used",
    filter(is("item_kind", "feature_dropped")),
  ],
  [
    "trial ending notice|trial ending notices|trial ending soon|trial is ending|a trial is ending|trial ending warning",
    filter({ dimension: "item_kind", in: ["trial_ending_low_activity", "trial_ending_ready"] }),
  ],
  ["trial with low activity|trials with low activity", filter(is("item_kind", "trial_ending_low_activity"))],
  [
    "ready trial|trial ready to buy|trials ready to buy|trials ready to convert",
    filter(is("item_kind", "trial_ending_ready")),
  ],
  ["trial expired notice|trial expired notices", filter(is("item_kind", "trial_expired"))],
  ["never activated|not activated|never got started", filter(is("item_kind", "never_activated"))],
  [
    "health drop notice|health dropped notice|health drop notices|health dropped notices",
    filter(is("item_kind", "health_dropped")),
  ],
  ["tracking stopped|tracking stop|data stopped", filter(is("item_kind", "tracking_stopped"))],
  [
    "seats were reduced|seats reduced|seat reduce|seat reduction notice|seat reduction notices|seats were reduced notice|about reduced seats|contraction|about seats",
    filter(is("item_kind", "contraction")),
  ],
];

const USE: readonly Entry[] = [
  [
    "use|uses|used|using|tried|try|touched|touch|adopted|adopt|adopters of|picked up|pick up|took up|take up|taken up|work with|works with|ran|left|raised|opened|triggered|came in|come in|fired|popped up|likes|like|makes use of|make use of|making use of|still use|still uses|still using|still used|users of|people who use|has ever used|ever used|adopters",
    USES,
  ],
  [
    "never used|never tried|never touched|never use|never|never ever|have never|has never|not ever|never once|not yet|not once",
    NEVER,
  ],
  [
    "stopped using|stopped|no longer use|no longer uses|no longer used|no longer using|quit using|gave up|abandoned|stopped to use|stop using|stop|quit|gave up on|do not use any more|not use any more|not any more|not use anymore|not anymore",
    STOPPED,
  ],
  ["started using|began using|start using|newly use|newly using|for the first time", { type: "use", use: "started" }],
];

const NUMBERS: readonly Entry[] = [
  [
    "more than|over|above|greater than|exceeding|exceed|exceeds|higher than|larger than|bigger than|upwards of|>|longer than|older than|more then",
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
  ["exactly|equal to|equals|precisely|=|just", { type: "bound", condition: "is" }],
  ["half|half of|half the|half of the", { type: "number", value: 50, unit: "percent" }],
];

const ORDERS: readonly Entry[] = [
  [
    "top|most|highest|greatest|leading|highest first|most first|descending|desc|ranked|ranking|ranking of|mostly|maximum of|high to low|rank by|most often|most frequently|the most|most of all|most heavily|more|better|bigger|larger|most enthusiastically|ranked by|sorted by|ordered by|sort by|order by",
    order("down"),
  ],
  [
    "bottom|least|fewest|lowest|lowest first|ascending|asc|low to high|the least|least often|fewest first|least frequently|less|lower|fewer|worse|smaller",
    order("up"),
  ],
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
  ["best|strongest", order("down")],
  ["worst", order("up")],
  [
    "has the most active users|have the most active users|has most active users|with the most active users|with most active users",
    order("down"),
    { type: "measure", measure: "active_users" },
  ],
  [
    "most active|busiest|most used|most engaged|most popular|heaviest|power users|power user|most activity|used most|being used most|used the most|uses it most|use it most|use it the most|most usage|most frequently used|most often used|most active first|biggest users",
    order("down", "events"),
  ],
  [
    "least active|least used|least engaged|used least|used the least|least popular|least usage|most inactive|rarely used|least activity|quietest",
    order("up", "events"),
  ],
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
  ["oldest|earliest|oldest first|soonest|soonest first|earliest first|renews first|next up", order("up", "time")],
];

const CHANGES: readonly Entry[] = [
  [
    "grew|grow|growing|growth|growth in|increase|increased|increases|increasing|rise|rises|rose|rising|risen|gained|gain|went up|go up|gone up|going up|is up|are up|fastest growing|growers|risers|better than before|grown|climbed|picked up usage|on the rise|ramping up|accelerating|trending up|increase in|rise in|higher than before",
    { type: "change", direction: "up" },
  ],
  [
    "fell|fall|falls|falling|fallen|drop|drops|dropped|dropping|decline|declined|declines|declining|decrease|decreased|decreasing|decreases|shrank|shrink|shrinking|shrunk|went down|go down|gone down|going down|is down|are down|decliners|droppers|slipped|slid|dipped|dip|slipping|trending down|drop in|fall in|decline in|slowed down|slowing down|lost most|lower than before|gone downhill",
    { type: "change", direction: "down" },
  ],
  [
    "trend|trends|trending|change|changed|changes|development|evolve|evolved|develop|developed|week over week|month over month|wow|mom|compared to before|change in|changes in|moved|moving|go up or down|went up or down|up or down|gone up or down",
    { type: "change", direction: null },
  ],
];

const OTHERS: readonly Entry[] = [
  [
    "are all|is every|do all|does every|did all|have all|has every|were all|is each|does each of|are all of",
    { type: "share" },
  ],
  [
    "improved|improve|improves|improving|getting better|got better|gotten better|recovering",
    { type: "change", direction: "up", by: "score" },
  ],
  [
    "worsened|worsen|worsening|getting worse|got worse|gotten worse|deteriorated|deteriorating|deteriorate",
    { type: "change", direction: "down", by: "score" },
  ],
  ["signed up|sign up|signs up|joined|join|onboarded", { type: "new" }],
  ["last|the last", { type: "dimension", dimension: "last_seen" }],
  ["usage drop|usage drops|drop in usage|drops in usage", EVENTS, { type: "change", direction: "down" }],

  ["new|brand new|what new|whats new|what is new|newly added|newly seen", { type: "new" }],
  [
    "expired|lapsed|ended|run out already|over already|already over|already ended|already expired|already lapsed|is over|passed|have run out",
    { type: "over" },
  ],
  [
    "compared with|compared to|compare|versus|vs|against|in comparison with|in comparison to|relative to|than|comparison|compared against|difference between|difference in|any difference|any difference between|side by side|or rather|comparing|any difference in",
    { type: "compare" },
  ],
  [
    "before|the week before|the month before|the quarter before|the day before|the year before|the previous one|the week prior|the month prior|the period before|the time before|previously|before that|prior period|previous period|than before|the weeks before|than it was|than previously|the period prior|the one before",
    { type: "before" },
  ],
  ["per|for each|for every|each|by each|in each|at each|does each|from each|of each|on each of|on each|each of", EACH],
  [
    "by|split by|broken down by|grouped by|breakdown by|across|split of|breakdown of|split|breakdown|divided by|group by|by the|across all the|distribution of|distribution by|distribution",
    BY,
  ],
  [
    "per day|daily|by day|each day|every day|day by day|a day|on each day|per calendar day",
    { type: "per", per: "day" },
  ],
  [
    "per week|weekly|by week|each week|every week|week by week|a week|week on week|over time|weekly trend of|weekly trend|per calendar week|in which weeks|which weeks|which week",
    { type: "per", per: "week" },
  ],
  ["per month|monthly|by month|each month|every month|month by month|a month", { type: "per", per: "month" }],
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
    "not|no|without|except|excluding|other than|apart from|besides|none|nobody|zero|no one|non|lacking|minus|dont|doesnt|didnt|havent|hasnt|isnt|arent|wasnt|w o|without a single|no single|without any|outside|outside of|without having",
    { type: "negation" },
  ],
  ["rank among|rank among all|ranks among|rank against|ranked among", { type: "compare" }],
  ["or|and or|respectively", { type: "or" }],
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

/** Phrases that change nothing, though their words do elsewhere. */
const IDLE =
  "can you|could you|would you|will you|can you please|could you please|could you tell me|can you tell me|can you list|i need|i want|i would like|would like|let me know|do you know|do we know|hi team|hello team|dear team|hey team|hi there|hello there|hey there|good morning|good afternoon|good evening|thank you|thanks in advance|so far|at all|right now|at the moment|as of now|as of today|these days|of our|of all|out of|in the|of the|for me|tell me|get me|pull|could you pull|quick question|one question|a question|kind regards|best regards|at the same time|going by|there any|is it true that|do i have|do we have|have we got|of them|all of our|all our|all the|the one with|the ones with|those with|as well|in terms of|with regard to|at work|in the tool|in our tool|in the product|marked as|marked|the way it is|marked the way it is|flagged|flagged as|filter for|for the|to the|the rest|in all|is on|which ones|on the|with the|at one of|turned up|show up|turn up|and how many|by chance|no wait|i mean|just a|account called|an account called|the account|the company|belong to|belongs to|a single|if any|please rank|over to|look like|looks like|be found|i e|e g|my friend|how did|how does|how do|how has|how have|and by how much|by how much|pipeline of|please show|i have|we have|so we";

/** Words that change nothing in any question. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a an the of in on at to for with from into as and our my your their its us we i you me that these there here " +
    "please pls plz thanks thank thx hi hello hey dear cheers ok okay so well now currently right " +
    "can could did does do been being be am is are was were has have had having " +
    "& + / what about record recorded log logged tracked either regarding concerning between among amongst but running level tool product our say s t d re ve m want need know see look looks get got tell say let check wondering curious quick quickly " +
    "also too really actually all some both who which where whose come came stay stand stands still already yet lately recently current today " +
    "then if again btw haha lol hm hmm oh eh even always ones done quite pretty very somehow exactly"
  ).split(" "),
);

const TOLD = REASONS.map(([reason, phrases]): Entry => [phrases, { type: "reason", reason }]);

const ENTRIES: readonly Entry[] = [
  ...FINDS,
  ...FORMS,
  ...MEASURES,
  ...DIMENSIONS,
  ...HEALTH,
  ...STAGES,
  ...CONDITIONS,
  ...ITEMS,
  ...USE,
  ...NUMBERS,
  ...ORDERS,
  ...CHANGES,
  ...OTHERS,
  ...TOLD,
  [IDLE],
];

export const GREETINGS: ReadonlySet<string> = new Set("hi hello hey dear morning".split(" "));

export const MAX_PHRASE_WORDS = 8;

const PLURAL = /s\b|people|ppl|inbox|active/;
const asOne = (fragment: Fragment): Fragment => (fragment.type === "find" ? { ...fragment, isOne: true } : fragment);

/** What a phrase means: several fragments together. Those of one phrase that stands in several entries exclude each other. */
export const LEXICON: ReadonlyMap<string, readonly (readonly Fragment[])[]> = lexiconOf(ENTRIES);

function lexiconOf(entries: readonly Entry[]): Map<string, (readonly Fragment[])[]> {
  const lexicon = new Map<string, (readonly Fragment[])[]>();
  for (const [phrases, ...fragments] of entries)
    for (const phrase of phrases.split("|"))
      lexicon.set(phrase, [...(lexicon.get(phrase) ?? []), PLURAL.test(phrase) ? fragments : fragments.map(asOne)]);
  return lexicon;
}
