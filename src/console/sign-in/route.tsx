/** Signing in, by a key or the admin token, or by the link that a local start prints; and signing out. */
import { Hono } from "hono";

import { MIN_ADMIN_TOKEN_CHARS } from "../../config.ts";
import { sameSecret } from "../../http/middleware/admin-token.ts";
import { type AppContext, type AppEnv, timed } from "../../edge/context.ts";
import { findKey, opens } from "../../http/middleware/credentials.ts";
import { operation } from "../../edge/request-log.ts";
import { askToSignIn, signedIn } from "../../services/limiter.ts";
import type { Session } from "../session/context.ts";
import { SIGN_IN } from "../session/guard.ts";
import { formOf } from "../forms/read-form.ts";
import { isGoodLink } from "./local-link.ts";
import { Notice } from "../components/elements.tsx";
import { Page } from "../layout/page.tsx";
import { beginSession, endSession } from "../session/cookie.ts";

export const signIn = new Hono<AppEnv>()
  .get("/sign-in", operation("console_sign_in_page"), async (c) => {
    const link = c.req.query("link");
    if (link === undefined) return form(c);
    if (!(await isGoodLink(c.env, new URL(c.req.url), link))) {
      return form(c, 403, "This link is over, or not for this service. Start the service again for a new one.");
    }
    await beginSession(c, { who: "admin" });
    return c.redirect(target(c), 303);
  })
  .post("/sign-in", operation("console_sign_in"), async (c) => {
    // Counted before it is read, so that what is sent costs nothing but tries.
    const waitMs = await timed(c, "limiterMs", () => askToSignIn(c.env, addressOf(c)));
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1_000);
      c.header("Retry-After", String(seconds));
      return form(c, 429, `Too many tries. Try again in ${seconds} s.`);
    }
    const { secret } = await formOf(c);
    const session = await sessionFor(c, typeof secret === "string" ? secret : "");
    if (session === "unknown") return form(c, 401, "This is no key of a workspace and not the admin token.");
    // Whoever has a real key guesses at nothing.
    await timed(c, "limiterMs", () => signedIn(c.env, addressOf(c)));
    if (session === "cannot read")
      return form(c, 403, "This key lacks the scope “read”. Sign in with one that has it.");
    await beginSession(c, session);
    return c.redirect(target(c), 303);
  })
  .post("/sign-out", operation("console_sign_out"), (c) => {
    endSession(c);
    return c.redirect(SIGN_IN, 303);
  });

async function sessionFor(c: AppContext, given: string): Promise<Session | "unknown" | "cannot read"> {
  // Whoever pastes may bring blanks.
  const secret = given.trim();
  const token = (c.env.ADMIN_TOKEN ?? "").trim();
  if (token.length >= MIN_ADMIN_TOKEN_CHARS && (await sameSecret(token, secret))) return { who: "admin" };
  const grant = await findKey(c, secret);
  if (grant === null) return "unknown";
  c.get("facts").keyId = grant.keyId;
  return opens(grant, "read") ? { who: "key", keyId: grant.keyId } : "cannot read";
}

/** Where somebody wanted to go: a page of the console, and nowhere else. */
function target(c: AppContext): string {
  const wanted = c.req.query("to") ?? "";
  const { origin } = new URL(c.req.url);
  const url = URL.parse(wanted, origin);
  return url?.origin === origin && /^\/console(\/(?!sign-)|$)/.test(url.pathname)
    ? url.pathname + url.search
    : "/console";
}

/** The network's word for who sends; on a laptop there is none. */
const addressOf = (c: AppContext): string => c.req.header("CF-Connecting-IP") ?? "local";

function form(c: AppContext, status: 200 | 401 | 403 | 429 = 200, fault?: string) {
  const to = c.req.query("to");
  return c.html(
    <Page c={c} title="Sign in · Behavior Ingest">
      <div class="sign-in card">
        <h1>Sign in</h1>
        <p class="lead">See what arrives, who is healthy, and who needs a call.</p>
        {fault !== undefined && (
          <Notice tone="bad" role="alert">
            {fault}
          </Notice>
        )}
        <form method="post" action={to === undefined ? SIGN_IN : `${SIGN_IN}?to=${encodeURIComponent(to)}`}>
          <label for="secret">Workspace key or admin token</label>
          <input
            id="secret"
            name="secret"
            type="password"
            autocomplete="current-password"
            placeholder="bik_…"
            required
            autofocus
          />
          <p class="note">
            A key needs the scope “read”, and shows its own workspace alone. The admin token shows all of them.
          </p>
          <button class="primary" type="submit">
            Sign in
          </button>
        </form>
      </div>
    </Page>,
    status,
  );
}
