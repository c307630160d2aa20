/**
 * The phrases of questions, after their meaning. A meaning lists fragments by type and fields, as in `order down size`.
 * Phrases are normalized and divided by `|`; the longest that fits counts. A phrase on several lines has several
 * meanings, tried in this order.
 */
export const PHRASES = `
# What is looked for
find accounts: account|accounts|company|companies|organization|organizations|organisation|organisations|workspaces|logo|logos|tenant|tenants|acct|accts|firm|firms|portfolio|the portfolio|our portfolio|my portfolio|where do we have|where do we see|where did we see|ones|the ones
find accounts stage is active: customer|customers|client|clients|customers only|only customers|customers that is|paying account|paying accounts|paying customer|paying customers|paying client|paying clients|customer accounts|customer base|client base|install base|installed base|the book|my book|book of business|current customer|current customers
find accounts stage isNot churned: current account|current accounts
find accounts stage is trial: trials|trialists|trial accounts|trial customers|accounts on trial|deals in trial|trialers|trial account|trial customer
form yes_no + find accounts stage is trial: is there a trial|is there any trial|are there trials|is there one trial|are there any trials
find accounts + filter stage became active: new logo|new logos|new customer wins|new business|new wins
find accounts + dimension renewal: renewals|renewal
find accounts stage is churned: ex customer|ex customers|former customer|former customers|churned customer|churned customers|lost customer|lost customers
find users: user|users|person|people|persons|ppl|employee|employees|member|members|team member|team members|contact|contacts|seat holder|seat holders|folks|individuals|users of
find features: feature|features|functionality|functionalities|capability|capabilities|event type|event types|kind of event|kinds of events|kinds of event|event name|event names|action type|functions|different features|which event|what event|which events
find items status is open: inbox|in the inbox|in our inbox|according to the inbox|according to our inbox|according to my inbox|as per the inbox|per the inbox|based on the inbox|says the inbox
find items: item|items|inbox item|inbox items|notice|notices|alert|alerts|warning|warnings|notification|notifications|signal|signals|flag|flags|~ history|history of ~|past ~|earlier ~|old ~|previous ~|all ~ ever
# How it is asked
form count: how many|number of|count|count of|the count of|total number of|how much|how many of|how many different|number|how many are there|how many are they|how many distinct|how many unique|how many separate|how many individual|number of distinct|number of unique
form list: which ones|who are they|which are they|who they are|which they are|what are they|what are their names|what are they called|name them|list them|everything|everything that is|everything that s|all those that are|anybody who is|which|wich|list|show|table of|a table of|name|give me|show me|what are|find|which of|list of|every|list me|rank|sort|order|whats|which are|provide|display|fetch|pull up|bring up|give us|show us|list out|print|i need a list of
form yes_no: any|anything|is there any|are there any|has any|have any|did any|do any|do we have any|are any|yes or no|yes no|y n|true or false
unread: still are|and still are|they still are|still do|and still do|did everyone|does everyone|has everyone|have everyone|is everyone|was everyone|did everybody|does everybody|has everybody|is everybody|anything but|anything except|including|not counting|what rank|which rank|rank of|what place|what position|and what did|and what do|and what does|again|not all|not every|not everyone|not everybody|by all accounts|by all customers|by all users|by everyone|by everybody|by every|by each of|where everybody|where everyone|where every user|where all users|but do now|but does now|but are now|but is now|but do today|upgraded|upgrades|upgrade|downgraded|downgrades|downgrade|most of the time
form list who: who|whose|whom|who all|everyone|everybody|anyone|anybody|someone|somebody|those who|anyone who|everyone who
form list + find accounts: where is|where are|where did|where do|where does|where has|where have|where was|where were
form yes_no + form list who: has anyone|has anybody|did anyone|did anybody|does anybody|does anyone|is anyone|is anybody|was anyone|have any people
form list isOne: which one|which one is|which of the two|which of them
form when: when|how long|what date|which date|what day|on which date|on what date|since when|how long ago|which day|when exactly|date of|the date of|dates of|if so when|if yes when|if they did when
form why: dragging down|drags down|is dragging down|what is dragging down|what drags down|pulling down|is hurting|behind the low|what is wrong with|whats wrong with|what s wrong with|what wrong with|what is wrong at|what s wrong at|what wrong at|what is the matter with|what is the problem with|what is the issue with|why|how come|what is the reason|what the reason|what the reason that|what are the reasons|reason|reasons|reasons for|reasons behind|reason for|reason behind|what is the reason that|the reason that|explain|what explains|what is behind
form summary: what state is|what shape is|what condition is|run down|run down on|run down of|the run down|rundown on|rundown of|sum up|need to know about|need to know|do i need to know|should know about|what is the story with|what the story with|story with|the story|lowdown|lowdown on|the situation|situation|cheat sheet|where do we stand with|where we stand with|performing|getting on|getting along|faring|brief on|prep me|prepare me|one pager|tldr|recap|background on|in a nutshell|at a glance|facts|facts about|briefing|quick overview|quick summary|short overview|short summary|low down|the deal with|state of things|heads up on|talk me through|walk me through|bring me up to speed|up to speed|good to know|important to know|worth knowing|picture|full picture|big picture|whole picture|deep dive|tell me about|tell me more about|tell me everything about|everything about|everything on|everything you know about|know about|what s changed|what changed|what has changed|happening|happen|happens|happened|going on|been going|how is it going|how are things|how are things going|how things are going|what s up|what s up with|what up with|what up|whats up with|been up to|do what|been doing|doing|looking|rundown|summary|summarize|summarise|overview|profile|info|information|update|status update|status|snapshot|details|state of|brief me|catch me up|fill me in|how is|how are|how s|how|hows|anything i should know|what should i know|anything to know|anything new with|any news on|any news about|any news from|latest with|the latest with|latest on|the latest on|latest from|the latest from|latest about|the latest about|how things are|what do i need to know|what i need to know|what i should know|what do i have to know|what must i know|news|latest news|news from|news about|updates|how is going|how goes
# Measures and dimensions
measure events: times|event|events|activity|usage|use count|actions|action|event count|number of events|total events|api traffic|event volume|activities|event counts|product usage|total usage|uses of|number of uses|the use|the use of|their use
form count + measure events: how often|how active|how much activity|how many times|how frequently|how much usage|how heavily
form count + measure active_days: how many days|on how many days|number of days
measure active_users: active users|active people|active seats|distinct users|unique users|active persons|active members|number of active users|active user count|different users|different people
measure active_users + per day: daily active users|dau|daily active people|daily users
measure active_users + per week: weekly active users|wau|weekly active people|weekly users|weekly users of
measure active_users + per month: monthly active users|mau|monthly active people|monthly users|monthly users of
measure active_days: active days|days active|days of activity|days with activity|active day|days with events
filter active is true + find accounts: active accounts|active companies
filter active is true + find accounts stage is active: active customers|active clients
measure active_accounts: number of active accounts
measure mrr: mrr|worth|money|monthly recurring revenue|revenue|monthly revenue|recurring revenue|monthly fee|pays|pay|pay us|pays us|paying us|spend|spends|spending|mrr amount|monthly spend|pay in|pays in|paying
measure arr: arr|annual recurring revenue|annual revenue|yearly revenue|annualized revenue|annualised revenue|yearly recurring revenue
measure seats: seats|seat|licenses|licences|seat count|number of seats|license count|licence count|seats they pay for|paid seats|seats bought|seats they pay|seats they bought|seats they have|seats they own
measure seat_use: seat use|active users to seats|ratio of active users to seats|seat usage|seat utilization|seat utilisation|utilization|utilisation|license utilization|licence utilisation|share of seats used|seats used|seats in use|percent of seats|percentage of seats used|share of active seats|seats are used|seats being used|seats are in use|seat occupancy|seat fill
measure score: score|scores|health score|health scores|health|healthiness|health value|how healthy|current health|health points|scoring|scored|rated|rating
measure adoption: adoption|adoption rate|uptake|penetration|feature adoption
measure features_used: number of features used|number of features|distinct features|breadth|number of different features|feature count|breadth of use|breadth of features used|breadth of features|breadth of usage|breadth of feature use|feature breadth
dimension plan: plan|plans|tier|tiers|subscription|package|pricing plan|edition|pricing tier
dimension stage: customer or trial|customer or a trial|a customer or a trial|trial or customer|a trial or a customer|customer or on trial|customer or churned|stage|stages|lifecycle|lifecycle stage|lifecycle stages|customer stage
dimension currency: paying in|pay in|pays in|billed in|invoiced in|charged in|currency|currencies|billing currency|which currency
window all isVague: yet|so far yet|at all|already
window last 28 day isVague: recently|lately|of late
window next 90 day isVague: coming up|comes up|upcoming
window next 30 day isVague: soon|shortly
dimension end: end|ends|ending|expire|expires|expiring|run out|runs out|running out|finish|finishes|finishing|wrap up|wraps up
dimension end + window next 30 day isVague: about to end|about to expire|about to run out|due to end|due to expire
dimension trial_ends: trial end|trial ends|trial end date|trial end dates|trial run out|trial runs out|trial expire|trial expires|trial expiry|trial ending|end of trial|end of the trial|end of their trial|trial over|trial finish|trial finishes|trial due to end|trial up|days left|how many days left|how many days are left|days remaining|days left in trial|end date|end dates
find accounts stage is trial + dimension trial_ends: trials ending|trials expiring|trials running out|trials that end|trials that expire|trials end|trials expire|trials up
dimension renewal: is up for renewal|are up for renewal|is due for renewal|are due for renewal|set to renew|up for renewing|is renewing|are renewing|due to renew|due for renewal|contract end|contract ends|contract end date|contract end dates|contract ending|contracts ending|contract expire|contract expires|contract expiry|contract runs out|contracts run out|contract run out|contracts end|contracts running out|contracts expiring|renewal date|renewal dates|renew|renews|renewing|up for renewal|due for renewal|contract renewal|contract renewals|contract is up|contract up|contracts up|contracts are up|end of contract|end of their contract|contract date|contract|contracts
dimension renewal + window next 90 day isVague: comes up for renewal|come up for renewal|coming up for renewal
dimension health: health state|health states|health status|health band|health category|health categories|band|bands|score category|risk level|risk category
find features + dimension last_seen + order down time: do last|did last|done last|last do|last did|last thing|last things|last thing they did|happened last|happen last|happens last|last happened|do most recently|did most recently
dimension last_seen: last seen|last active|last activity|last event|last login|most recent activity|latest activity|latest event|last action|last time active|last use|last used|last time anyone touched|last touched|most recent event|last usage|last login or last action|last do anything|last did anything|last did something|last see|last saw|last heard from|last hear from|last time|most recently|last do something|last seen date|date last seen|last active date|last activity date|last on|last online|last around|last here|last log anything|last logged anything|last see them do anything|last see them|last saw them|last seen them|last hear from them|last heard from them|last see anything|last
dimension first_seen: first seen|first event|first activity|first active|first used|first use|first time|first appeared|first show up|first showed up|first using|first|first appear|first appears|first show|for the first time ever
find features + dimension first_seen + order up time: do first|did first|first thing|first things|first event ever|first ever event|very first event|first event ever recorded|first recorded event|first event recorded|happened first
compare + dimension account: same company|same account|same firm|same organization|same organisation|same employer|same customer|same workspace|different companies|different accounts
dimension kind: kind of account|kinds of account|account kind|account kinds
dimension item_kind: kind|kinds|type|types|kind of notice|kinds of notice|kind of notices|kinds of notices|notice kind|notice kinds|item kind|item kinds|notice type|notice types|type of notice|types of notices|kind of warning|kinds of warnings|type of warning|types of warnings|warning type|warning types|of which type|of which kind
dimension status: status|statuses
dimension severity: severity|severities|severity level
dimension snoozed_until: snoozed till when|snoozed until when|when does the snooze end|snooze end
dimension industry: industry|industries|sector|sectors|vertical|verticals
dimension region: region|regions|territory|territories|geography|geo
dimension role: role|roles|job role|job title|job titles|user role|user roles
# Health and stages
filter health is at_risk: at risk|in danger|in trouble|red|in the red|struggling|unhealthy|sick|risky|churn risk|churn risks|risk|at churn risk|risk of churn|risk of churning|at risk of churning|red flags|in bad shape|in poor health|doing badly|doing poorly|bad health|poor health|look bad|looks bad|looking bad|most at risk|most at risk of losing|at risk of losing|in danger of losing|in danger of leaving|at risk of leaving
filter health is healthy: doing great|doing good|doing okay|looking good|thriving|in a good state|in great shape|healthy|green|in good health|in good shape|doing well|doing fine|ok health|good health|have good health|look good|looks good|health is good|health is fine|health is ok|health is okay
filter health is watch: watch|on watch|watchlist|yellow|amber|on the watch list|on the watchlist|in watch
filter health in watch,at_risk: not doing great|not doing so well|not doing so great|not doing good|not looking good|look bad|not ok|not okay|not fine|in a bad state|red or yellow|shaky|watch or worse|problem|problems|a problem|have problem|look shaky|not doing well|health is not good|health not good|health isnt good|score is not good|health is not ok
filter health isNot insufficient_data: enough data for a score|enough data|sufficient data
filter health is insufficient_data: dont have a score|do not have a score|dont have a health score|do not have a health score|without health score|without score|without scores|dont have a score yet|do not have a score yet|dont have a health score yet|do not have a health score yet|no score so far|not scored|not scored yet|not been scored|not been scored yet|insufficient data|not enough data|no score|without a score|unscored|no score yet|thin data|too little data|do not have enough data|do not have enough data for a score|not have enough data for a score|not enough data for a score|no health score|without a health score
filter health became healthy: recover|recovers|bounced back|bounce back|bounces back|recovered|back to healthy
filter stage is trial: trial|on trial|in trial|trialing|trialling|in a trial|free trial|on a trial|in trial stage|trial stage|still on trial|still in trial
filter stage is churned: churned|lost|gone|cancelled|canceled|who left us|that left us|no longer customers|used to be a customer but left|used to be a customer|used to be customers|left us|but left|not a customer any more|churned stage
filter stage is active: a customer|converted customers|live customers|paying|customer stage|in customer stage|have we sold in total|have we sold so far|have we sold overall|have we sold altogether|have we sold all in all
filter stage isNot churned: still with us|with us still|still on board
filter stage became active: buying|subscribing|subscribed|purchased|purchasing|becoming a customer|becoming customers|becoming a paying customer|becoming paying customers|became a customer|become a customer|became customers|become customers|became customer|become customer|turned customer|converted|convert|converting|signed|sign|won|we win|win|turned into customers|went live|bought|converted to customer|converted to customers|joined as customers|turned into a customer|new paying customers|become paying|became paying|started paying|trial to customer conversions|conversions
filter stage became churned: churn|losing|lose|cancel|leave us|did we lose|we lose|we lost|lost us|churning|cancelled on us|churns|stopped being customers|stopped being a customer|stop being a customer
filter stage became trial: started a trial|began a trial|started trials|trials started|start a trial|trials started|started their trial|trial starts|started trial|start their trial
# Activity, kinds of accounts, seats and money
# No event; whether people were active is the closest question
reason no_such_event: logged in|log in|logging in|login|logins|log ins|logs in|logged on|log on|logging on|signed in|sign in|sign ins|signing in|mobile app|mobile apps|desktop app|desktop apps|iphone app|android app|ipad app
filter active is true: active|seen|in use|alive|still around|around|using the product|using it|using us|using the tool|used the tool|use the tool|used it|use it|using our product|use the product|used the product|log in|logged in|at work|worked with the tool|work with the tool|logging in|did anything|do anything|did something|any activity|engaged|logged any activity|any events|any event|using our tool|still using it|still using the tool|uses the product|uses the tool|uses it|uses our tool|uses our product|log anything|logged anything|logs anything|log something|logged something|doing anything|done anything|do something|doing something|done something|record anything|recorded anything|record an event|recorded an event|log an event|logged an event|touch anything|touched anything|been in the tool|been in our tool|been in the product|been on the tool|being used|still being used
window all isVague + filter active is true: tried the tool|tried the product|tried it out|tried our product|ever used the tool|ever used the product|ever used it
returned: came back|come back|comes back|coming back|back to life|came back to life|come back to life|woke up|woken up|reactivated|came alive again|active again|are back|is back|returned|back again
filter active is false: inactive|silent|quiet|dormant|idle|dead|gone silent|gone quiet|went quiet|went silent|no activity|no events|no event|no usage|not a single event|without activity|without any activity|without events|without any event|without any events|without usage|nobody touched|nobody used|absent|stopped using the product|stopped using us|did nothing|done nothing|do nothing|nothing|zero activity|zero events|zero usage|not been active|not logged any activity|not done anything|not do anything|unused|nobody has touched|fell silent|fallen silent|has not been used|have not been used|after being silent|after being quiet|after being inactive|after being dormant|after being idle|after being dead|after going silent|after going quiet|after going inactive|after going dormant|after going idle|after going dead|after having been silent|after having been quiet|after having been inactive|after having been dormant|after having been idle|after having been dead|after they were silent|after they were quiet|after they were inactive|after they were dormant|after they were idle|after they were dead|after they went silent|after they went quiet|after they went inactive|after they went dormant|after they went idle|after they went dead|after they had been silent|after they had been quiet|after they had been inactive|after they had been dormant|after they had been idle|after they had been dead
filter seat_use from 100: all their seats|all of their seats|all of the seats|every seat|maxed out|full seats|no free seats|no seats left|no spare seats|no empty seats|all seats used|all seats in use|all seats taken
filter seat_use under 100: unused seats|seats they do not use|seats they dont use|empty seats|spare seats|free seats|seats left|seats to spare
filter seat_use over 100: over their seat limit|over the seat limit|over their limit|over the limit
filter kind is company: company account|company accounts|companies only
filter kind is solo: personal account|personal accounts|solo account|solo accounts|solo users
filter account isUnknown false: with a name|have a name
filter seats changed down: fewer seats than before|downsized|gave up seats|lost seats|lose seats|losing seats
filter seats changed up: more seats than before|bought more seats|buy more seats|bought seats|seat expansion
filter mrr changed down: mrr went down|reduced mrr|mrr contraction|mrr fell|mrr dropped|mrr decreased|pay less than before
filter mrr changed up: mrr went up|mrr expansion|upsold|mrr grew|mrr increased|mrr rose|pay more than before
filter mrr is 0: pay nothing|pays nothing|paying nothing|free of charge
# The inbox; ~ is any word for a notice
filter status is open: open|unresolved|still open|outstanding|pending|currently open|unsnoozed
filter status is snoozed: snoozed|on snooze|snooze
filter status is dismissed: dismissed|put aside|dismiss
filter status is resolved: resolved|solved|auto resolved|closed
filter severity is critical: critical|critical severity|severity critical|most severe|highest severity|top severity
form yes_no + filter severity in critical,high: anything urgent|something urgent
filter severity in critical,high + find items: urgent ~|most urgent ~
filter severity in critical,high: critical and high|critical or high|high and critical|high or critical
filter severity is high: high severity|severity high
filter severity is medium: medium severity|severity medium
filter severity is low: low severity|severity low
filter item_kind is usage_drop + find items: usage drop ~|usage drops ~|usage dropped ~|drop in usage ~
filter item_kind is usage_drop: usage drop|usage drops
filter item_kind is slow_decline: slow decline|slow declines|declining slowly|slowly declining
filter item_kind is key_user_quiet: champion gone quiet|champion went quiet|champion left|champion gone|key user quiet|key user left|champion quiet|champion leaving|lost champion|champions left|lost their champion|lost its champion|lose its champion|lose their champion|key users quiet|champion leave|a champion leave|lost a champion|champion has left|champion departed|champion is gone
filter item_kind is seats_nearly_full: nearing their seat limit|near seat limit|approaching their seat limit|approaching the seat limit|close to full|about to run out of seats|nearly out of seats|short on seats|short of seats|low on seats|seats nearly full|need more seats|needs more seats|close to the seat limit|close to seat limit|near the seat limit|near their seat limit|at their seat limit|out of seats|running out of seats|nearly full|almost out of seats|close to their seat limit|seat limit nearly reached|close to running out of seats|near their seat limits|almost at their seat limit
filter item_kind is usage_growth: ready to move to a bigger plan|ready to move to a higher plan|ready to move to the next plan|could move up a plan|ready for the next step up|due an upgrade|due for an upgrade|ready for the upgrade|ready for an upsell conversation|ready for an upsell talk|ready to move up a plan|ready to move up|ready to upgrade|ready for an upgrade|ready for a bigger plan|ready for the next plan|ready for more|ready to grow|ripe for an upsell|ripe for expansion|ripe for upsell|candidates for upsell|candidates for an upsell|candidates for expansion|ready for upsell|ready for upselling|upsell ready|upsell chances|upsell prospects|upsell targets|upsell leads|good for an upsell|worth an upsell|ready for a higher plan|ready for the next tier|ready for a higher tier|upsell candidate|ready to buy more|upsell|upsells|ready to expand|expansion ready|expansion candidates|expansion candidate|upsell candidates|ready for expansion|ready for an upsell|upsell opportunities|expansion opportunities|upsell potential|expansion potential
filter item_kind in seats_nearly_full,usage_growth: ready for more seats|ready to buy more seats|ready to add seats|likely to need more seats
filter item_kind is feature_dropped: feature dropped|dropped a feature|feature no longer used|feature is no longer used|a feature is no longer used
filter item_kind in trial_ending_low_activity,trial_ending_ready: trial ending soon|trial is ending|a trial is ending
filter item_kind is trial_ending_low_activity: trial with low activity|trials with low activity
filter item_kind is trial_ending_ready: ready trial|trial ready to buy|trials ready to buy|trials ready to convert|ready to buy|ready to convert|about ready to buy
filter item_kind is never_activated: never activated|not activated|never got started|never got going|never got off the ground|never took off|never really started|never really got started
filter item_kind is tracking_stopped: tracking stopped|tracking stop|data stopped
filter item_kind is contraction: seats were reduced|seats reduced|seat reduce|about reduced seats|contraction|about seats
filter severity is high + find items: high ~
filter severity is medium + find items: medium ~
filter severity is low + find items: low ~
filter item_kind is gone_silent + find items: silent account ~|silent accounts ~|silent ~|inactivity ~|account silent ~|went silent ~|gone silent ~|silence ~|account went silent ~
filter item_kind is usage_growth + find items: usage growth ~|growth ~|expansion ~
filter item_kind in trial_ending_low_activity,trial_ending_ready + find items: trial ending ~
filter item_kind is trial_expired + find items: trial expired ~|expired trial ~
filter item_kind is health_dropped + find items: health drop ~|health dropped ~|score drop ~
filter item_kind is contraction + find items: seat reduction ~|seats were reduced ~|reduced seats ~
filter item_kind is gone_silent: account went silent
dimension champion: champion|champions|key contact|main contact|key user|main user|sponsor|champion user
filter item_kind is key_user_quiet + find items: champion ~|champion left ~|lost champion ~|key user ~
# Use
use uses: use|uses|used|using|tried|try|touched|touch|adopted|adopt|picked up|pick up|took up|take up|taken up|work with|works with|ran|likes|like|makes use of|make use of|making use of|still use|still uses|still using|still used|people who use|make|made|makes|making|perform|performed|generate|generated|adopting|set up|sets up|setting up|rely on|relies on|relying on|relied on|depend on|depends on|relying heavily on|leverage|leverages|leveraging|experimented with|played with|interact with|interacts with|interacted with|engage with|engages with|embraced
find accounts + use uses: adopters|adopters of
use arose: arrived|arrive|arrives|appeared|surfaced|cropped up|was created|were created|coming in|comes in|got raised|were raised|was raised|was opened|were opened|landed|left|raised|opened|triggered|came in|come in|fired|popped up|write|writes|wrote|written
use never: never used|never tried|never touched|never use|never|never ever|have never|has never|not ever|never once|not yet|not once
use stopped: stopped using|stopped|no longer use|no longer uses|no longer used|no longer using|no longer|quit using|gave up|abandoned|stopped to use|stop using|stop|quit|gave up on|do not use any more|not use any more|not any more|not use anymore|not anymore|became inactive|become inactive|went inactive|gone inactive|turned inactive|used to|used to use|used to have|ceased|ceased using|ceased to|given up|stopped doing|does not anymore|moved away from|not using anymore
use started: started using|began using|start using|newly use|newly using|for the first time|start|starts|began|begin
# Numbers and rankings
bound over: more than|over|above|greater than|exceeding|exceed|exceeds|higher than|larger than|bigger than|upwards of|and more than|>|longer than|older than|more then
bound under: less than|fewer than|under|below|lower than|smaller than|<|less then|shorter than|beneath
bound from: at least|no less than|no fewer than|minimum of|min|minimum|≥|or more|and more|and above|and up|or over|or above|or higher|or longer|plus|not less than|not fewer than
bound to: at most|no more than|maximum of|max|up to|≤|or less|or fewer|and below|or under|or below|or lower|not more than
bound is: exactly|equal to|equals|precisely|=|just|only|nothing but|do nothing but|did nothing but|does nothing but
number 50 percent: half|half of|half the|half of the
order down: furthest|farthest|steepest|sharpest|most|highest|greatest|highest first|descending|desc|ranked|ranking|ranking of|mostly|maximum of|high to low|most often|most frequently|most of all|most heavily|most enthusiastically|fastest|quickest|best|strongest|popular|most popular|most common|furthest|farthest|hardest|steepest|sharpest|deepest|highest to lowest|biggest to smallest|largest to smallest|most to least|best to worst|from high to low
order up: bottom|least|fewest|lowest|lowest first|ascending|asc|low to high|least often|fewest first|least frequently|least popular|least common|worst|lowest to highest|smallest to biggest|smallest to largest|least to most|worst to best|from low to high
order down isMore: more|better|bigger|larger|higher|greater|more often|more frequently|ahead|ahead on|ahead in
order up isMore: less|lower|fewer|worse|smaller|less often|less frequently
order down score isMore: healthier|in better health|doing better|in better shape|better shape|better off
order up score isMore: less healthy|in worse health|doing worse|worse off|in worse shape|worse shape
order down time isMore: later
order up time isMore: sooner|earlier
order down + measure score: most points|the most points
nth 1: single|the single|on top|at the top
: names and|sorted|any chance|any chance you can|any chance you could|good news|bad news|i like|i love|i d love|we like|id like|i d like|quick one|quick q|just checking|just wondering|just curious|just to check|just to be sure|to be sure|just asking|for context|for reference|if possible|if you can|if i may|if i may ask|when you can|when you get a chance|when you have a minute|when you have time|no rush|not urgent|is it possible to|is it possible|would it be possible to|possible to|could i get|can i get|can i have|could i have|showed up|shows up|brings|bring|brought|give us the|stuff|can i see|could i see|could i also get|i would love|all i need is|what i need is|i am looking for|looking for|i am after|trying to find out|trying to find|trying to figure out|trying to understand|help me understand|interested in|curious about|out of curiosity|by the way|on that note|up to now|until now|thanks a lot|many thanks|much appreciated|appreciate it|will do|is fine|is enough|would be great|would be nice|would be helpful|that is all|that is|in one go|at hand|to hand|while i at it|while im at it|while you at it|while we at it|you can do this|if you know|if you could|would you mind telling me|would you mind|mind telling me|do you mind|be so kind as to|so kind|real quick|really quick|for a change|company wide|companywide|org wide|organization wide|across the board|across all accounts|across all of them|over all accounts|for all accounts|across the whole company|across the company|across everything|next to it|next to each|next to them|beside it|alongside it|as a column|in a column|in another column|in the next column|in a separate column|in a table|as a table|in one table|as a list|in a list|in one list|to me|with you|hit me with|come up with|for us|for you|you know|i guess|kind of|sort of|in other words|in short|in brief|in particular|in general|in fact|as a reminder|first of all|to start with|for starters|ones|the ones
nth 2: second|2nd
nth 3: third|3rd
nth 4: fourth|4th
nth 5: fifth|5th
per isOrder: sorted by|ordered by|sort by|order by|ranked by|rank by|in order of|sorted on|sort on|sorted after|sorted according to
find features + order down: feature ranking|favourite features|favorite features|favourite feature|favorite feature|go to features|go to feature
find users + order down: user ranking
order down isTop: top|leading
order down size: biggest|largest|big ones first|biggest first|largest first
order up size: smallest|tiniest|smallest first
sized: low|so low|that low|this low|poor|bad|so bad|so poor|high|so high|big|large|small|mid sized|midsized|midsize|medium sized|medium|mid market|tiny|huge|little
order down mrr: most valuable|highest paying|best paying|pays most|pays the most|pay most|pay the most
order up mrr: lowest paying|pays least|pays the least
order down score: healthiest|best health|best first|highest health|stars|the stars|doing best|in the best shape|in best shape|in the best health
order up score: worst health|worst first|least healthy|unhealthiest|poorest|weakest|lowest health|riskiest|sickest|doing worst|in the worst shape|in worst shape|in the worst health
order down + measure adoption: most adopted|best adopted
order up + measure adoption: least adopted
order down events + find users: power users|power user|heavy users|heaviest users
order down + measure active_users: had the most active users|had most active users|has the most active users|have the most active users|has most active users|with the most active users|with most active users
order down events: most active|busiest|most used|most engaged|heaviest|most activity|used most|being used most|used the most|uses it most|use it most|use it the most|most usage|most frequently used|most often used|most active first
order up events: least active|least used|least engaged|used least|used the least|least usage|most inactive|rarely used|least activity|quietest
order up date: by date|sorted by date|sort by date|ordered by date|order by date
order up name: alphabetical|alphabetically|in alphabetical order|by name|a to z
order down events + per day: busiest day|busiest days|best day|best days|peak day|most active day|most active days|best and worst days
order down events + per week: busiest week|busiest weeks|best week|peak week|most active week
order down events + per month: busiest month|best month|peak month|most active month
order up events + per day: quietest day|slowest day|worst day|least active day
order down time: newest|latest|most recent|newest first|most recently opened|recent|latest first|newest to oldest
order up time: oldest|earliest|oldest first|soonest|soonest first|earliest first|next up|next|oldest to newest|nearest|closest|longest standing|longest serving|longest running
# Changes and others
change up: grew|grow|growing|growth|growth in|increase|increased|increases|increasing|rise|rises|rose|rising|risen|gained|gain|went up|go up|gone up|going up|is up|are up|growers|risers|better than before|grown|climbed|picked up usage|on the rise|ramping up|accelerating|trending up|increase in|rise in|higher than before|gainers|climbers
change down: fell|fall|falls|falling|fallen|drop|drops|dropped|dropping|decline|declined|declines|declining|decrease|decreased|decreasing|decreases|shrank|shrink|shrinking|shrunk|went down|go down|gone down|going down|is down|are down|decliners|droppers|slipped|slid|dipped|dip|slipping|trending down|drop in|fall in|decline in|slowed down|slowing down|lower than before|gone downhill|losers
change up + order down: fastest growing|gained the most|grew the most
change down + order down: lost most|lost the most|fastest shrinking|fastest declining|fell the most|dropped the most
change up what: added|add|expanded|up
change down what: down|reduce|reduced|reducing|reduction|reductions|cut|cuts|cutting|cut back|removed
measure active_users + change down: lost users|lose users|losing users|losing active users|lost active users|lose active users
change + compare: more or less than|more or less then|more or fewer than|higher or lower than|better or worse than|better or worse then
change: trend|trends|trending|move|moves|change|changed|changes|development|evolve|evolved|evolving|develop|developed|developing|compared to before|change in|changes in|moved|moving|more or less|less or more|more or fewer|fewer or more|higher or lower|lower or higher|better or worse|worse or better|evolution
moved: going from|gone from|switched|switch|became|become|turned|turn|turns|go|turned into|went|newly|went to|went into|moved to|moved into|moved up to|fell to|fell into|dropped to|slipped to|slipped into|slid to|slid into|switched to|changed to|upgraded to|downgraded to|upgrade to|downgrade to
change down + order down + measure score: lost the most points|lost most points|dropped the most points
measure active_users + change up: gained users|gain users|gaining users|gained active users|gaining active users
share: are all|is every|do all|does every|did all|have all|has every|were all|is each|does each of|are all of|share of|percentage of|percent of|percentage|proportion of|proportion|fraction of|fraction|what share of|what percentage of|what percent of|what proportion of|percent|%|what part of|what fraction of|how big a share of|what share|which share of|which percentage of|what portion of|portion of|what percentage|what proportion|which share|their share|did every|have every|was every|were every|do every
change up score: got healthier|getting healthier|get healthier|gets healthier|become healthier|became healthier|gotten healthier|improved|improve|improves|improving|improvement|improvements|improvement in|getting better|get better|got better|gotten better|recovering
change down score: got unhealthier|getting unhealthier|became unhealthier|got riskier|getting riskier|became riskier|got sicker|less healthy than before|worsened|worsen|worsening|getting worse|get worse|got worse|gotten worse|deteriorated|deteriorating|deteriorate
new + find users: first time users|first time user|newcomers|newcomer|new joiners|joiners|newbies
new: seen for the first time|signed up|sign up|signs up|joined|join|onboarded|created|new|brand new|what new|whats new|what is new|newly added|newly seen|showed up for the first time|show up for the first time|appeared for the first time
measure events + change down: did usage drop|did usage fall|did usage go down|usage drop|usage drops|drop in usage|drops in usage
over + filter stage is trial: past their end date|past its end date|past the end date|past their end|past its end|past end date
over: expired|lapsed|ended|run out already|over already|already over|already ended|already expired|already lapsed|is over|passed|have run out|ran out|in the past
compare: compared with|compared to|compare|versus|vs|against|in comparison with|in comparison to|relative to|than|comparison|compared against|difference between|difference in|any difference|any difference between|side by side|or rather|comparing|any difference in|ratio|ratio of|rank among|rank among all|ranks among|rank against|ranked among|v
compare + form count: how many more|how much more|how many fewer|how much less|how much higher|how much bigger
compare + find accounts: same company|the same company|same account|the same account|same organization|the same organization
compare + dimension plan: same plan|the same plan|same tier|the same tier|different plans
compare + dimension region: same region|the same region|different regions
compare + dimension industry: same industry|the same industry|same sector|different industries
compare + dimension role: same role|different roles
before: before|week before|month before|quarter before|day before|year before|the week before|the month before|the quarter before|the day before|the year before|the previous one|the week prior|the month prior|the period before|the time before|previously|before that|prior period|previous period|than before|the weeks before|than it was|than previously|the period prior|the one before|did before|had before|did so before|done so before|done so before that|did so before that|did it before|did previously|before yes
per isStrict: per|for each|for every|each|by each|in each|at each|does each|from each|of each|on each of|on each|each of
per isSplit: distributed|split by|broken down by|grouped by|breakdown by|split of|breakdown of|split|breakdown|divided by|group by|distribution of|distribution|split across|split over|split between|split among|split into|spread across|spread over|spread|distributed across|distributed over|distributed by|distributed|broken down into|mix|mix of|composition of|composition|makeup of|break down|group|break it down|break that down|break this down|break them down|broken down|break it up|split it|split them|split that|break it down by|break that down by|break this down by|break them down by|split it by|split them by|split that by|divide it by|break it out by|broken out by
per: by|across|by the|across all the
per day isStrict: each day|every day|on each day|daily basis
per week isStrict: each week|every week
per month isStrict: each month|every month
same: at the same time|same time|the same time|same period|the same period|same point|the same point|this time|same days|the same days|same time of|the same time of|same period of|the same period of|same stretch|the same stretch|the same days of|the same point in|same point in|same date|the same date
per day: per day|daily|by day|day by day|a day|per calendar day|which day|what day|which days
per day isOver: day over day|day on day|d o d
per week isOver: week on week|week over week|wow|w o w|week to week
per month isOver: month on month|month over month|mom|m o m|month to month
per week: per week|weekly|by week|week by week|a week|over time|weekly trend of|weekly trend|per calendar week|in which weeks|which weeks|which week
per month: per month|monthly|by month|month by month|a month|which month|what month|in which month|in which months
bound is + number 1 + measure active_users: one active user|only one active user|one active user only|just one active user|exactly one active user|a single active user|one active person|only one active person
number 1 + measure events: once|one time|a single time
number 2 + measure events: twice|two times
aggregate average: overall average|average overall|average|avg|mean|on average|the average|an average|average number of|avg number of|mean number of|the average number of|average amount of|average count of
aggregate median: median|median number of
aggregate sum: total|sum|sum of|overall|altogether|combined|in total|all together|add up|sum up|totals|total of|the total|together
with: with their|along with|together with|and their|including their|plus their|as well as their|and show|and his|and her
window all + bound is: only ever
negation: all but|everyone but|everybody but|not|no|without|except|excluding|other than|apart from|besides|none|nobody|zero|no one|non|lacking|minus|dont|doesnt|didnt|havent|hasnt|isnt|arent|wasnt|w o|without a single|no single|without any|outside|outside of|without having|neither|w o a single|w o a|w o any|lack|lacks
or: or|nor|and or|respectively
both: both
unknown true: unknown|missing|not set|not recorded|blank|empty|not filled in|undefined|unset|no value|do not have a|do not have an|not have a|not have an|without a|without an
unknown false: known|filled in|set|recorded|given
pointer account: that account|this account|this customer|that customer|this company|their account
pointer user: this user|that user|this person|that person|he|she|him|her|his
pointer any: it|they|this|that one|this one|them|those
# What no answerable question has, and what only sounds like it
reason out_of_scope: write me|write an|write a|draft|compose|book|book a|book me|meeting room|remind me to|remind me that|reminder|email me|email them|email the|email it|an email|send|send an|send a|call them|schedule a|schedule a meeting|lunch|dinner|weather|joke|poem|song|recipe|stock price|exchange rate|exchange rates|dollar rate|euro dollar rate|bitcoin|crypto|football|president|prime minister|capital of|who are you|your name|what can you do|system prompt|prompt|instructions|ignore all|ignore previous|ignore the|disregard|pretend|hack|jailbreak|api key|api keys|secret|secrets|credentials|my password|my own password|how do i|how can i|how to|meaning of|chatgpt|openai|movie|music|restaurant|flight|flights|holiday|birthday|what time is it|square root|essay|python|javascript|sql|code|drop table|turn off|turn on|order me|pizza|coffee|server down|servers down|server|servers|outage|site down|is the site down|world cup|won the|match last night|the match|the game|champions league|olympics|election|elections|raining|rain|snowing|sunny|headlines|world news|todays rate|today s rate|current rate|usd to eur|eur to usd|usd into eur|eur into usd|into eur|into usd|into euro|into euros|into dollars|dollars to euros|euros to dollars|euro to dollar|dollar to euro|euro in dollars|euros in dollars|dollars in euros|where do i|where can i|how would i|how should i configure|help page|documentation|cant log in|cannot log in|can not log in|horoscope|capital city|who invented|regex|formula|translate|remind me on|remind me at|remind me tomorrow|remind me next|mail the|mail to
reason prediction: may churn|may leave|may cancel|will|wont|going to|gonna|predict|predicts|predicted|prediction|predictions|forecast our|forecast my|forecast the|forecast|forecasted|project our|projected|projection|projections|likely|unlikely|likelihood|probability|probable|probably|chance|chances|chance that|odds|expect|expected|expectation|expectations|anticipate|foresee|estimate|estimated|outlook|prognosis|on track to|on course to|bound to|might|may|future|eventually|count on|tomorrow|by christmas|by easter|keeps|if usage keeps|about to|end up|would
reason causal_claim: because|because of|cause|causes|caused|causing|what made|made|due to|what drives|drives|driver|drivers|led to|motivation|impact of|effect of|influence|how come|what makes|decide|decide to|decided|choose|chose
reason opinion: should|why should|should i|should we|do you think|you think|do you reckon|reckon|recommend|recommendation|advise|advice|suggest|suggestion|nicest|favourite|favorite|best idea|good idea|bad idea|rate our|rate my|rate the|deserve|deserves|opinion|your opinion|your view|is better|is it better|worth it|prefer|fair|annoying|fun|focus on|prioritize|prioritise|bother|worry about|be worried|worried|pleasant|loyal|coolest|smartest|ought|feel|your take|my favourite|nice|believe|good|good enough|bad|worth a call|worth a visit|worth calling|worth visiting|worth my time|worth our time|worth the effort|worth an email|agenda|talking points|talking point|tips|next steps|next step|strategy|best way|best practice|best practices|what would you|would you do|would you say|would you call|would you contact|what do you make|how worried|how concerned|worried about|concerned|concerned about|worrying|alarming|too strict|too high|too low|too expensive|acceptable|enough|reasonable|convince|persuade|ideas|what can i do|what can we do|what to do|what do i do|what do i tell|call first|visit first|contact first|reach out|is it normal|is that normal|is this normal|normal that|healthy enough|ok to|okay to|safe to|how should|any tips|best feature|best features|worst feature|best functionality
reason unmeasured_attribute: nps|net promoter score|csat|ces|customer satisfaction|satisfaction|satisfied|sentiment|happy|happiness|unhappy|ticket|tickets|support ticket|support tickets|invoice|invoices|last invoice|billing|ltv|clv|lifetime value|cac|churn rate|retention rate|nrr|grr|net revenue retention|conversion rate|win rate|margin|margins|profit|profitability|cost|costs|price|prices|pricing|discount|discounts|page views|pageviews|session|sessions|session length|time spent|bounce rate|clicks|latency|uptime|downtime|error|errors|error rate|error msg|error message|error messages|bug|bugs|calls with|meetings|open rate|device|devices|browser|browsers|operating system|survey|surveys|feedback|review|reviews|rating|ratings|complaint|complaints|complained|payment|payments|overdue|refund|refunds|budget|budgets|competitor|competitors|headcount|employee count|stock|valuation|funding|response time|loyalty|mood|debt|pipeline value|quota|opportunity|opportunities|deal size|referral|referrals|phone|phone number|phone numbers|address|addresses|email address|email addresses|gender|age|roadmap|product roadmap|feature request|feature requests|requests|report title|report titles|titles|looks after|look after|who manages|responsible|email|e mail|retention|cohort|cohorts|contract length|length of contract|payment terms|pipeline|sales pipeline|deals closing|decision maker|buyer|buyers|economic buyer|qbr call|call with|acquire|acquisition|we spend|decision|goals|located|location|response times|effort score|onboarding|onboarding status|talk to|talked to|spoke to|speak to|last meeting|qbr date|owns|owned by|notes|call notes|meeting notes|emails|last email|email sent|did we send|was sent|were sent|emails sent|account owner|account owners|the account owner|the account manager|the account executive|the account rep|account manager|account managers|csm|my team|reps|my reps|sales rep|sales reps|owner|owners|website|linkedin|language|languages|country|countries|city|cities|timezone|mobile|desktop|ip address|onboarding call|training|credit card|payment method|po number|legal entity|vat|tax|contract terms|contract value|ceo|cfo|cto|customers rating|marketing|campaign|ads|how much time|spend time|spent time|spending time|time on|hours spent|minutes spent|load time|load times|loading time|executive sponsor|executive sponsors|sponsor|account executive|account executives|account rep|last call|last phone call|last visit|last conversation|last contact|e mails|open our|opened our|read our|sla|slas|incident|incidents|escalation|escalations|headquarters|turnover|company size|arpu|prospects|leads|proposals|quotes|churn reason|churn reasons|signed the contract|signed their contract|signed the deal|contract signed|our support|support team|customer support|does support|support case|support cases|cases|how long do users spend|how long do people spend|how long do they spend|how long does it take|how long do customers spend
find features + dimension last_seen: what they did last|what did they do last|what they do last|what they last did|what did they last do|the last thing they did|last thing they did|what was the last thing they did|did last|do last|what he did last|what she did last
`;
