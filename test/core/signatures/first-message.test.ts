import fc from "fast-check";
import { expect, it } from "vitest";

import { firstMessage } from "../../../src/core/signatures/first-message.ts";

const find = (text: string) => {
  const found = firstMessage(new TextEncoder().encode(text));
  return found && new TextDecoder().decode(found);
};

it("§20 finds the first message of any array of messages as it was written", () => {
  const message = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue());
  fc.assert(
    fc.property(fc.array(message, { minLength: 1 }), fc.constantFrom(undefined, 1, "\t"), (messages, spaces) => {
      const [first] = messages;
      const body = JSON.stringify([0, ...messages], null, spaces).replace(/^\[\s*0,/, "[");
      const found = find(body);
      expect(JSON.parse(found ?? "null")).toEqual(JSON.parse(JSON.stringify(first)));
      expect(body).toContain(found);
    }),
  );
});

it.each(["", "{}", '{"batch":[{"a":1}]}', "[]", '["{}"]', "[[{}]]", '[{"a":1', '[{"a":"}]', '[{"a":"\\"}]'])(
  "§20 finds none in %j",
  (body) => expect(find(body)).toBeNull(),
);
