/**
 * The command palette: pages of the workspace, and accounts, which are found while somebody types. `/` or Ctrl+K opens it
 * (`assets/scripts/palette.ts`). The searches are POSTs, because names stay out of addresses.
 */
import type { FC } from "hono/jsx";

import type { FoundAccount } from "../../db/accounts/find-accounts.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { accountName, userName } from "../components/format.ts";
import { truncate } from "../components/truncate.ts";
import { pathOf } from "../paths.ts";

interface PaletteProps {
  workspace: OpenWorkspace;
  pages: readonly (readonly [path: string, name: string])[];
}

export const Palette: FC<PaletteProps> = ({ workspace, pages }) => (
  <dialog id="palette" aria-label="Go to a page or an account">
    <form class="stack" method="post" action={pathOf(workspace, "accounts")} autocomplete="off">
      <input type="hidden" name="opens" value="only" />
      <label class="field">
        Go to a page or an account
        <input
          name="q"
          type="search"
          maxlength={200}
          placeholder="Name of a page, or name or id of an account or a user"
          hx-post={pathOf(workspace, "accounts", "find")}
          hx-trigger="input changed delay:200ms"
          hx-target="#found"
          hx-select="#found"
          hx-swap="outerHTML"
          hx-sync="this:replace"
        />
      </label>
      <nav class="stack" aria-label="Pages">
        {pages.map(([path, name]) => (
          <a href={pathOf(workspace, path)}>{name}</a>
        ))}
      </nav>
      <div id="found" />
      <button type="submit">Search accounts</button>
    </form>
  </dialog>
);

interface PaletteHitsProps {
  workspace: OpenWorkspace;
  accounts: readonly FoundAccount[];
  /** Whether the text is long enough to look for. */
  isSought: boolean;
}

export const PaletteHits: FC<PaletteHitsProps> = ({ workspace, accounts, isSought }) => (
  <nav id="found" class="stack" aria-label="Accounts" aria-live="polite">
    {isSought && accounts.length === 0 && <p class="note">No account, and no user, has a name that begins so.</p>}
    {accounts.map((account) => {
      const { externalId, user } = account;
      const name = accountName(account);
      return (
        <a href={pathOf(workspace, "accounts", account.id)}>
          {truncate(name)}
          {externalId !== null && externalId !== name && <span class="under">{truncate(externalId)}</span>}
          {user !== null && <span class="under">user {truncate(userName(user))}</span>}
        </a>
      );
    })}
  </nav>
);

/** Lists the workspaces that an administrator may go to. The list is loaded when it is opened. */
export const WorkspaceSwitcher: FC<{ name: string }> = ({ name }) => (
  <>
    <a
      class="workspace"
      href="/console/workspaces"
      data-opens="switcher"
      hx-get="/console/workspaces"
      hx-select="#workspaces"
      hx-target="#switcher-list"
      hx-swap="innerHTML"
    >
      {name} <span aria-hidden="true">▾</span>
    </a>
    <dialog id="switcher" aria-label="Workspaces">
      <div id="switcher-list" />
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  </>
);
