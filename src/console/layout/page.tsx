/** The frame of every page: the document's head, the header bar, the workspace's tabs and the main content. */
import { raw } from "hono/html";
import type { FC, PropsWithChildren } from "hono/jsx";

import type { AppContext } from "../../edge/app-context.ts";
import type { ConsoleUser, OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { CHARTS_PATH, ICON_PATH, SCRIPT_PATH, STYLES_PATH } from "../assets/paths.ts";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { Moment, Notice } from "../components/elements.tsx";
import { pathOf } from "../paths.ts";
import { Palette, WorkspaceSwitcher } from "./palette.tsx";

const TABS = [
  ["home", "Home"],
  ["inbox", "Inbox"],
  ["accounts", "Accounts"],
  ["ask", "Ask"],
  ["live", "Live"],
  ["start", "Get started"],
  ["settings", "Settings"],
] as const;
type Tab = (typeof TABS)[number][0];

type PageProps = PropsWithChildren<{
  c: AppContext;
  /** The title of the browser's tab. The page renders its own `<h1>`. */
  title: string;
  tab?: Tab;
  /** Whether the page has charts. */
  hasCharts?: boolean;
}>;

export const Page: FC<PageProps> = ({ c, title, tab, hasCharts, children }) => {
  const workspace: OpenWorkspace | undefined = c.get("workspace");
  const session: ConsoleUser | undefined = c.get("session");
  const hasSeveral = session !== undefined && session.by !== "key";
  return (
    <>
      {raw("<!doctype html>")}
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <title>{workspace === undefined ? title : `${title} · ${workspace.name}`}</title>
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="robots" content="noindex" />
          <link rel="stylesheet" href={STYLES_PATH} />
          <link rel="icon" href={ICON_PATH} type="image/svg+xml" />
          <script src={SCRIPT_PATH} defer />
          {hasCharts === true && <script src={CHARTS_PATH} defer />}
        </head>
        <body>
          <a class="skip" href="#content">
            Skip to content
          </a>
          <header class="bar">
            <div class="bar-top">
              <a class="brand" href="/console">
                <img src={ICON_PATH} alt="" width="22" height="22" />
                Behavior Ingest
              </a>
              {workspace !== undefined &&
                (hasSeveral ? (
                  <WorkspaceSwitcher name={workspace.name} />
                ) : (
                  <span class="workspace">{workspace.name}</span>
                ))}
              <span class="spring" />
              {hasSeveral && workspace === undefined && <a href="/console/workspaces">Workspaces</a>}
              {workspace !== undefined && (
                <button class="quiet" type="button" data-opens="palette" hidden>
                  Search
                </button>
              )}
              {/* A link, because it leads to another site, where our policy lets no form lead. */}
              {session?.by === "person" && (
                <a href="/cdn-cgi/access/logout" title={session.person.email}>
                  Sign out
                </a>
              )}
              {session !== undefined && session.by !== "person" && (
                <form method="post" action="/console/sign-out">
                  <button class="quiet" type="submit">
                    Sign out
                  </button>
                </form>
              )}
            </div>
            {workspace !== undefined && <Tabs workspace={workspace} current={tab} />}
          </header>
          {workspace !== undefined && <Palette workspace={workspace} pages={tabsOf(workspace)} />}
          <main id="content" tabindex={-1}>
            {workspace?.importStartedAt != null && (
              <Notice tone="watch">
                <span>
                  An import started <Moment at={workspace.importStartedAt} />. Accounts aren’t scored until it{" "}
                  <a href={pathOf(workspace, "settings", "system")}>ends</a>.
                </span>
              </Notice>
            )}
            {children}
          </main>
        </body>
      </html>
    </>
  );
};

const tabsOf = (workspace: OpenWorkspace) => TABS.filter(([tab]) => tab !== "ask" || hasScope(workspace, "ask"));

const Tabs: FC<{ workspace: OpenWorkspace; current: Tab | undefined }> = ({ workspace, current }) => (
  <nav class="tabs" aria-label="Workspace">
    {tabsOf(workspace).map(([tab, name]) => (
      <a href={pathOf(workspace, tab)} aria-current={tab === current ? "page" : undefined}>
        {name}
      </a>
    ))}
  </nav>
);
