import type { FC } from "hono/jsx";

import { FormError } from "../components/elements.tsx";
import { SIGN_IN } from "../session/guards.ts";

/** @param to the page to open after signing in */
export const SignInForm: FC<{ to: string | undefined; error: string | undefined }> = ({ to, error }) => (
  <div class="sign-in card">
    <h1>Sign in</h1>
    <p class="lead">See live events, account health and which accounts to contact.</p>
    <FormError error={error} />
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
      <p class="note">A key with the scope “read” opens its own workspace. The admin token opens all workspaces.</p>
      <button class="primary" type="submit">
        Sign in
      </button>
    </form>
  </div>
);
