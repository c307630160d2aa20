import { Webhook } from "standardwebhooks";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { newSigningSecret, signatureHeaders } from "../../../src/services/signatures/sign.ts";

describe("§23 signatures", () => {
  it("are verified by the standard's library, whatever the body", async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ stringUnit: "grapheme" }), async (body) => {
        const secret = newSigningSecret();
        const headers = await signatureHeaders(secret, "ntf_1", body, Date.now());
        expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
        expect(() => new Webhook(newSigningSecret()).verify(body, headers)).toThrow("No matching signature found");
        expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow("No matching signature found");
      }),
      { numRuns: 50 },
    );
  });

  it("have a secret of 32 random bytes", () => {
    const secrets = [newSigningSecret(), newSigningSecret()];
    for (const secret of secrets) expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(new Set(secrets).size).toBe(2);
  });

  it("equal the example of the standard's test vectors", async () => {
    const headers = await signatureHeaders(
      "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      "msg_p5jXN8AQM9LWM0D4loKWxJek",
      '{"test": 2432232314}',
      1_614_265_330_000,
    );
    expect(headers["webhook-signature"]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  });
});
