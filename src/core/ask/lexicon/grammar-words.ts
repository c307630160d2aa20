/** Small words that tell how a sentence is built: who does what, and to what it is done. */
export const wordsOf = (list: string): ReadonlySet<string> => new Set(list.split(" "));

export const AUXILIARIES = wordsOf("did does do has have had is are was were been being be get gets got");

export const HAVING = wordsOf("have has had");

export const DOING = wordsOf("did does do");

/** Between something that is done and who does it: "how many reports did acme export". */
export const QUESTION_AUXILIARIES: ReadonlySet<string> = new Set([...DOING, ...HAVING]);

/** "were exported": what stands before is what it was done to. */
export const PASSIVE_AUXILIARIES = wordsOf("was were been being be get gets got getting is are");

/** What is done to a feature, whatever its name says. */
export const USE_VERBS = wordsOf("use uses used using adopt adopts adopted adopting try tries tried trying");

/** What says of a name next to it that it is one. */
export const KINDS = wordsOf("account customer company client user person event feature org organisation organization");
