/** docs/wire/export.md §17: the files of the archive. */
import fc from "fast-check";
import { parquetMetadata } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, it } from "vitest";

import { fromLine, readParquet, toLine, writeParquet } from "../../../src/archive/parquet.ts";
import { type ArchivedMessage, eraseUserFrom, packUsers, unpackUsers } from "../../../src/core/archive/message.ts";
import { archiveKey, archiveFileName, firstMessageNumber } from "../../../src/core/archive/file-names.ts";
import { readByteRange } from "../../../src/edge/byte-range.ts";

const text = fc.oneof(fc.string({ unit: "binary" }), fc.constant("\u2028\u2029\r\n"));
const json = fc
  .dictionary(fc.oneof(text, fc.constantFrom("__proto__", "toJSON", "constructor")), fc.jsonValue())
  .map((value) => JSON.stringify(value));

const message = fc
  .record({
    messageId: text,
    type: fc.constantFrom("track", "identify", "group"),
    source: fc.constantFrom("cdp", "native"),
    accountId: fc.option(text),
    accountKind: fc.option(fc.constantFrom("company", "solo")),
    person: fc.option(fc.integer({ min: 1, max: 5 })),
    isErased: fc.boolean(),
    event: fc.option(text),
    properties: fc.option(json),
    attributes: fc.option(json),
    occurredAt: fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }),
    receivedAt: fc.integer({ min: 0, max: 253_402_300_799_999 }),
  })
  .map(({ person, isErased, ...rest }): ArchivedMessage => {
    // Nothing keeps a sender from using the internal id of another user.
    const userId = person === null ? null : `${isErased || person === 5 ? "usr_" : "u"}${Math.min(person, 4)}`;
    return { ...rest, userId, user: person === null ? 0 : isErased ? -person : person };
  });
const messages = fc.array(message, { minLength: 1, maxLength: 40 });

const sent: ArchivedMessage = {
  messageId: "m",
  type: "track",
  source: "cdp",
  accountId: "acme",
  accountKind: "company",
  userId: "jo",
  event: "Opened",
  properties: "{}",
  attributes: '{"plan":"pro"}',
  occurredAt: 1,
  receivedAt: 2,
  user: 3,
};

const OLD_TYPES: Record<string, "JSON" | "TIMESTAMP"> = {
  properties: "JSON",
  attributes: "JSON",
  occurredAt: "TIMESTAMP",
  receivedAt: "TIMESTAMP",
};

