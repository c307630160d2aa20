/**
 * Decides which object keys hold personal data: see docs/wire.md §5. A key is a sequence of words. It is personal if it
 * ends with a listed term, so `email`, `E-Mail` and `work_email` are personal, and `emailCount` and `page` are not.
 */
import { redactAddresses } from "./redact-addresses.ts";
import { memoize } from "./memoize.ts";

/** Where a key was found. Traits describe a person or a company, so more of their keys are personal. */
export type PersonalPlace = "properties" | "traits";

interface KeyClass {
  readonly personalIn: "nowhere" | "traits" | "everywhere";
  /** The key as it may be stored: well formed, without NUL and without e-mail addresses. */
  readonly name: string;
  /** Whether the key contained an e-mail address. */
  readonly hadAddress: boolean;
}

/** Personal as the whole key and after other words, as in `client_ip` and `billingAddress`. */
const ENDINGS = terms(`
  email, email address, mail address, hashed email
  first name, fname, last name, lname, middle name, full name, given name, family name, surname, maiden name
  user name, display name, nick name
  phone, phones, mobile, mobile phone, cell phone, tel, telephone, fax
  address, street, street address, zip, zip code, postal code, post code
  birthday, birth date, birth, date of birth, dob, gender
  avatar, photo, picture
  ip, ipv, ip addr, ip address, user agent, latitude, longitude, lat, lng, lon, lat lng, lat lon
  ssn, social security, tax id, tax number, passport, national id, iban, credit card, debit card, card number, card no
  password, passwd, pwd, passphrase, token, secret, api key`);
/** Clear even without a separator before them, as in `useremail`. */
const RUN_TOGETHER = /(?:email|address|phonenumber|creditcard|password|passwd|token|secret|(?:client|remote|user)ip)$/;
/** Personal only as the whole key: after other words they are ordinary, as in `account_age`. */
const WHOLE_KEYS = terms("mail, age, sex");
const WHOLE_KEYS_IN_TRAITS = terms("name, company, company name, title, website, description");
const MAX_TERM_WORDS = 3;
/** Longer than any term with its qualifiers. A bound keeps hostile keys cheap. */
const MAX_TERM_CHARACTERS = 64;

/** Words that may follow a term, as in `fax_no` and `email_sha256`. Digits only separate words. */
const QUALIFIER = /(?:no|nr|num|number|id|hash|md|sha|url|line)$/;
/** A key that starts with one of these is a yes or no, as in `is_mobile`. */
const FLAGS: ReadonlySet<string> = new Set(["is", "has"]);

/** Words of camel case, or between separators and digits. */
const WORDS = /\p{Lu}?[\p{Ll}\p{Lm}\p{Lo}]+|\p{Lu}+(?!\p{Ll})/gu;
const MARKS = /\p{M}+/gu;
const PLAIN = /^[\w. -]*$/;

const MEMOIZED_KEYS = 4_000;
const MEMOIZED_LENGTH = 64;

/** Classifies an object's key. */
export const classifyKey: (key: string) => KeyClass = memoize(classify, MEMOIZED_KEYS, MEMOIZED_LENGTH);

function classify(key: string): KeyClass {
  if (PLAIN.test(key)) return { personalIn: placeOf(key), name: key, hadAddress: false };
  const wellFormed = key.toWellFormed().replaceAll("\0", "\uFFFD");
  const name = redactAddresses(wellFormed);
  return { personalIn: placeOf(key.normalize("NFKD").replace(MARKS, "")), name, hadAddress: name !== wellFormed };
}

function placeOf(key: string): KeyClass["personalIn"] {
  const words = key.match(WORDS)?.map((word) => word.toLowerCase()) ?? [];
  // The whole key, however its words are separated or run together.
  const whole = words.join("");
  if (WHOLE_KEYS_IN_TRAITS.has(whole)) return "traits";
  if (isTerm(whole, WHOLE_KEYS) || isTerm(whole, ENDINGS)) return "everywhere";
  if (FLAGS.has(words[0] ?? "")) return "nowhere";
  if (RUN_TOGETHER.test(whole)) return "everywhere";
  // A qualifier may follow the longest term.
  for (let count = 1; count <= MAX_TERM_WORDS + 1; count += 1) {
    if (isTerm(words.slice(-count).join(""), ENDINGS)) return "everywhere";
  }
  return "nowhere";
}

/** Returns whether a text is a listed term, with or without qualifiers. */
function isTerm(text: string, list: ReadonlySet<string>): boolean {
  if (text.length > MAX_TERM_CHARACTERS) return false;
  let rest = text;
  while (!list.has(rest)) {
    const shorter = rest.replace(QUALIFIER, "");
    if (shorter === rest) return false;
    rest = shorter;
  }
  return rest !== "";
}

function terms(list: string): ReadonlySet<string> {
  return new Set(list.split(/[,\n]/).map((term) => term.replaceAll(" ", "")));
}
