import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";

import { reseal } from "../../../src/services/sealing/reseal.ts";
import { currentKeyName, seal, unseal } from "../../../src/services/sealing/sealing.ts";
import { envWith } from "../support/faulty-env.ts";
import { newWorkspace } from "../support/workspace.ts";
import { resend, sendTest } from "../../../src/services/notify/send-now.ts";
import { NOW, outcomesOf } from "../support/outcomes.ts";
import { newInbox } from "./delivering.ts";

const NEW = "the-key-after-the-rotation-0123456789";
const OLD = "the-key-before-the-rotation-0123456789";
const SECRETS = { url: "https://hooks.example.com/services/T0/B0/x", secret: "whsec_c2VjcmV0" };

describe("§23 sealed secrets of a destination", () => {
  it("are opened for the same destination, and don't show what they hold", async () => {
    const sealed = await seal(env, "dst_1", SECRETS);
    expect(sealed.sealedBy).toMatch(/^[0-9a-f]{8}$/);
    expect(sealed.sealedBy).toBe(await currentKeyName(env));
    expect(atob(sealed.sealed)).not.toContain("hooks");
    expect(await unseal(env, { id: "dst_1", ...sealed })).toEqual(SECRETS);
    const slack = { url: SECRETS.url, secret: null };
    expect(await unseal(env, { id: "dst_2", ...(await seal(env, "dst_2", slack)) })).toEqual(slack);
  });

  it("differ each time", async () => {
    expect((await seal(env, "dst_1", SECRETS)).sealed).not.toBe((await seal(env, "dst_1", SECRETS)).sealed);
  });

  it("are not opened for another destination, nor after a change", async () => {
    const { sealed, sealedBy } = await seal(env, "dst_1", SECRETS);
    await expect(unseal(env, { id: "dst_2", sealed, sealedBy })).rejects.toThrow("Decryption failed");
    const bytes = atob(sealed);
    const last = String.fromCharCode(bytes.charCodeAt(bytes.length - 1) ^ 1);
    const changed = btoa(bytes.slice(0, -1) + last);
    await expect(unseal(env, { id: "dst_1", sealed: changed, sealedBy })).rejects.toThrow("Decryption failed");
  });

  it("are opened with SECRETS_KEY_PREVIOUS after a rotation, and not without it", async () => {
    const sealed = { id: "dst_1", ...(await seal({ SECRETS_KEY: OLD }, "dst_1", SECRETS)) };
    expect(await unseal({ ...env, SECRETS_KEY_PREVIOUS: OLD }, sealed)).toEqual(SECRETS);
    await expect(unseal(env, sealed)).rejects.toThrow(`with the key ${sealed.sealedBy}, which is not set`);
    await expect(unseal({ ...env, SECRETS_KEY_PREVIOUS: "" }, sealed)).rejects.toThrow("which is not set");
  });

  it("are sealed again by the hourly sweep, which says what it could not open", async () => {
    const workspace = await newWorkspace();
    const rotated = { SECRETS_KEY: NEW, SECRETS_KEY_PREVIOUS: env.SECRETS_KEY };
    const inbox = await newInbox(workspace);
    const lost = await newInbox(workspace, await seal({ SECRETS_KEY: OLD }, "dst_lost", SECRETS));
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
    await reseal(envWith(rotated), "DB");
    const line: unknown = JSON.parse(String(log.mock.calls.at(-1)?.[0]));
    log.mockRestore();
    const stored = await inbox.stored();
    expect(stored?.sealedBy).toBe(await currentKeyName({ SECRETS_KEY: NEW }));
    expect((await lost.stored())?.sealedBy).toBe(await currentKeyName({ SECRETS_KEY: OLD }));
    const fault: unknown = expect.stringContaining("which is not set");
    expect(line).toMatchObject({ operation: "reseal", database: "DB", failed: 1, fault });
    // The old key is needed no more.
    const { url, secret } = await unseal<typeof SECRETS>(
      { SECRETS_KEY: NEW },
      stored ?? { id: "", sealed: "", sealedBy: "" },
    );
    expect([url, secret]).toEqual([stored?.shownUrl, inbox.secret]);
    await reseal(envWith({ SECRETS_KEY: NEW }), "DB");
    expect(await inbox.stored()).toEqual(stored);
  });

  it("need a key of at least 32 characters", async () => {
    for (const SECRETS_KEY of ["", "x".repeat(31)])
      await expect(seal({ SECRETS_KEY }, "dst_1", SECRETS)).rejects.toThrow(
        "SECRETS_KEY must have at least 32 characters",
      );
    await expect(seal({}, "dst_1", SECRETS)).rejects.toThrow("SECRETS_KEY must have at least 32 characters");
  });
});

describe("§23 a destination whose key the deployment has lost", () => {
  it.each([
    ["another", { SECRETS_KEY: NEW }],
    ["none", { SECRETS_KEY: "" }],
  ])("gets an attempt that is tried again, with %s in its place", async (_, changes) => {
    const workspace = await newWorkspace();
    const account = (await (await outcomesOf(workspace)).account("acme")).number;
    const inbox = await newInbox(workspace, { events: ["health.changed"] });
    await inbox.notify(account, { type: "health.changed", change: "watch", detail: "healthy" });
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
    const [again] = await inbox.deliver(NOW, changes);
    const line: unknown = JSON.parse(String(log.mock.calls.at(-1)?.[0]));
    log.mockRestore();
    expect(again).toMatchObject({ body: inbox.task });
    const fault: unknown = expect.stringMatching(/which is not set|at least 32 characters/);
    expect(line).toMatchObject({ operation: "deliver", sent: 1, failed: 1, givenUp: 0, fault });
    const unreadable = { status: null, outcome: "unreadable" };
    expect(await inbox.attempts()).toMatchObject([unreadable]);
    expect(await inbox.outbox()).toMatchObject([{ failures: 1 }]);

    const ref = await workspace.ref();
    const lost = envWith(changes);
    expect(await sendTest(lost, ref, inbox.id, NOW)).toMatchObject({ type: "test", ...unreadable });
    const [, first] = await inbox.attempts();
    const resent = await resend(lost, ref, inbox.id, first?.id ?? "", NOW);
    expect(resent).toMatchObject({ outcome: "sent", attempt: { type: "health.changed", ...unreadable } });
    expect(await inbox.received()).toEqual([]);
    // Somebody finds the key.
    await inbox.deliver(NOW + 7_000);
    expect(await inbox.received()).toHaveLength(1);
    expect(await inbox.attempts()).toMatchObject([{ outcome: "delivered" }, unreadable, unreadable, unreadable]);
  });
});
