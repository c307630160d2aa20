/**
 * Words that change nothing about what is asked: articles and auxiliaries, and the politeness around a question. A
 * question is answered without them as with them. Modal verbs are none ("could acme churn" asks for a guess), but for
 * the frames that they stand in here.
 */
import { entriesOf } from "./inflect.ts";

export const FRAME_WORDS: readonly string[] = entriesOf(`
  a, an, the, is, are, was, were, be, been, being, am, do, does, did, has, have, had, having,
  what, which, that, there, so, well, then, also, please, pls, plz, plase, pleas, kindly, thanks, thank, thx, cheers,
  hi, hey, hello, dear, ok, okay, um, uh, hm, hmm, i, me, my, mine, we, our, ours, us, you, your, yours, d, ve, re, m, s, ll, im, id, ive,
  tell, show, give, get, let, lets, know, see, like, want, wanna, need, love, looking, look, wonder, wondering, wondered, curious, ask, asking, say,
  hear, understand, check, checking, pull, bring, provide, remind, quick, quickly, question, info, information, detail, details,
  of, for, in, at, on, with, to, into, about, regarding, concerning, re, inside,
  whether, if, any, exactly, really, roughly, basically, simply, actually, possible, possibly, able, help, mind, happen, happens, ever so,
  interested, idea, find, out what, find out, figure out, work out, look up, look into, looking for, looking into, trying to, try to, pull up, bring up, let me know,
  could you, can you, would you, will you, could i, can i, may i, might i, can we, could we, may we, might you, can anyone, could anyone, could someone, can someone,
  would like, i would, we would, i d like, i want, we want, i need, we need, would love, would be, should i say, do you know, do you happen to know,
  is it true that, is it correct that, is it the case that, is it right that, it would be, it is, as well, at all, in fact,
  as far as you know, according to the data, according to our data, according to your data, from what you know, in the data, based on the data,
  been, figure, figures, please tell me, do we know, do we have, have we got, we have, we got, do you have, have you got,
  a quick, to know, to see, to find out, to understand, out, called, named, namely, ones, of ours,
  exact, precise, what about, there been, got, currently have,
  out there, thank you, much appreciated, appreciate it, would appreciate, be grateful, be glad, happy to know, asap, urgently,
  considered, deemed, classed, classified, recorded, given, listed, noted, held, stored, kept, shown, reported, rated, known, on file, on record, down as, marked as, there been any, been given, registered for,
  i just, just want, just wondering, just checking, just curious, just need, just tell, just show, just asking, just to,
  u, could u, can u, would u, sorry, one more, one more thing, quick one, quick q, by the way, btw, hey there, hi there, good morning, morning all, kindly tell,
  on again, in again, at again, right, correct, isnt it, over at, stands, stand, yes or no, which one, which of them, which of the two, hi team, hey team, hi all, hey all, hello all,
  specific, specifically, particular, in particular, for me, for us, to us, to me, to have, to be,
`);

/**
 * Those of them that are said of who asks ("I need to know"), and mean something of whoever else does it ("which
 * accounts need help"): they open a question, or stand after the one who asks.
 */
export const ASKERS_VERBS: ReadonlySet<string> = new Set(
  entriesOf(
    "want, wanna, need, love, like, know, see, get, give, tell, show, let, lets, looking, look, wonder, wondering, wondered, curious, ask, asking, say, hear, understand, check, checking, pull, bring, provide, remind, help, mind, find, interested, idea, able, possible",
  ),
);
export const ASKERS: ReadonlySet<string> = new Set(entriesOf("i, im, id, we, you, u, us, me, anyone, someone, lets"));

/** The politeness that a question with yes or no may begin with: what stands first after it asks. */
export const OPENING_WORDS: ReadonlySet<string> = new Set(
  entriesOf(
    "hi, hey, hello, so, ok, okay, and, please, pls, well, then, also, um, uh, hm, hmm, dear, quick, question, just",
  ),
);

/** What a pronoun or a pointing phrase may stand for. */
export const POINTING_WORDS: Readonly<Record<"account" | "user" | "feature" | "any", readonly string[]>> = {
  account:
    entriesOf(`this account, this customer, this company, this client, this org, this organisation, this organization, this tenant,
    that account, that customer, that company, that client, the account, the customer, the company, the client, this accounts, this logo, said account, given account`),
  user: entriesOf(
    `this user, this person, this member, this contact, that user, that person, that member, that contact, the user, the person, he, she, him, her, his, hers, this guy`,
  ),
  feature: entriesOf(
    `this feature, this event, this functionality, this event type, this capability, that feature, that event, the feature, this function, this action`,
  ),
  any: entriesOf(`it, its, they, them, their, theirs, this one, that one, this, these guys`),
};