describe("files", () => {
  it("§17 have logical types: text in UTF-8, and times in UTC", () => {
    const [, ...columns] = parquetMetadata(writeParquet([sent])).schema;
    const utc = { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" };
    expect(columns.map(({ name, logical_type: type }) => [name, type])).toEqual([
      ...columns.slice(0, 9).map(({ name }) => [name, { type: "STRING" }]),
      ["occurred_at", utc],
      ["received_at", utc],
    ]);
  });

  it("§17 of earlier versions, with columns of Parquet's type JSON, can still be read", async () => {
    const { user, ...fields } = sent;
    const columnData = Object.entries(fields).map(([field, value]) => {
      const type = OLD_TYPES[field] ?? ("STRING" as const);
      const name = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      return { name, type, data: [type === "JSON" ? JSON.parse(String(value)) : value] };
    });
    const kvMetadata = [{ key: "users", value: JSON.stringify([user]) }];
    expect(await readParquet(parquetWriteBuffer({ columnData, kvMetadata }))).toEqual([sent]);
  });

  it("return what was written, and the same messages become the same bytes", async () => {
    await fc.assert(
      fc.asyncProperty(messages, async (written) => {
        const file = writeParquet(written);
        const again = writeParquet(structuredClone(written));
        expect(await readParquet(file)).toEqual(written);
        expect(new Uint8Array(again)).toEqual(new Uint8Array(file));
      }),
    );
  });

  it("become lines of JSON with the same columns", () => {
    fc.assert(
      fc.property(message, (written) => {
        const line: unknown = JSON.parse(toLine(written));
        expect(line).toMatchObject({ message_id: written.messageId, user_id: written.userId });
        expect(toLine(written).indexOf("\n")).toBe(toLine(written).length - 1);
        expect(Object.keys(Object(line))).toHaveLength(11);
        expect(fromLine(toLine(written))).toEqual({ ...written, user: 0 });
      }),
    );
  });

  // Those of Python's `splitlines`. Other control characters, such as U+0081, may stay.
  const LINE_ENDS = "\n\v\f\r\u001C\u001D\u001E\u0085\u2028\u2029";
  it("§17 have no character in their lines that some readers take for the end of a line", () => {
    fc.assert(
      fc.property(message, (any) => {
        const properties = JSON.stringify({ "k\u2028": "a\u2029b\u0085c\u000B\u000C\u001C\u001D\u001E" });
        const written = { ...any, messageId: "m\u2028", properties, user: 0 };
        expect(Array.from(toLine(written).trimEnd()).filter((character) => LINE_ENDS.includes(character))).toEqual([]);
        expect(fromLine(toLine(written))).toEqual(written);
      }),
    );
  });

  it("have names that lead back to their messages", () => {
    const file = { day: 20_780, first: 1, last: 50_000 };
    expect(archiveKey("ws_1", file)).toBe("v1/ws_1/received_date=2026-11-23/1-50000.parquet");
    expect(archiveFileName(file)).toBe("2026-11-23_1-50000.parquet");
    expect(firstMessageNumber(archiveFileName({ ...file, first: 50_001 }))).toBe(50_001);
    for (const name of ["", "2026-11-23_0-5.parquet", "2026-11-23_12345678901-5.parquet", "../x"]) {
      expect(firstMessageNumber(name)).toBe(0);
    }
  });
});

const of = (users: readonly number[]) => users.map((user) => ({ user }));
const every = (step: number) => of(Array.from({ length: 1_000 }, (_, place) => (place + 1) * step));

describe("lists of users", () => {
  it("contain the users that were packed", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 2 ** 32 - 1 })), (users) => {
        expect([...unpackUsers(packUsers(of(users)))]).toEqual(users.toSorted((a, b) => a - b));
      }),
    );
  });

  it("take two to four characters for each user", () => {
    expect(packUsers(every(9)).length).toBe(2_001);
    expect(packUsers(every(999)).length).toBe(4_001);
  });
});

describe("byte ranges", () => {
  it.each([
    ["bytes=0-0", { offset: 0, length: 1 }],
    ["bytes=90-", { offset: 90, length: 10 }],
    ["bytes=90-1000", { offset: 90, length: 10 }],
    ["bytes=-8", { offset: 92, length: 8 }],
    ["bytes=-1000", { offset: 0, length: 100 }],
    ["bytes=100-", "unsatisfiable"],
    ["bytes=-0", "unsatisfiable"],
    ["bytes=5-4", null],
    ["bytes=-", null],
    ["bytes=0-1,5-6", null],
    ["lines=0-1", null],
    [undefined, null],
  ])("read %j of 100 bytes", (header, range) => {
    expect(readByteRange(header, 100)).toEqual(range);
  });
});

describe("an erased user", () => {
  const none = { accountId: null, accountKind: null } as const;

  it.each<[what: string, given: Partial<ArchivedMessage>, hasAccount: boolean, left: Partial<ArchivedMessage>]>([
    ["of a company leaves what it says of the company", {}, true, {}],
    ["with a personal account leaves no id", { accountId: "jo", accountKind: "solo" }, true, { accountId: "usr_1" }],
    ["without an account leaves no attributes", none, false, { attributes: null }],
    ["who got an account later leaves its attributes", none, true, {}],
  ])("%s", (_, given, hasAccount, left) => {
    const cleared = eraseUserFrom({ ...sent, ...given }, "usr_1", hasAccount);
    expect(cleared).toEqual({ ...sent, ...given, userId: "usr_1", properties: null, user: -3, ...left });
    expect(packUsers([cleared])).toBe("[]");
  });
});
