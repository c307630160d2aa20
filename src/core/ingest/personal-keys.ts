/**
 * Which keys hold personal data: see docs/wire.md, Personal data. A key matches as a whole, whatever its case,
 * separators, accents and width, so `E-Mail`, `e_mail` and `email` are one key and `emailCount` is another.
 */
import { redactAddresses } from "./email-address.ts";
import { memoize } from "./memoize.ts";

/** Where a key was found: traits speak of a person or a company, so more of their keys are personal. */
export type PersonalPlace = "properties" | "traits";

export interface KeyVerdict {
  readonly personalIn: "nowhere" | "traits" | "everywhere";
  /** The key as it may be stored: well formed, without NUL and without e-mail addresses. */
  readonly name: string;
  /** Whether an e-mail address stood in the key. */
  readonly hadAddress: boolean;
}

/** The listed words, each with the spellings that plainly mean the same. */
const EVERYWHERE = `
  email emailaddress mail mailaddress emailhash hashedemail emailmd5 emailsha1 emailsha256
  md5email sha1email sha256email
  firstname lastname middlename fullname givenname familyname surname maidenname username displayname nickname
  phone phonenumber mobile mobilenumber mobilephone mobilephonenumber cellphone tel telephone telephonenumber
  fax faxnumber
  address street streetaddress zip zipcode postalcode postcode
  birthday birthdate dateofbirth dob age gender sex
  avatar avatarurl photo photourl picture pictureurl
  ip ipaddress useragent latitude longitude
  ssn socialsecuritynumber taxid passport passportnumber nationalid iban cardnumber creditcardnumber
  password token secret`;
const IN_TRAITS = "name company companyname title website description";

const PERSONAL_WORDS: ReadonlyMap<string, KeyVerdict["personalIn"]> = new Map([
  ...words(IN_TRAITS).map((word) => [word, "traits"] as const),
  ...words(EVERYWHERE).map((word) => [word, "everywhere"] as const),
]);

/** Most keys: nothing in them has to be folded or cleaned, bar case and separators. */
const PLAIN = /^[A-Za-z0-9_. -]*$/;
const PLAIN_SEPARATORS = /[_. -]+/g;
const SEPARATORS = /[^\p{L}\p{N}]+/gu;

const REMEMBERED_KEYS = 4_000;
const REMEMBERED_LENGTH = 64;

/** Judges an object's key. */
export const judgeKey: (key: string) => KeyVerdict = memoize(judge, REMEMBERED_KEYS, REMEMBERED_LENGTH);

function judge(key: string): KeyVerdict {
  if (PLAIN.test(key)) {
    return { personalIn: placeOf(key.replace(PLAIN_SEPARATORS, "")), name: key, hadAddress: false };
  }
  const wellFormed = key.toWellFormed().replaceAll("\0", "\uFFFD");
  const name = redactAddresses(wellFormed);
  const personalIn = placeOf(key.normalize("NFKD").replace(SEPARATORS, ""));
  return { personalIn, name, hadAddress: name !== wellFormed };
}

function placeOf(word: string): KeyVerdict["personalIn"] {
  return PERSONAL_WORDS.get(word.toLowerCase()) ?? "nowhere";
}

function words(list: string): string[] {
  return list.trim().split(/\s+/);
}
