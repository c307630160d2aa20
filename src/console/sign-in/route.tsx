/** Signs users in with a key, the admin token or a local sign-in link, and signs them out. */
import { Hono } from "hono";

import { accessSettings, SIGN_IN_LIMIT_SECONDS } from "../../config.ts";
import { type AppContext, type AppEnv, callOf } from "../../edge/app-context.ts";
import { operation } from "../../edge/request-log.ts";
import { adminTokenNamed } from "../../edge/credentials.ts";
import { sameSecret } from "../../edge/same-secret.ts";
import { isWithinLimit } from "../../limiter/check-client-limit.ts";
import { findAdminToken } from "../../services/people.ts";
import { findKey, hasScope } from "../../services/workspaces/api-keys.ts";
import { FormError } from "../components/elements.tsx";
import { Field } from "../forms/fields.tsx";
import { readForm } from "../forms/read-form.ts";
import { Page } from "../layout/page.tsx";
import { deriveKey, endSession, previousTokenName, startSession } from "../session/cookie.ts";
import { SIGN_IN } from "../session/guards.ts";
import { isLocal } from "./local-hosts.ts";

export const signIn = new Hono<AppEnv>()
  .get("/sign-in", operation("console_sign_in_page"), async (c) => {
    const link = c.req.query("link");
    if (link === undefined) return signInPage(c);
    if (!(await isValidLink(c.env, new URL(c.req.url), link))) {
      return signInPage(c, 403, "Link expired. Run npm start again for a new one.");
    }
    await startSession(c, "admin");
    return c.redirect(targetOf(c), 303);
  })
  .post("/sign-in", operation("console_sign_in"), async (c) => {
    // Before the form is read, so that every guess counts, whatever it sends.
    if (!(await isWithinLimit(c.env.SIGN_IN_LIMITER, callOf(c).clientAddress))) {
      c.header("Retry-After", String(SIGN_IN_LIMIT_SECONDS));
      return signInPage(c, 429, "Too many attempts. Try again in a minute.");
    }
    const { secret } = await readForm(c);
    const who = await holderOf(c, typeof secret === "string" ? secret.trim() : "");
    if (who === null) return signInPage(c, 401, "Invalid key or token.");
    if (who === "cannot_read") {
      return signInPage(c, 403, "This key lacks the scope “read”. Sign in with a key that has it.");
    }
    await startSession(c, who);
    return c.redirect(targetOf(c), 303);
  })
  .post("/sign-out", operation("console_sign_out"), (c) => {
    endSession(c);
    return c.redirect(SIGN_IN, 303);
  });

/**
 * Checks the sign-in link that `npm start` prints. It is signed with the admin token, expires soon and works only on a local
 * host. Anyone who can create one already has the token.
 * @param link `<expiry in milliseconds since the epoch>.<signature>`
 */
async function isValidLink(env: Env, url: URL, link: string): Promise<boolean> {
  const [expiresAt = "", signature = ""] = link.split(".");
  const isSigned = await sameSecret(await deriveKey(env.ADMIN_TOKEN ?? "", `console link ${expiresAt}`), signature);
  return isSigned && isLocal(url) && Date.now() < Number(expiresAt);
}

/** @returns whose session to start, as `startSession` takes it; `null` for an unknown secret */
async function holderOf(c: AppContext, secret: string): Promise<string | null> {
  const name = await adminTokenNamed(c.env, secret);
  if (name !== null) return name === "ADMIN_TOKEN" ? "admin" : previousTokenName(c.env);
  const token = await findAdminToken(callOf(c), secret);
  if (token !== null) return token.id;
  const grant = await findKey(callOf(c), secret);
  if (grant === null) return null;
  c.get("logFields").keyId = grant.keyId;
  return hasScope(grant, "read") ? grant.keyId : "cannot_read";
}

/** Returns the path to open after signing in. Never leads out of the console. */
function targetOf(c: AppContext): string {
  const { origin } = new URL(c.req.url);
  const url = URL.parse(c.req.query("to") ?? "", origin);
  return url?.origin === origin && /^\/console(\/(?!sign-)|$)/.test(url.pathname)
    ? url.pathname + url.search
    : "/console";
}

const signInPage = (c: AppContext, status: 200 | 401 | 403 | 429 = 200, error?: string) => {
  return c.html(
    <Page c={c} title="Sign in · Behavior Ingest">
      <div class="sign-in card">
        <h1>Sign in</h1>
        <p class="lead">See live events, account health and which accounts to contact.</p>
        <FormError error={error} />
        {/* Without an action, the form keeps the address: the page to open, and its fragment, which redirects pass on. */}
        <form class="column" method="post">
          <div class="stack">
            <Field
              label="Workspace key or admin token"
              name="secret"
              type="password"
              autocomplete="current-password"
              placeholder="bik_…"
              required
              autofocus
            />
            <p class="note">
              A key with the scope “read” opens its own workspace. The admin token opens all workspaces. If you have
              neither, ask the person who runs Behavior Ingest in your company for a key.
            </p>
            {accessSettings(c.env) !== null && (
              <p class="note">
                If your company’s single sign-on opens this site, an administrator can register you, and you need
                neither: <a href={targetOf(c)}>continue without a key</a>.
              </p>
            )}
          </div>
          <button class="primary" type="submit">
            Sign in
          </button>
        </form>
      </div>
    </Page>,
    status,
  );
};
