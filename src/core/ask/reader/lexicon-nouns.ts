/** What is looked for, how it is asked, and what can be measured or told of it. */
import { CUSTOMER, type Entry, EVENTS, filter, is, TRIALS } from "./lexicon-entry.ts";

export const FINDS: readonly Entry[] = [
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

export const FORMS: readonly Entry[] = [
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
    "when|how long|what date|which date|what day|on which date|on what date|since when|how long ago|which day|when exactly",
    { type: "form", show: "when" },
  ],
  [
    "why|how come|what is the reason|what the reason|what the reason that|what are the reasons|reason|reasons|reasons for|reasons behind|reason for|reason behind|what is the reason that|the reason that|explain|what explains|what is behind",
    { type: "form", show: "why" },
  ],
  ["yes or no", { type: "form", show: "yes_no" }],
  [
    "tell me about|tell me more about|tell me everything about|everything about|everything on|everything you know about|know about|what s changed|what changed|what has changed|happening|happen|happens|happened|going on|been going|how is it going|how are things|how are things going|how things are going|what s up|what s up with|what up with|what up|whats up with|been up to|do what|been doing|doing|looking|rundown|summary|summarize|summarise|overview|profile|info|information|update|status update|status|snapshot|details|state of|brief me|catch me up|fill me in|how is|how are|how s|how|hows|anything i should know|what should i know|anything to know",
    { type: "form", show: "summary" },
  ],
];

export const MEASURES: readonly Entry[] = [
  [
    "times|event|events|activity|usage|use count|actions|action|event count|number of events|total events|events in total|api traffic|event volume|activities|event counts|product usage|total usage",
    EVENTS,
  ],
  [
    "how often|how active|how much activity|how many times|how frequently|how much usage|how heavily",
    { type: "form", show: "count" },
    EVENTS,
  ],
  [
    "how many days|on how many days|number of days",
    { type: "form", show: "count" },
    { type: "measure", measure: "active_days" },
  ],
  [
    "active users|active people|active seats|distinct users|unique users|active persons|active members|number of active users|active user count|different users|different people",
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
    "mrr|worth|money|monthly recurring revenue|revenue|monthly revenue|recurring revenue|monthly fee|pays|pay|pay us|pays us|paying us|spend|spends|spending|mrr amount|contract value|monthly spend|pay in|pays in",
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
    "seat use|seat usage|seat utilization|seat utilisation|utilization|utilisation|license utilization|licence utilisation|share of seats used|seats used|seats in use|percent of seats|percentage of seats used|share of active seats|seats are used|seats being used|seats are in use|seat occupancy|seat fill",
    { type: "measure", measure: "seat_use" },
  ],
  [
    "score|scores|health score|health scores|health|healthiness|health value|how healthy|current health|health points|scoring|scored",
    { type: "measure", measure: "score" },
  ],
  ["adoption|adoption rate|uptake|penetration|feature adoption", { type: "measure", measure: "adoption" }],
  [
    "number of features used|number of features|distinct features|breadth|number of different features|feature count|breadth of use",
    { type: "measure", measure: "features_used" },
  ],
];

export const DIMENSIONS: readonly Entry[] = [
  [
    "plan|plans|tier|tiers|subscription|package|pricing plan|edition|pricing tier",
    { type: "dimension", dimension: "plan" },
  ],
  [
    "customer or trial|customer or a trial|a customer or a trial|trial or customer|a trial or a customer|customer or on trial|customer or churned",
    { type: "dimension", dimension: "stage" },
  ],
  ["paying in|pay in|pays in|billed in|invoiced in|charged in", { type: "dimension", dimension: "currency" }],
  ["coming up|comes up|upcoming", { type: "window", window: { next: 90, unit: "day" }, isVague: true }],
  ["soon|shortly", { type: "window", window: { next: 30, unit: "day" }, isVague: true }],
  ["end|ends|ending|expire|expires|expiring|run out|runs out|running out", { type: "dimension", dimension: "end" }],
  [
    "about to end|about to expire|about to run out|due to end|due to expire",
    { type: "dimension", dimension: "end" },
    { type: "window", window: { next: 30, unit: "day" }, isVague: true },
  ],
  ["stage|stages|lifecycle|lifecycle stage|lifecycle stages|customer stage", { type: "dimension", dimension: "stage" }],
  ["currency|currencies|billing currency|which currency", { type: "dimension", dimension: "currency" }],
  [
    "trial end|trial ends|trial end date|trial end dates|trial run out|trial runs out|trial expire|trial expires|trial expiry|trial ending|end of trial|end of the trial|end of their trial|trial over|trial finish|trial finishes|trial due to end|trial up|days left|how many days left|how many days are left|days remaining|days left in trial|end date|end dates",
    { type: "dimension", dimension: "trial_ends" },
  ],
  [
    "trials ending|trials expiring|trials running out|trials that end|trials that expire|trials end|trials expire|trials up",
    TRIALS,
    { type: "dimension", dimension: "trial_ends" },
  ],
  [
    "contract end|contract ends|contract end date|contract end dates|contract ending|contracts ending|contract expire|contract expires|contract expiry|contract runs out|contracts run out|contract run out|contracts end|contracts running out|contracts expiring|renewal date|renewal dates|renew|renews|renewing|up for renewal|due for renewal|contract renewal|contract renewals|contract is up|contract up|contracts up|contracts are up|end of contract|end of their contract|contract date|contract|contracts",
    { type: "dimension", dimension: "renewal" },
  ],
  [
    "health state|health states|health status|health band|health category|health categories|score category|risk level|risk category",
    { type: "dimension", dimension: "health" },
  ],
  [
    "last seen|last active|last activity|last event|last login|most recent activity|latest activity|latest event|last action|last time active|last use|last used|last time anyone touched|last touched|most recent event|last usage|last login or last action|last do anything|last did anything|last did something|last see|last saw|last heard from|last hear from",
    { type: "dimension", dimension: "last_seen" },
  ],
  ["last time|most recently", { type: "dimension", dimension: "last_seen" }],
  [
    "first seen|first event|first activity|first active|first used|first use|first time|first appeared|first show up|first showed up|first using|first|the first",
    { type: "dimension", dimension: "first_seen" },
  ],
  [
    "kind|kinds|type|types|kind of notice|kinds of notice|kind of notices|kinds of notices|notice kind|notice kinds|item kind|item kinds|notice type|notice types|type of notice|types of notices|kind of warning|kinds of warnings|type of warning|types of warnings|warning type|warning types|of which type|of which kind",
    { type: "dimension", dimension: "item_kind" },
  ],
  ["status|statuses", { type: "dimension", dimension: "status" }],
  ["severity|severities|severity level", { type: "dimension", dimension: "severity" }],
  [
    "snoozed till when|snoozed until when|when does the snooze end|snooze end",
    { type: "dimension", dimension: "snoozed_until" },
  ],
  ["industry|industries|sector|sectors|vertical|verticals", { type: "dimension", dimension: "industry" }],
  ["region|regions|territory|territories|geography|geo", { type: "dimension", dimension: "region" }],
  ["role|roles|job role|job title|job titles|user role|user roles", { type: "dimension", dimension: "role" }],
];
