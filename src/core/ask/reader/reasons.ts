/** Words that no answerable question has, by what they tell of one. `|` divides phrases. */
import type { ToldReason } from "./fragments.ts";

export const REASONS: readonly (readonly [reason: ToldReason, phrases: string])[] = [
  [
    "out_of_scope",
    "write me|write an|write a|draft|compose|translate|book|book a|book me|meeting room|remind me to|remind me that|reminder|email me|email them|email the|email it|an email|send|send an|send a|call them|invite|delete|erase|rename|schedule a|schedule a meeting|lunch|dinner|weather|joke|poem|song|recipe|news|stock price|exchange rate|exchange rates|dollar rate|euro dollar rate|bitcoin|crypto|football|president|prime minister|capital of|who are you|your name|what can you do|system prompt|prompt|instructions|ignore all|ignore previous|ignore the|disregard|pretend|hack|jailbreak|api key|api keys|secret|secrets|credentials|password|my password|my own password|how do i|how can i|how to|meaning of|chatgpt|openai|movie|music|restaurant|flight|holiday|birthday|what time is it|square root|essay|python|javascript|sql|code|drop table|snooze this|dismiss this|turn off|turn on|upload|download|install|configure|deploy|order me|pizza|coffee",
  ],
  [
    "prediction",
    "will|wont|going to|gonna|predict|predicts|predicted|prediction|predictions|forecast our|forecast my|forecast the|forecast|forecasted|project our|projected|projection|projections|likely|unlikely|likelihood|probability|probable|probably|chance|chances|chance that|odds|expect|expected|expectation|expectations|anticipate|foresee|estimate|estimated|outlook|prognosis|on track to|on course to|bound to|might|may|future|eventually|count on|tomorrow|by christmas|by easter|keeps|if usage keeps|about to|end up|would",
  ],
  [
    "causal_claim",
    "because|because of|cause|causes|caused|causing|what made|made|due to|what drives|drives|driver|drivers|led to|motivation|impact of|effect of|influence|how come|what makes|decide|decide to|decided|choose|chose",
  ],
  [
    "opinion",
    "should|should i|should we|do you think|you think|do you reckon|reckon|recommend|recommendation|advise|advice|suggest|suggestion|nicest|favourite|favorite|best idea|good idea|bad idea|rate our|rate my|rate the|deserve|deserves|opinion|your opinion|your view|is better|is it better|worth it|prefer|fair|annoying|fun|focus on|prioritize|prioritise|bother|worry about|be worried|worried|pleasant|loyal|coolest|smartest|ought|feel|your take|my favourite|nice|believe",
  ],
  [
    "unmeasured_attribute",
    "nps|net promoter score|csat|ces|customer satisfaction|satisfaction|satisfied|sentiment|happy|happiness|unhappy|ticket|tickets|support ticket|support tickets|invoice|invoices|last invoice|billing|ltv|clv|lifetime value|cac|churn rate|retention rate|nrr|grr|net revenue retention|conversion rate|win rate|margin|margins|profit|profitability|cost|costs|price|prices|pricing|discount|discounts|page views|pageviews|session|sessions|session length|time spent|bounce rate|clicks|latency|uptime|downtime|error|errors|error rate|error msg|error message|error messages|bug|bugs|calls with|meetings|open rate|device|devices|browser|browsers|operating system|survey|surveys|feedback|review|reviews|rating|ratings|complaint|complaints|complained|payment|payments|overdue|refund|refunds|budget|budgets|competitor|competitors|headcount|employee count|stock|valuation|funding|response time|loyalty|mood|debt|pipeline value|quota|opportunity|opportunities|deal size|referral|referrals|phone|phone number|phone numbers|address|addresses|email address|email addresses|gender|age|roadmap|product roadmap|feature request|feature requests|requests|report title|report titles|titles|looks after|look after|who manages|responsible|email|e mail|retention|cohort|cohorts|contract length|length of contract|payment terms|pipeline|sales pipeline|deals closing|decision maker|decision|goals|located|location|response times|effort score|onboarding|onboarding status|talk to|talked to|spoke to|speak to|last meeting|qbr date|owns|owned by|notes|call notes|meeting notes|emails|last email|email sent|did we send|was sent|were sent|emails sent|account owner|account owners|account manager|account managers|csm|my team|reps|my reps|sales rep|sales reps|owner|owners|website|linkedin|language|languages|country|countries|city|cities|timezone|mobile|mobile app|desktop|ip address|onboarding call|training|credit card|payment method|po number|legal entity|vat|tax|contract terms|contract value|ceo|cfo|cto|customers rating|marketing|campaign|ads",
  ],
];
