/**
 * Phrases that ask where to begin: "who should I call today", "needs my attention", "any fires". Open inbox items answer
 * them. They are patterns, because question words, verbs and times combine freely.
 */
const SOON =
  "(?: (?:first(?: thing)?|next|now|today|right (?:now|away)|asap|urgently|immediately|soonest|most(?: urgently)?|(?:this|in the) (?:morning|afternoon)|this week|before (?:lunch|the weekend)))";
const MUST =
  "(?:(?:should|shall|must|do) (?:i|we|(?:my|our|the) team)(?: (?:really|actually|first))?(?: (?:need|have) to)?|(?:i|we) (?:should|must|(?:need|have|ought) to)|(?:is|are) there to|to)(?: first)?";
const ACT =
  "(?:call|phone|ring|contact|e?mail|message|ping|visit|meet|save|tackle|handle|nudge|check (?:up on|in on|in with|on)|(?:talk|speak) (?:to|with)|reach out to|look (?:at|into|after)|(?:focus|concentrate)(?: (?:my|our) (?:time|day|energy|efforts?))?(?: on)?|work on|prioriti[sz]e|worry(?: about)?|(?:start|begin)(?: with)?|deal with|chase(?: up)?|follow up(?: with| on)?|pay attention to|spend (?:my|our) (?:time|day|energy)(?: on| with)?|take care of|attend to|keep an eye on|act on|be (?:(?:worried|concerned) about|calling|contacting|visiting|chasing|focusing on|working on|looking at|talking to))";
const NEED =
  "(?:needs?|needing|requires?|requiring|deserves?|could use|in need of)(?: (?:my|our|the|some|most|urgent|immediate|any|an?|more|to be))* (?:attention|help|action|love|call|calling|called|saving|saved|contacting|contacted|intervention|follow up|following up|check in|look(?:ing|ed) (?:at|after|into))";
const URGENT = "(?:is |are |that is )?(?:the )?(?:on fire|burning|(?:most )?(?:urgent|pressing))";
const FIRES =
  "(?:(?:any|are there any|is there any|got any|do (?:i|we) have any|what are the|where are the) )?(?:fires|fire to put out|emergency|emergencies|burning issues?)(?: (?:to put out|to fight))?";
const PRIORITIES =
  "(?:(?:what|which) (?:is |are )?)?(?:(?:my|our)(?: (?:top|main|biggest|highest))?|(?:the )?(?:top|main|biggest)) (?:priority|priorities|todos?|to ?do list|action items|call list)(?: for)?";

const PATTERN = new RegExp(
  `^(?:(?:who|whom|what|where|which ones?) ${MUST} (?:${ACT}${SOON}*|do${SOON}+)|(?:who|what|anything|anyone|something) ${URGENT}|(?:who|what|where) (?:is )?(?:first|next|now)$|${FIRES}|(?:${NEED}|${PRIORITIES})${SOON}*)(?= |$)`,
);
/** The rest of "which accounts should I call". */
const REST = new RegExp(`^${MUST} ${ACT}${SOON}*(?= |$)`);
const OF_WHOM = /\b(?:who|which|what|any|accounts?|customers?|clients?|companies|trials?|items?)\b/;

/** @returns the number of words of the phrase that a text begins with; 0 without one */
export function attentionWords(text: string, before: string): number {
  const [phrase = ""] = PATTERN.exec(text) ?? (OF_WHOM.test(before) ? REST.exec(text) : null) ?? [];
  return phrase === "" ? 0 : phrase.split(" ").length;
}
