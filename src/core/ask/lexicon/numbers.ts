/** Numbers in questions: in digits, or in the words that people use for small ones. */
const WORDS =
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(
    " ",
  );
const TENS: ReadonlyMap<string, number> = new Map([
  ["thirty", 30],
  ["forty", 40],
  ["fifty", 50],
  ["sixty", 60],
  ["seventy", 70],
  ["eighty", 80],
  ["ninety", 90],
  ["hundred", 100],
]);
const MOST_DIGITS = 4;

/** `null` for what is no whole number below 10,000. */
export function numberOf(word: string): number | null {
  if (/^\d+$/.test(word)) return word.length <= MOST_DIGITS ? Number(word) : null;
  const small = WORDS.indexOf(word);
  return small < 0 ? (TENS.get(word) ?? null) : small + 1;
}
