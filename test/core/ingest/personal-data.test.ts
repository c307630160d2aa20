import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Json, JsonObject } from "../../../src/core/json.ts";
import { MAX_PATHS, pathSegment, redact, redactText } from "../../../src/core/ingest/personal-data.ts";
import { classifyKey, type KeyLocation } from "../../../src/core/ingest/personal-keys.ts";
import { EVERYWHERE, IN_TRAITS, keyStyles, personalKey, plantedTree } from "./personal-arbitraries.ts";
import { parse } from "./support.ts";

const clean = (value: JsonObject, place: KeyLocation = "properties"): [JsonObject, string[]] => {
  const paths: string[] = [];
  return [redact(value, place, paths), paths];
};

describe("personal keys", () => {
  it.each(EVERYWHERE)("§5 remove %s from properties and traits", (name) => {
    for (const key of keyStyles(name)) {
      expect(clean({ [key]: "x", kept: 1 })).toEqual([{ kept: 1 }, [`properties.${key}`]]);
      expect(clean({ [key]: "x", kept: 1 }, "traits")).toEqual([{ kept: 1 }, [`traits.${key}`]]);
    }
  });
  it.each(IN_TRAITS)("§5 remove %s only from traits", (name) => {
    for (const key of keyStyles(name)) {
      expect(clean({ [key]: "x", kept: 1 })).toEqual([{ [key]: "x", kept: 1 }, []]);
      expect(clean({ [key]: "x", kept: 1 }, "traits")).toEqual([{ kept: 1 }, [`traits.${key}`]]);
    }
  });
  it.each([
    "É-MAIL",
    "e\u0301mail",
    "ｅｍａｉｌ",
    "EMAİL",
    "e\u200Bmail",
    "e_m_a_i_l",
    " email ",
    "$email",
    "ﬁrst_name",
    "em\u0000ail",
    "client_ṗȧṡṡṗȯṙṫ",
  ])("§5 match %j, whatever its accents, width and separators", (key) => expect(clean({ [key]: 1 })[0]).toEqual({}));
  it.each(
    `hashed_email emailHash email_sha256 zip_code telephone mobileNumber creditCardNumber passportNo fax_no tel_no creditCard
      lat lng geo_lat latLng client_ip clientIP accessToken api_token address1 address_line_2 billingAddress passwd
      work_email homePhone customerFirstName picture_url nationalIdNumber PASSPORTNO ipv4 useremail clientip accesstoken
      fname lname phones cellphone mobilephone phoneNr phoneNum birth ipAddr userIpAddr lon geo_lon lat_lon socialSecurity
      taxNumber credit_card_hash debitCard cardNo password_hash passwd_hash pwd passphrase token_id secret_hash
      customer_api_key_id_hash phone_md5 homeaddress userphonenumber mycreditcard userpassword userpasswd usersecret
      emails addresses passwords tokens secrets phone_numbers workEmails photos ips total_tokens
      useremails my_useremail workE-mail user_e_mail birth_year yearOfBirth private_key privateKey privatekey secret_key accessKeys remote_addr remoteaddr mac_addr ip_addrs
      remoteip userip emailaddress_hash mailaddress_hash hashedemail_id streetaddress_no ipaddress_hash latlng latlon`.split(
      /\s+/,
    ),
  )("§5 match %s", (key) => expect(clean({ [key]: "x" })[0]).toEqual({}));
  it.each([
    "",
    "_",
    "имя",
    ..."emailCount email_opened mailbox page stage state usage shape plate latency language".split(" "),
    ..."percentage addressable token_count zipfile ipsum tipping agent image filename hostname".split(" "),
    ..."accountName plan_name account_age phonebook recipes keys is_mobile hasAvatar constructor toString".split(" "),
    ..."company_id companyId plan role".split(" "),
    ..."voicemail voice_mail voiceMail VOICEMAILS has_voicemail uservoicemail private_mail leaveMail remote-mails".split(
      " ",
    ),
  ])("§5 don't match %j", (key) => {
    expect(clean({ [key]: 1 })[0]).toEqual({ [key]: 1 });
    expect(clean({ [key]: 1 }, "traits")[0]).toEqual({ [key]: 1 });
  });
  it("§5 are classified in linear time", () => {
    for (const unit of ["a_", "no", "aB", "A", "é", "_"]) {
      expect(classifyKey(unit.repeat(262_144)).personalIn).toBe("nowhere");
    }
  });
  it("§5 are removed whatever their value", () => {
    const value = { email: null, address: { city: "x", lines: [1] }, ip: ["1.2.3.4"], kept: true };
    expect(clean(value)).toEqual([{ kept: true }, ["properties.email", "properties.address", "properties.ip"]]);
  });
  it("§5 keep numbers that count and booleans, but no text", () => {
    const usage = {
      prompt_tokens: 11,
      completionTokens: 22,
      total_tokens: 33,
      max_tokens: 9,
      avgTokens: 1.5,
      TOKENS: -1,
    };
    const things = { total_emails: 1_200, uploaded_photos: 4, api_keys: 2, tokens: 2 ** 40, cost_per_token: 0.002 };
    const numbers = { phones: 3, fax_numbers: 2, ips: 120_000, passports: 0, total_mobile: 7, userPhoneNumbers: 2 };
    const flags = { mobile: true, email: false, phone: true, deep: [{ addresses: 2, password: true }] };
    const kept = { ...usage, ...things, ...numbers, ...flags };
    expect(clean(kept)).toEqual([kept, []]);
    expect(clean(kept, "traits")).toEqual([kept, []]);
    expect(clean({ total_tokens: "33", emails: null, tokens: [1], phones: { home: 1 } })[0]).toEqual({});
  });
  it.each(
    `phone mobile homePhone fax tel phone_number phone_num card_number creditCard debit_card iban passport passportNo
      national_id taxId tax_number ssn socialSecurity zip postal_code lat geo_lng latitude longitude max_lat birthday
      birth_date birth_year yearOfBirth dob age ip client_ip userip username gender street address1 token password
      secret api_key token_id`.split(/\s+/),
  )("§5 remove any number under %s", (key) => {
    for (const number of [1, 52.5, -122, 19_800_101, 4_915_112_345_678])
      expect(clean({ [key]: number })[0]).toEqual({});
  });
  it.each(["phones", "phoneNumbers", "faxes", "ips", "zips", "lats", "credit_cards", "ssns", "total_phone"])(
    "§5 remove a number under %s that can't be a count",
    (key) => {
      for (const number of [52.5, -1, 1_000_000, 4_915_112_345_678, 2n ** 60n]) {
        expect(clean({ [key]: number })).toEqual([{}, [`properties.${key}`]]);
      }
    },
  );
  it("§5 are removed at any depth, also in arrays", () => {
    const value = { a: [{ b: { Email: "x", c: 1 } }, [{ e_mail: "x" }]] };
    expect(clean(value, "traits")).toEqual([
      { a: [{ b: { c: 1 } }, [{}]] },
      ["traits.a.0.b.Email", "traits.a.1.0.e_mail"],
    ]);
  });
  it("§5 are the same from the cache and without it", () => {
    for (let i = 0; i < 9_000; i += 1) expect(classifyKey(`key_${i}`).personalIn).toBe("nowhere");
    expect(classifyKey("e-mail").personalIn).toBe("everywhere");
    expect(classifyKey(`email${" ".repeat(100)}`).personalIn).toBe("everywhere");
  });
});

