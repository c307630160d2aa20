/** Conditions in a word: of health, stage, activity, seats and the inbox. */
import { type Entry, filter, is } from "./lexicon-entry.ts";

const INACTIVE = filter(is("active", false));

export const HEALTH: readonly Entry[] = [
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
  ["recovered|back to healthy", filter({ dimension: "health", became: "healthy" })],
];

export const STAGES: readonly Entry[] = [
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
    "became a customer|become a customer|became customers|become customers|became customer|become customer|turned customer|converted|convert|converting|signed|sign|won|we win|win|turned into customers|went live|bought|converted to customer|converted to customers|joined as customers|turned into a customer|new paying customers|become paying|became paying|started paying|trial to customer conversions|conversions",
    filter({ dimension: "stage", became: "active" }),
  ],
  [
    "churn|losing|lose|cancel|leave us|did we lose|we lose|we lost|lost us|churning|cancelled on us|churns|stopped being customers|stopped being a customer|stop being a customer",
    filter({ dimension: "stage", became: "churned" }),
  ],
  [
    "started a trial|began a trial|started trials|trials started|start a trial|trials started|started their trial|trial starts|started trial|start their trial",
    filter({ dimension: "stage", became: "trial" }),
  ],
];

export const CONDITIONS: readonly Entry[] = [
  [
    "active|seen|in use|alive|still around|around|using the product|using it|using us|using the tool|used the tool|use the tool|used it|use it|using our product|use the product|used the product|log in|logged in|at work|worked with the tool|work with the tool|logging in|did anything|do anything|did something|any activity|engaged|logged any activity|any events|any event|using our tool|still using it|still using the tool|uses the product|uses the tool|uses it|uses our tool|uses our product",
    filter(is("active", true)),
  ],
  [
    "inactive|silent|quiet|dormant|idle|dead|gone silent|gone quiet|went quiet|went silent|no activity|no events|no event|no usage|not a single event|without activity|without any activity|without events|without any event|without any events|without usage|nobody touched|nobody used|absent|stopped using the product|stopped using us|did nothing|done nothing|do nothing|nothing|zero activity|zero events|zero usage|not been active|not logged any activity|not done anything|not do anything|unused|nobody has touched|fell silent|fallen silent|has not been used|have not been used",
    INACTIVE,
  ],
  [
    "all their seats|all of their seats|all of the seats|every seat|maxed out",
    filter({ dimension: "seat_use", from: 100 }),
  ],
  [
    "unused seats|seats they do not use|seats they dont use|empty seats|spare seats|free seats|seats left|seats to spare",
    filter({ dimension: "seat_use", under: 100 }),
  ],
  [
    "over their seat limit|over the seat limit|over their limit|over the limit",
    filter({ dimension: "seat_use", over: 100 }),
  ],
  ["company account|company accounts|companies only", filter(is("kind", "company"))],
  ["personal account|personal accounts|solo account|solo accounts|individuals|solo users", filter(is("kind", "solo"))],
  ["with a name|have a name", filter({ dimension: "account", isUnknown: false })],
  [
    "fewer seats than before|downsized|gave up seats|lost seats|lose seats|losing seats",
    filter({ dimension: "seats", changed: "down" }),
  ],
  [
    "more seats than before|bought more seats|buy more seats|bought seats|seat expansion",
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

const NOTICES = ["notice", "notices", "alert", "alerts", "warning", "warnings", "item", "items"];

export const ITEMS: readonly Entry[] = [
  ["open|unresolved|still open|outstanding|pending|currently open|unsnoozed", filter(is("status", "open"))],
  ["snoozed|on snooze|snooze", filter(is("status", "snoozed"))],
  ["dismissed|put aside|dismiss", filter(is("status", "dismissed"))],
  ["resolved|solved|auto resolved|closed", filter(is("status", "resolved"))],
  ["critical|critical severity|severity critical|most severe", filter(is("severity", "critical"))],
  [
    "critical and high|critical or high|high and critical|high or critical",
    filter({ dimension: "severity", in: ["critical", "high"] }),
  ],
  ["high severity|severity high|highest severity", filter(is("severity", "high"))],
  ["medium severity|severity medium", filter(is("severity", "medium"))],
  ["low severity|severity low", filter(is("severity", "low"))],
  ["usage drop|usage drops|usage dropped notice|usage dropped notices", filter(is("item_kind", "usage_drop"))],
  ["slow decline|slow declines|declining slowly|slowly declining", filter(is("item_kind", "slow_decline"))],
  [
    "champion left|champion gone|key user quiet|key user left|champion quiet|champion leaving|lost champion|champions left|lost their champion|lost its champion|lose its champion|lose their champion|key users quiet|champion leave|a champion leave|lost a champion|champion has left|champion departed|champion is gone",
    filter(is("item_kind", "key_user_quiet")),
  ],
  [
    "seats nearly full|need more seats|needs more seats|close to the seat limit|close to seat limit|near the seat limit|near their seat limit|at their seat limit|out of seats|running out of seats|nearly full|almost out of seats|close to their seat limit|seat limit nearly reached",
    filter(is("item_kind", "seats_nearly_full")),
  ],
  [
    "ready to buy more|upsell|upsells|ready to expand|expansion ready|expansion candidates|expansion candidate|upsell candidates|ready for expansion|ready for an upsell|upsell opportunities|expansion opportunities|upsell potential|expansion potential",
    filter(is("item_kind", "usage_growth")),
  ],
  [
    "feature dropped|dropped a feature|feature no longer used|feature is no longer used|a feature is no longer used",
    filter(is("item_kind", "feature_dropped")),
  ],
  [
    "trial ending soon|trial is ending|a trial is ending",
    filter({ dimension: "item_kind", in: ["trial_ending_low_activity", "trial_ending_ready"] }),
  ],
  ["trial with low activity|trials with low activity", filter(is("item_kind", "trial_ending_low_activity"))],
  [
    "ready trial|trial ready to buy|trials ready to buy|trials ready to convert",
    filter(is("item_kind", "trial_ending_ready")),
  ],
  ["never activated|not activated|never got started", filter(is("item_kind", "never_activated"))],
  ["tracking stopped|tracking stop|data stopped", filter(is("item_kind", "tracking_stopped"))],
  [
    "seats were reduced|seats reduced|seat reduce|about reduced seats|contraction|about seats",
    filter(is("item_kind", "contraction")),
  ],
  ...["high", "medium", "low"].map((severity): Entry => [
    NOTICES.map((notice) => `${severity} ${notice}`).join("|"),
    filter(is("severity", severity)),
    { type: "find", find: "items" },
  ]),
  // Words that mean a kind of notice only before "notice".
  ...(
    [
      ["went silent|gone silent|silence|account went silent", "gone_silent"],
      ["usage growth|growth|expansion", "usage_growth"],
      ["trial ending", "trial_ending_low_activity", "trial_ending_ready"],
      ["trial expired|expired trial", "trial_expired"],
      ["health drop|health dropped|score drop", "health_dropped"],
      ["seat reduction|seats were reduced|reduced seats", "contraction"],
    ] as const
  ).map(([phrases, ...kinds]): Entry => [
    phrases
      .split("|")
      .flatMap((phrase) => NOTICES.map((notice) => `${phrase} ${notice}`))
      .join("|"),
    filter({ dimension: "item_kind", ...(kinds.length > 1 ? { in: [...kinds] } : { is: kinds[0] }) }),
    { type: "find", find: "items" },
  ]),
  ["account went silent", filter(is("item_kind", "gone_silent"))],
];
