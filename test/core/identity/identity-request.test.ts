import { describe, expect, it } from "vitest";

import { identityRequest } from "../../../src/core/identity/identity-request.ts";

const issuesOf = (body: unknown): string[] => {
  const parsed = identityRequest.safeParse(body);
  return parsed.success ? [] : parsed.error.issues.map(({ path, code }) => `${path.join(".")}: ${code}`);
};
const traitsOf = (traits: unknown) => identityRequest.parse({ accountId: "acme", userId: "u1", traits }).traits;

describe("an identity request", () => {
  it("§6 holds a company for an account, a name and an e-mail address for a user, trimmed", () => {
    const body = {
      accountId: " acme ",
      userId: 7,
      traits: { company: " Acme Corp ", name: "Jo Doe", email: "jo@acme.example" },
    };
    expect(identityRequest.parse(body)).toEqual({
      accountId: "acme",
      userId: "7",
      traits: { company: "Acme Corp", name: "Jo Doe", email: "jo@acme.example" },
    });
  });

  it("§6 tells null, which removes, from a trait that is absent", () => {
    expect(traitsOf({ company: null, name: "Jo" })).toEqual({ company: null, name: "Jo" });
  });

  it.each([
    ["a field that it does not know", { accountId: "a", traits: { company: "x" }, event: "y" }, ": unrecognized_keys"],
    ["a trait that it does not know", { userId: "u", traits: { name: "x", phone: "1" } }, "traits: unrecognized_keys"],
    ["no traits", { userId: "u" }, "traits: invalid_type"],
    ["traits that are no object", { userId: "u", traits: ["x"] }, "traits: invalid_type"],
    ["traits that hold nothing", { userId: "u", traits: {} }, "traits: custom"],
    ["a company without an account", { userId: "u", traits: { company: "x" } }, "accountId: custom"],
    ["a company of a blank account", { accountId: " ", traits: { company: null } }, "accountId: custom"],
    ["a name without a user", { accountId: "a", traits: { name: "x" } }, "userId: custom"],
    ["an e-mail address without a user", { accountId: "a", traits: { email: "jo@acme.example" } }, "userId: custom"],
    ["an id that is none", { userId: {}, traits: { name: "x" } }, "userId: custom"],
    ["an id that is too long", { userId: "u".repeat(257), traits: { name: "x" } }, "userId: custom"],
    ["no object", "jo@acme.example", ": invalid_type"],
    ["null", null, ": invalid_type"],
  ])("§6 is refused with %s", (_what, body, issue) => {
    expect(issuesOf(body)).toEqual([issue]);
  });

  it.each(["", "  ", 5, true, ["Jo"], { first: "Jo" }, "J\u0000o", "J\no", "J\u0085o", "x".repeat(257)])(
    "§6 is refused with the name %j",
    (name) => {
      expect(issuesOf({ userId: "u", traits: { name } })).toEqual(["traits.name: custom"]);
    },
  );

  it("§6 takes traits of 256 characters, however many bytes they have", () => {
    expect(traitsOf({ name: "😀".repeat(256) }).name).toBe("😀".repeat(256));
    expect(issuesOf({ userId: "u", traits: { name: "😀".repeat(257) } })).toEqual(["traits.name: custom"]);
  });

  it("§6 keeps no half of a surrogate pair", () => {
    expect(traitsOf({ name: "Jo\uD800" }).name).toBe("Jo\uFFFD");
  });

  it.each(["jo@acme.example", "j.o+x@mail.acme.co.uk", "jo@münchen.de", '"jo doe"@acme.example', "JO@ACME.COM"])(
    "§6 takes %s as an e-mail address",
    (email) => {
      expect(traitsOf({ email }).email).toBe(email);
    },
  );

  it.each(["jo", "jo@", "@acme.example", "jo@acme", "jo @acme.example", "Jo <jo@acme.example>", "jo%40acme.example"])(
    "§6 does not take %s as one",
    (email) => {
      expect(issuesOf({ userId: "u", traits: { email } })).toEqual(["traits.email: custom"]);
    },
  );

  it("§6 is told what is wrong in words that hold nothing of the values", () => {
    const parsed = identityRequest.safeParse({ userId: "u", traits: { email: "secret", name: "secret\n" } });
    expect(parsed.success).toBe(false);
    expect(JSON.stringify(parsed.error?.issues)).not.toContain("secret");
  });
});