describe("redaction", () => {
  it("§5 keeps what is not personal data", () => {
    const value = { a: { b: [1, "x", { c: null }] }, d: true };
    expect(clean(value)).toEqual([value, []]);
  });
  it("§5 changes nothing of the sender's value", () => {
    const value = { a: { b: 1 }, c: { email: "x" } };
    expect(clean(value)[0]).toEqual({ a: { b: 1 }, c: {} });
    expect(value).toEqual({ a: { b: 1 }, c: { email: "x" } });
  });
  it("§5 names the path of an address in a value", () => {
    expect(clean({ a: { note: "ask jane@example.com" }, list: ["x", "bob@example.com"] })).toEqual([
      { a: { note: "ask [redacted]" }, list: ["x", "[redacted]"] },
      ["properties.a.note", "properties.list.1"],
    ]);
  });
  it("§5 replaces an address in a key, and in its path", () => {
    expect(clean({ "jane@example.com": 1, opened_by: { "bob@example.com": { ip: 1 } } })).toEqual([
      { "[redacted]": 1, opened_by: { "[redacted]": {} } },
      ["properties.[redacted]", "properties.opened_by.[redacted]", "properties.opened_by.[redacted].ip"],
    ]);
  });
  it("§5 numbers keys that become equal", () => {
    expect(clean({ "a@x.com": 1, "b@x.com": 2, "c@x.com": 3 })[0]).toEqual({
      "[redacted]": 1,
      "[redacted]_2": 2,
      "[redacted]_3": 3,
    });
    expect(clean({ "a@x.com": 1, "[redacted]": 2, "[redacted]_2": 3, "b@x.com": 4 })[0]).toEqual({
      "[redacted]_3": 1,
      "[redacted]": 2,
      "[redacted]_2": 3,
      "[redacted]_4": 4,
    });
  });
  it("§5 numbers 300,000 equal keys in linear time", () => {
    const value = Object.fromEntries(Array.from({ length: 300_000 }, (_, i) => [`u${i}@example.com`, i]));
    // Quadratic time would take minutes and run into the time limit of the test.
    expect(Object.keys(clean(value)[0])).toHaveLength(300_000);
  });
  it("§5 keeps an own key __proto__", () => {
    const [result] = clean(parse('{"email":1,"__proto__":{"x":"jane@example.com"},"z":1}'));
    expect(JSON.stringify(result)).toBe('{"__proto__":{"x":"[redacted]"},"z":1}');
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    const [later] = clean(parse('{"__proto__":{"x":1},"z":"jane@example.com"}'));
    expect(JSON.stringify(later)).toBe('{"__proto__":{"x":1},"z":"[redacted]"}');
  });
  it("makes text well formed without counting it as personal data", () => {
    expect(clean({ a: "x\uD800", "k\uDC00": ["\uDFFF"] })).toEqual([{ a: "x\uFFFD", "k\uFFFD": ["\uFFFD"] }, []]);
    expect(redactText("\uD800", "event", [])).toBe("\uFFFD");
  });
  it("replaces NUL by U+FFFD in a key, but not in a value", () => {
    expect(clean({ "a\0b": "c\0d" })).toEqual([{ "a\uFFFDb": "c\0d" }, []]);
  });
  it("names a path once", () => {
    expect(clean({ "a@x.com": "b@x.com" })[1]).toEqual(["properties.[redacted]"]);
  });
  it("cuts a path's segments at 64 characters, and names at most 100 paths", () => {
    const long = "é".repeat(70);
    expect(clean({ [long]: { ip: 1 } })[1]).toEqual([`properties.${"é".repeat(64)}.ip`]);
    expect(pathSegment("😀".repeat(65))).toBe("😀".repeat(64));
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`k${i}`, "a@x.com"]));
    const [result, paths] = clean(many);
    expect(paths).toHaveLength(MAX_PATHS);
    expect(JSON.stringify(result)).not.toContain("@");
  });
  it("appends to the paths that are there", () => {
    const paths = ["event"];
    redact({ ip: 1 }, "traits", paths);
    expect(paths).toEqual(["event", "traits.ip"]);
    expect(redactText("x jane@example.com", "accountPlan", paths)).toBe("x [redacted]");
    expect(paths).toEqual(["event", "traits.ip", "accountPlan"]);
  });

  const place = fc.constantFrom<KeyLocation>("properties", "traits");
  it.each(["properties", "traits"] as const)("§5 leaves no planted personal data in %s or the paths", (where) => {
    fc.assert(
      fc.property(plantedTree(where === "traits" ? "traits" : "everywhere"), ({ tree, secrets }) => {
        const [result, paths] = clean(tree, where);
        const stored = JSON.stringify([result, paths]).toLowerCase();
        for (const secret of secrets) expect(stored).not.toContain(secret.toLowerCase());
        expect(paths.length > 0).toBe(secrets.length > 0);
      }),
      { numRuns: 2_000 },
    );
  });
  it("§5 is idempotent", () => {
    const anything = fc.dictionary(
      fc.oneof(fc.string({ unit: "binary", maxLength: 8 }), personalKey, fc.emailAddress(), fc.constant("__proto__")),
      fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.emailAddress(), fc.string({ unit: "binary" })),
      { maxKeys: 5 },
    );
    fc.assert(
      fc.property(
        place,
        fc.oneof(
          anything,
          plantedTree("everywhere").map(({ tree }) => tree),
        ),
        (where, object) => {
          const [once] = clean(parse(JSON.stringify(object)), where);
          const [twice, paths] = clean(once, where);
          expect(twice).toEqual(once);
          expect(paths).toEqual([]);
        },
      ),
      { numRuns: 2_000 },
    );
  });
  it("§5 leaves everything else as it is, in its order", () => {
    const word = fc.string({ unit: fc.constantFrom("q", "w", "Z", "_", "7"), minLength: 1, maxLength: 6 });
    const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), word),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(word, tie("value"), { maxKeys: 3, noNullPrototype: true }),
      ),
    })).value;
    fc.assert(
      fc.property(place, fc.dictionary(word, json, { noNullPrototype: true }), (where, object) => {
        const [result] = clean({ ip: 1, ...object, zip: "x" }, where);
        expect(JSON.stringify(result)).toBe(JSON.stringify(object));
      }),
      { numRuns: 2_000 },
    );
  });
});
