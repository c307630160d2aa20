/**
 * Decides which object keys hold personal data: see docs/wire/personal-data.md §5. A key is a sequence of words. It is
 * personal if it ends with a listed term, so `email`, `E-Mail` and `work_emails` are personal, and `emailCount` and
 * `page` are not.
 */
import { redactAddresses } from "./redact-addresses.ts";
import { memoizeByText } from "../ttl-cache.ts";

/** Where a key was found. Traits describe a person or a company, so more of their keys are personal. */
export type KeyLocation = "properties" | "traits";

interface KeyClass {
  readonly personalIn: "nowhere" | "traits" | "everywhere";
  /** The largest number that stays under a personal key, because it counts things, as in `total_tokens`; or -1. */
  readonly maxCount: number;
  /** The key as it may be stored: well formed, without NUL and without e-mail addresses. */
  readonly name: string;
  readonly hadAddress: boolean;
}

/** The number under such a key identifies or locates a person. */
const NUMBERS = `
  phone, mobile, mobile phone, cell phone, tel, telephone, fax,
  zip, zip code, postal code, post code, latitude, longitude, lat, lng, lon, lat lng, lat lon,
  birthday, birth date, birth, birth year, date of birth, year of birth, dob, ip, ipv, ip addr, ip address,
  ssn, social security, tax id, tax number, passport, national id, iban, credit card, debit card, card number, card no`;
const NUMBER = terms(NUMBERS);
/** Personal as the whole key and after other words, as in `client_ip` and `billingAddress`. */
const ENDING = terms(`${NUMBERS},
  email, email address, mail address, hashed email,
  first name, fname, last name, lname, middle name, full name, given name, family name, surname, maiden name,
  user name, display name, nick name, address, addr, street, street address, avatar, photo, picture, user agent, gender,
  password, passwd, pwd, passphrase, token, secret, api key, private key, secret key, access key`);
/** Clear even without a separator before them, as in `useremail`. */
const RUN_TOGETHER =
  /(?:address|addr|phonenumber|creditcard|password|passwd|token|secret|(?:client|remote|user)ip)(?:e?s)?$/;
/** The same within one word: the `e` of `private_mail` is no part of it. */
const RUN_TOGETHER_EMAIL = /(?<!voic)emails?$/;
const RUN_TOGETHER_NUMBERS = /(?:phonenumber|creditcard|ip)s$/;
/** Personal only as the whole key: after other words they are ordinary, as in `account_age`. */
const WHOLE_KEY = terms("mail, age, sex");
const WHOLE_KEY_IN_TRAITS = /^(?:name|company|companyname|title|website|description)$/;
/** The longest term has three words, and a qualifier may follow it. */
const MAX_WORDS = 4;

/** A key that starts with one of these is a yes or no, as in `is_mobile`. */
const FLAGS: ReadonlySet<string> = new Set(["is", "has"]);
/** A key counts things if it is in the plural, or if one of these words is before its last: `phones`, `cost_per_token`. */
const PLURAL = /[^s]s$/;
const COUNTING: ReadonlySet<string> = new Set(["total", "count", "num", "per"]);
/** Phone, card and document numbers are larger. */
const MAX_COUNT_OF_NUMBERS = 999_999;

/** Words of camel case, or between separators and digits. */
const WORDS = /\p{Lu}?[\p{Ll}\p{Lm}\p{Lo}]+|\p{Lu}+(?!\p{Ll})/gu;
const MARKS = /\p{M}+/gu;
const PLAIN = /^[\w. -]*$/;

const MEMOIZED_KEYS = 4_000;
const MEMOIZED_LENGTH = 64;

export const classifyKey: (key: string) => KeyClass = memoizeByText(classify, MEMOIZED_KEYS, MEMOIZED_LENGTH);

function classify(key: string): KeyClass {
  if (PLAIN.test(key)) return { ...readWords(key), name: key, hadAddress: false };
  const wellFormed = key.toWellFormed().replaceAll("\0", "\uFFFD");
  const name = redactAddresses(wellFormed);
  return { ...readWords(key.normalize("NFKD").replace(MARKS, "")), name, hadAddress: name !== wellFormed };
}

function readWords(key: string): Pick<KeyClass, "personalIn" | "maxCount"> {
  const words = key.match(WORDS)?.map((word) => word.toLowerCase()) ?? [];
  return { personalIn: personalInOf(words), maxCount: maxCountOf(words) };
}

function maxCountOf(words: readonly string[]): number {
  if (!PLURAL.test(words.at(-1) ?? "") && !words.slice(0, -1).some((word) => COUNTING.has(word))) return -1;
  return endsWith(words, NUMBER) || RUN_TOGETHER_NUMBERS.test(words.join("")) ? MAX_COUNT_OF_NUMBERS : Infinity;
}

function personalInOf(words: readonly string[]): KeyClass["personalIn"] {
  // The whole key, however its words are separated or run together.
  const whole = words.join("");
  if (WHOLE_KEY_IN_TRAITS.test(whole)) return "traits";
  if (WHOLE_KEY.test(whole) || ENDING.test(whole)) return "everywhere";
  if (FLAGS.has(words[0] ?? "")) return "nowhere";
  const isRunTogether = RUN_TOGETHER.test(whole) || RUN_TOGETHER_EMAIL.test(words.at(-1) ?? "");
  return isRunTogether || endsWith(words, ENDING) ? "everywhere" : "nowhere";
}

function endsWith(words: readonly string[], term: RegExp): boolean {
  const last = words.slice(-MAX_WORDS);
  return term.test(words.join("")) || last.some((_, index) => term.test(last.slice(index).join("")));
}

/** Matches the listed terms, also in the plural and with qualifiers, as in `fax_no` and `email_sha256`. */
function terms(list: string): RegExp {
  const anyTerm = list.replaceAll(/\s/g, "").replaceAll(",", "|");
  return new RegExp(`^(?:${anyTerm})(?:e?s)?(?:no|nr|num|number|id|hash|md|sha|url|line)*$`);
}
