import { describe, expect, it } from "vitest";

import { readAttribute, UNKNOWN_VALUE } from "../../../src/core/ingest/account-attributes.ts";
import { ISO_4217 } from "./iso-4217.ts";

describe("an account attribute", () => {
  it("§3 is cleared by null", () => {
    for (const name of ["stage", "trialEndsAt", "plan", "seats", "mrr", "currency", "contractEndsAt"] as const) {
      expect(readAttribute(name, null, false)).toBeNull();
      expect(readAttribute(name, null, true)).toBeNull();
    }
  });
  it("§3 stage is a string of at most 64 characters", () => {
    expect(readAttribute("stage", "trial", false)).toBe("trial");
    expect(readAttribute("stage", "s".repeat(64), false)).toBe("s".repeat(64));
    expect(readAttribute("stage", "😀".repeat(64), false)).toBe("😀".repeat(64));
    expect(readAttribute("stage", "s".repeat(65), false)).toBeUndefined();
    expect(readAttribute("stage", 1, true)).toBeUndefined();
  });
  it("§3 trialEndsAt is an ISO 8601 time, stored in UTC", () => {
    expect(readAttribute("trialEndsAt", "2026-03-01T01:00:00+02:00", false)).toBe("2026-02-28T23:00:00.000Z");
    expect(readAttribute("trialEndsAt", "2026-02-30T00:00:00Z", true)).toBeUndefined();
    expect(readAttribute("trialEndsAt", 1769850000000, true)).toBeUndefined();
  });
  it("§3 trialEndsAt is unknown before 2000", () => {
    for (const text of ["0001-01-01T00:00:00Z", "1999-12-31T23:59:59.999Z", "0000-00-00", "-0001-11-30 00:00:00"]) {
      expect(readAttribute("trialEndsAt", text, false), text).toBe(UNKNOWN_VALUE);
      expect(readAttribute("trialEndsAt", text, true), text).toBe(UNKNOWN_VALUE);
    }
    expect(readAttribute("trialEndsAt", "2000-01-01T00:00:00Z", false)).toBe("2000-01-01T00:00:00.000Z");
    expect(readAttribute("trialEndsAt", "+010000-01-01T00:00:00Z", false)).toBeUndefined();
  });
  it("§4.2 trialEndsAt may be a date, but only in compatibility messages", () => {
    expect(readAttribute("trialEndsAt", "2026-03-01", true)).toBe("2026-03-01T00:00:00.000Z");
    expect(readAttribute("trialEndsAt", "2026-03-01", false)).toBeUndefined();
  });
  it("§3 plan is a string", () => {
    expect(readAttribute("plan", "pro", false)).toBe("pro");
    expect(readAttribute("plan", { id: "pro" }, true)).toBeUndefined();
  });
  it("§3 stage, plan and currency are trimmed, and unusable if they are blank", () => {
    for (const lenient of [false, true]) {
      expect(readAttribute("stage", ` ${"s".repeat(64)}\n`, lenient)).toBe("s".repeat(64));
      expect(readAttribute("plan", "\tPro Plus ", lenient)).toBe("Pro Plus");
      expect(readAttribute("currency", "usd ", lenient)).toBe("USD");
      for (const blank of ["", "  ", "\u00A0\t\n"])
        for (const name of ["stage", "plan", "currency"] as const)
          expect(readAttribute(name, blank, lenient)).toBeUndefined();
    }
  });
  it("§3 seats is an integer of at least 0", () => {
    expect(readAttribute("seats", 0, false)).toBe(0);
    expect(readAttribute("seats", -0, false)).toBe(0);
    expect(readAttribute("seats", 12, false)).toBe(12);
    for (const junk of [-1, 1.5, 2 ** 53, Infinity, NaN, true, [], {}]) {
      expect(readAttribute("seats", junk, true)).toBeUndefined();
    }
  });
  it("§3 mrr is a number of at least 0", () => {
    expect(readAttribute("mrr", 0, false)).toBe(0);
    expect(readAttribute("mrr", 99.5, false)).toBe(99.5);
    for (const junk of [-0.01, Infinity, NaN, true, [], {}]) expect(readAttribute("mrr", junk, true)).toBeUndefined();
  });
  it.each([
    ["12", 12],
    [" 12 ", 12],
    ["+12.0", 12],
    ["1e2", 100],
    ["12.", 12],
  ])("§4.2 may be the numeric string %j, but only in compatibility messages", (text, number) => {
    expect(readAttribute("seats", text, true)).toBe(number);
    expect(readAttribute("mrr", text, true)).toBe(number);
    expect(readAttribute("seats", text, false)).toBeUndefined();
    expect(readAttribute("mrr", text, false)).toBeUndefined();
  });
  it("§4.2 mrr may be a fraction; seats may not", () => {
    expect(readAttribute("mrr", ".5", true)).toBe(0.5);
    expect(readAttribute("mrr", "-0", true)).toBe(0);
    expect(readAttribute("seats", "1.5", true)).toBeUndefined();
  });
  it.each(["", " ", "x", "1,000", "$5", "0x10", "1e999", "-1", "Infinity", "1 2", "1e"])(
    "§4.2 is no number if it is %j",
    (text) => {
      expect(readAttribute("seats", text, true)).toBeUndefined();
      expect(readAttribute("mrr", text, true)).toBeUndefined();
    },
  );
  it("§3 currency is an ISO 4217 code, stored in capitals", () => {
    expect(readAttribute("currency", "EUR", false)).toBe("EUR");
    expect(readAttribute("currency", "usd", false)).toBe("USD");
    for (const junk of ["ABC", "BTC", "EURO", "EU", "", "€", "uſd", 978, []]) {
      expect(readAttribute("currency", junk, true)).toBeUndefined();
    }
  });
  it("§3 currency is any code of ISO 4217, and one that was withdrawn recently", () => {
    expect([...ISO_4217, "HRK", "ANG"].filter((code) => readAttribute("currency", code, false) !== code)).toEqual([]);
  });
});
