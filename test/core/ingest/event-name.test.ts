import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { mapEventName } from "../../../src/core/ingest/event-name.ts";

describe("event names", () => {
  it.each([
    ["Report Exported", "report.exported"],
    ["reportExported", "report.exported"],
    ["report-exported", "report.exported"],
    ["report.exported", "report.exported"],
    ["  Report / Exported!! ", "report.exported"],
  ])("§4.2 map %j to %s", (raw, name) => expect(mapEventName(raw)).toBe(name));
  it.each([
    ["APIKey", "api.key"],
    ["userAPIKey", "user.api.key"],
    ["HTTPRequestSent", "http.request.sent"],
    ["step2Done", "step2.done"],
    ["ALLCAPS", "allcaps"],
    ["OAuth2Login", "o.auth2.login"],
    ["Ünïcode", "unicode"],
    ["éÉ", "e.e"],
  ])("§4.2 split camel case: %s becomes %s", (raw, name) => expect(mapEventName(raw)).toBe(name));
  it.each([
    ["Café Geöffnet", "cafe.geoffnet"],
    ["Cafe\u0301", "cafe"],
    ["İstanbul", "istanbul"],
    ["Ệ", "e"],
  ])("§4.2 lose the accents of Latin letters: %s becomes %s", (raw, name) => expect(mapEventName(raw)).toBe(name));
  it.each([
    ["Отчёт Выгружен", "отчёт.выгружен"],
    ["Мой Отчёт", "мой.отчёт"],
    ["レポート 出力", "レポート.出力"],
    ["ガイド", "ガイド"],
    ["रिपोर्ट निर्यात", "रिपोर्ट.निर्यात"],
    ["ส่งออกรายงานแล้ว ที่นี่", "ส่งออกรายงานแล้ว.ที่นี่"],
    ["تمّ تصدير التقرير", "تمّ.تصدير.التقرير"],
    ["הדוּחַ יוּצָא", "הדוּחַ.יוּצָא"],
    ["báo cáo đã xuất", "bao.cao.đa.xuat"],
    ["báo cáo đã xuất".normalize("NFD"), "bao.cao.đa.xuat"],
  ])("§4.2 keep letters of other scripts: %s becomes %s", (raw, name) => {
    expect(mapEventName(raw)).toBe(name.normalize("NFC"));
  });
  it("§4.2 keep the underscore", () => {
    expect(mapEventName("report_exported")).toBe("report_exported");
    expect(mapEventName("_Private_Thing_")).toBe("_private_thing_");
  });
  it("§4.2 have one dot for each run of other characters, and none at the ends", () => {
    expect(mapEventName("--a -- b--")).toBe("a.b");
    expect(mapEventName("a😀b")).toBe("a.b");
    expect(mapEventName("..a...b..")).toBe("a.b");
  });
  it.each([
    ["Report ❤\uFE0F Exported", "report.exported"],
    ["Liked ❤\uFE0F", "liked"],
    ["❤\uFE0Fliked", "liked"],
    ["1\uFE0F\u20E3 Step", "1.step"],
    ["Ж\u20DDЖ", "ж.ж"],
    ["!\u0301a", "a"],
    ["\u0301a", "a"],
    ["a.\u0E31b", "a.b"],
    ["a_\u0301b", "a_.b"],
    ["ж\u200D\u0301", "ж"],
    ["👩\u200D👩\u200D👧 Invited", "invited"],
    ["\u3164Blank\u3164", "blank"],
  ])("§4.2 treat marks without a letter and invisible characters as other characters: %j becomes %s", (raw, name) => {
    expect(mapEventName(raw)).toBe(name);
  });
  it.each([
    ["葛\u{E0100}城", "葛城"],
    ["ᠮ\u180B\u180Bᠣ", "ᠮᠣ"],
    ["и\u034F\u0306", "й"],
    ["step\uFE0FDone", "step.done"],
  ])("§4.2 ignore variation selectors: %j becomes %s", (raw, name) => {
    expect(mapEventName(raw)).toBe(name);
  });
  it.each(["", "   ", "!!!", "_", "___", "_._", "😀", "❤\uFE0F", "\u3164", "\u0301\u20E3"])(
    "§4.2 need a letter or digit, which %j lacks",
    (raw) => {
      expect(mapEventName(raw)).toBeNull();
    },
  );
  it("§4.2 may be one digit", () => expect(mapEventName("!7!")).toBe("7"));
  it("§4.2 have at most 128 characters once mapped", () => {
    expect(mapEventName("a".repeat(128))).toBe("a".repeat(128));
    expect(mapEventName("a".repeat(129))).toBeNull();
    expect(mapEventName("aB".repeat(64))).toBeNull();
    expect(mapEventName("ж".repeat(128))).toBe("ж".repeat(128));
    expect(mapEventName("𝒳".repeat(128))).toBe("𝒳".repeat(128));
    expect(mapEventName(`${"a".repeat(128)}!!!!`)).toBe("a".repeat(128));
  });
  it("§4.2 are the same from the cache and without it", () => {
    const numbers = Array.from({ length: 5_000 }, (_, i) => i);
    expect(numbers.map((i) => mapEventName(`Event Number ${i}`))).toEqual(numbers.map((i) => `event.number.${i}`));
    expect(mapEventName("Event Number 1")).toBe("event.number.1");
    expect(mapEventName(`${"!".repeat(300)}A`)).toBe("a");
  });

  const LETTERS = "aB1_ жשทरईᄀ\u1161❤";
  const MARKS = "\u0301\u0323\u05B8\u0E31\u093F\u094D\u0488\u20DD\u20E3";
  const INVISIBLE = "\uFE0F\u{E0100}\u180B\u034F\u115F\u3164\u200C\u200D\u00AD\uFEFF\u{E0067}";
  const anyText = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.string({ unit: "grapheme", maxLength: 40 }),
    fc.string({
      unit: fc.constantFrom("a", "B", "É", "e\u0301", "1", "_", ".", " ", "й", "ǅ", "𝐀", "\u0301", "ß", "İ", "Σ", "Ⓐ"),
      maxLength: 30,
    }),
    fc.string({ unit: fc.constantFrom(...Array.from(LETTERS + MARKS + INVISIBLE)), maxLength: 20 }),
  );
  it("§4.2 map to themselves once mapped", () => {
    fc.assert(
      fc.property(anyText, (raw) => {
        const name = mapEventName(raw);
        expect(name === null ? null : mapEventName(name)).toBe(name);
      }),
      { numRuns: 5_000 },
    );
  });
  it("§4.2 have only letters with their marks, digits, `_` and single dots between", () => {
    fc.assert(
      fc.property(anyText, (raw) => {
        const name = mapEventName(raw);
        fc.pre(name !== null);
        expect(name).toMatch(/^[\p{L}\p{M}\p{N}_]+(\.[\p{L}\p{M}\p{N}_]+)*$/u);
        expect(name).toBe(name.toLowerCase());
        expect(Array.from(name).length).toBeLessThanOrEqual(128);
        expect(name).not.toMatch(/(?<![\p{L}\p{N}\p{M}])\p{M}|\p{Me}|\p{Default_Ignorable_Code_Point}|\p{C}/u);
      }),
      { numRuns: 5_000 },
    );
  });
});
