/** The frame of the settings' pages: their navigation, and what the action that led to a page has done. */
import type { FC, PropsWithChildren } from "hono/jsx";
import * as z from "zod";

import { isAdministrator } from "../../core/role.ts";
import { typedKeys } from "../../core/typed-keys.ts";
import type { AppContext } from "../../edge/app-context.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { DocsLink, FormError, Heading, Notice, type Tone } from "../components/elements.tsx";
import { Page } from "../layout/page.tsx";
import { pathOf } from "../paths.ts";

/** By the last part of their path, which the first one lacks. */
const SECTIONS = {
  general: "General",
  keys: "Keys",
  privacy: "Privacy",
  destinations: "Destinations",
  system: "System",
} as const;
export type Section = keyof typeof SECTIONS;

/** Messages about the action that led to the page. The redirect names the message in the page's address. */
const FLASH_MESSAGES = {
  changed: { tone: "good", text: "Workspace updated. A new limit applies from the next message." },
  key_exists: {
    tone: "watch",
    text: "This key already exists. It was shown once: if you didn’t copy it, create another.",
  },
  key_changed: { tone: "good", text: "Key changed. The change reaches every request within 30 seconds." },
  revoked: { tone: "good", text: "Key revoked. Writes with it are refused at once, and reads within 30 seconds." },
  accepted: { tone: "good", text: "Agreement accepted. You can now attach identity traits." },
  withdrawn: { tone: "good", text: "Agreement withdrawn. All identity traits of the workspace were erased." },
  erased: {
    tone: "good",
    text: "If there was a user with this id, no user has it any more. The rest is erased within a day.",
  },
  recomputed: { tone: "good", text: "Recompute finished. See its results below." },
  running: { tone: "watch", text: "A recompute is already running. Check again in a moment." },
  failed: { tone: "bad", text: "Recompute failed. See the error below. The next run continues where it stopped." },
  import_ended: { tone: "good", text: "The import has ended. Its history is scored within minutes." },
  moving: { tone: "good", text: "The move has started. Reload the page to see its progress." },
  move_cancelled: { tone: "good", text: "Cancelled. The copy is deleted within minutes." },
} satisfies Record<string, { tone: Tone; text: string }>;
export type Flash = keyof typeof FLASH_MESSAGES;

const flashQuery = z.enum(typedKeys(FLASH_MESSAGES)).optional().catch(undefined);

const sectionPath = (workspace: { id: string }, section: Section): string =>
  section === "general" ? pathOf(workspace, "settings") : pathOf(workspace, "settings", section);

/** Leads from an action to the page that says what it has done. */
export const redirectTo = (c: AppContext, section: Section, done: Flash): Response =>
  c.redirect(`${sectionPath(c.get("workspace"), section)}?done=${done}`, 303);

export const SettingsNav: FC<{ workspace: OpenWorkspace; current: Section }> = ({ workspace, current }) => (
  <nav class="cluster loose sections" aria-label="Settings">
    {typedKeys(SECTIONS)
      .filter((section) => section !== "destinations" || hasScope(workspace, "notify"))
      .map((section) => (
        <a href={sectionPath(workspace, section)} aria-current={section === current ? "page" : undefined}>
          {SECTIONS[section]}
        </a>
      ))}
  </nav>
);

type SettingsPageProps = PropsWithChildren<{
  c: AppContext;
  section: Section;
  /** The page of the documentation about the section. */
  docs: string;
  error?: string | undefined;
}>;

export const SettingsPage: FC<SettingsPageProps> = ({ c, section, docs, error, children }) => {
  const workspace = c.get("workspace");
  const isAdmin = isAdministrator(c.get("session"));
  const done = flashQuery.parse(c.req.method === "GET" ? c.req.query("done") : undefined);
  // A link on another site can't claim that something was done. Browsers send no such header to a host without TLS.
  const isOwn = (c.req.header("Sec-Fetch-Site") ?? "same-origin") === "same-origin";
  const flash = done !== undefined && isOwn ? FLASH_MESSAGES[done] : undefined;
  return (
    <Page c={c} title={`${SECTIONS[section]} · Settings`} tab="settings">
      <Heading title="Settings" lead={workspace.name}>
        <DocsLink page={docs} />
      </Heading>
      <SettingsNav workspace={workspace} current={section} />
      {flash !== undefined && <Notice tone={flash.tone}>{flash.text}</Notice>}
      <FormError error={error} />
      {!isAdmin && (
        <Notice tone="none">
          {c.get("session").by === "key"
            ? "You signed in with a key. Sign in with the admin token to manage keys and settings."
            : "Administrators manage keys and settings."}
        </Notice>
      )}
      {children}
    </Page>
  );
};
