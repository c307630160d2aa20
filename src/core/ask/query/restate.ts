/** Writes a query in plain English. Different queries have different texts, so that a reader can tell what was asked. */
import { canonical } from "./canonical.ts";
import type { Query } from "./model.ts";
import type { Voice } from "./say-clauses.ts";
import { canLead, upper, windowOf } from "./say-measures.ts";
import type { Speech } from "./say-names.ts";
import { sayWhen } from "./say-windows.ts";
import { Restatement } from "./restatement.ts";
import type { Manner } from "./sentence.ts";
import * as formWords from "./words-of-forms.ts";

/** @param query checked */
export const restate = (query: Query, speech: Speech): string =>
  put(query, speech, { form: 0, other: false, windowFirst: false });

/** Other ways to put the same query. */
export function phrasings(query: Query, speech: Speech): string[] {
  const manners: Manner[] = [
    { form: 1, other: false, windowFirst: false },
    { form: 2, other: false, windowFirst: false },
    { form: 0, other: true, windowFirst: false },
    { form: 0, other: false, windowFirst: true },
    { form: 1, other: true, windowFirst: true },
  ];
  const plain = restate(query, speech);
  const polite = `${formWords.POLITE.before}${STARTS.test(plain) ? lower(plain) : plain}${formWords.POLITE.after}`;
  const texts = [...manners.map((manner) => put(query, speech, manner)), withoutMark(plain), polite];
  return [...new Set(texts)].filter((text) => text !== plain).slice(0, MAX_PHRASINGS);
}

const MAX_PHRASINGS = 6;

const withoutMark = (text: string): string =>
  text.endsWith("?") ? text.slice(0, -1) : `${text}${formWords.POLITE.please}`;

function put(given: Query, speech: Speech, manner: Manner): string {
  const query = canonical(given);
  const voice: Voice = { ...speech, other: manner.other };
  const text = new Restatement(query, voice, manner).text();
  const window = manner.windowFirst && canLead(query) ? windowOf(query) : undefined;
  if (window === undefined) return upper(text);
  return `${upper(sayWhen(window))}, ${/^[A-Z][a-z]/.test(text) && STARTS.test(text) ? lower(text) : text}`;
}

const STARTS =
  /^(?:How|What|Which|When|Why|Is|Are|Was|Were|Did|Does|On|Number|Tell|Show|List|Count|Give|The|Do|Since)\b/;
const lower = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);
