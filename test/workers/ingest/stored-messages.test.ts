/** What is stored of a message's names and payload: docs/wire.md §4.2. */
import { describe, expect, it } from "vitest";

import { group, identify, newSender, track } from "./sender.ts";

describe("what is stored of a message", () => {
  it("§4.2 event names are stored mapped, from every source's spelling", async () => {
    const sender = await newSender();
    const names = [
      "Report Exported",
      "reportExported",
      "report-exported",
      "APIKey",
      "café Ouvert",
      "отчёт Готов",
      "a_b",
    ];
    await sender.send(...names.map((event) => track({ event })));
    expect((await sender.events()).map(({ name }) => name)).toEqual([
      "report.exported",
      "report.exported",
      "report.exported",
      "api.key",
      "cafe.ouvert",
      "отчёт.готов",
      "a_b",
    ]);
  });

  it("§4.2 identifiers are stored trimmed, and whole numbers as text", async () => {
    const sender = await newSender();
    await sender.send(track({ userId: 7, accountId: " 8 ", messageId: 9 }));
    expect(await sender.events()).toMatchObject([
      { messageId: "9", account: { externalId: "8" }, user: { externalId: "7" }, source: "cdp" },
    ]);
    expect((await sender.send(track({ userId: "7", messageId: "9" }))).duplicates).toBe(1);
  });

  it("§4.2 a value that is present but unusable is not passed over", async () => {
    const sender = await newSender();
    const answer = await sender.send(
      track({ properties: { accountId: { id: "acme" }, account_id: "globex" } }),
      track({ userId: 1.5 }),
      track({ messageId: ["m"] }),
      group("acme", { groupId: 2 ** 60 }),
    );
    expect(answer).toMatchObject({ stored: 0, account: null, user: null });
    expect(answer.rejected.map(({ code }) => code)).toEqual(Array.from({ length: 4 }, () => "invalid_message"));
    expect(await sender.state()).toMatchObject({ accounts: {}, users: {}, log: [] });
  });

  it("§4.2 context is read for the account, and never stored", async () => {
    const sender = await newSender();
    await sender.send(
      track({ context: { groupId: "acme", library: { name: "a-library" }, page: { url: "https://x.test" } } }),
    );
    const state = await sender.state();
    expect(state.log).toMatchObject([{ account: "company:acme", properties: null }]);
    expect(JSON.stringify(state)).not.toMatch(/library|x\.test/);
  });

  it("§4.2 properties come back to the letter, and only those of a track are stored", async () => {
    const sender = await newSender();
    const text =
      '{"__proto__":{"a":[]},"$.x":"\\u0000\'","n":[1e300,-0.5,12345678901234567000],"":null,"deep":{"er":[[{}]]}}';
    await sender.post(`{"type":"track","userId":"u1","event":"x","properties":${text}}`);
    await sender.capture({ properties: JSON.parse(text) });
    const [cdp, native] = await sender.events();
    expect(JSON.stringify(cdp?.properties)).toBe(JSON.stringify(JSON.parse(text)));
    expect(JSON.stringify(native?.properties)).toBe(JSON.stringify(JSON.parse(text)));
  });

  it("§4.2 identify and group are no behaviour events", async () => {
    const sender = await newSender();
    await sender.send(identify(), group("acme"), track({ messageId: "m1" }));
    expect((await sender.events()).map(({ messageId }) => messageId)).toEqual(["m1"]);
  });
});
