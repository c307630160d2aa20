/** Destinations of notifications: for administrators, and for keys with the scope `notify`. */
import { Hono } from "hono";
import type { Child } from "hono/jsx";

import { isAdministrator } from "../../core/role.ts";
import type { AppContext, AppEnv } from "../../edge/app-context.ts";
import { operation } from "../../edge/request-log.ts";
import { listOwners } from "../../db/accounts/list-owners.ts";
import { readAttempted } from "../../db/destinations/attempted.ts";
import { type Attempt, listAttempts } from "../../db/destinations/deliveries.ts";
import {
  type Destination,
  findDestination,
  listDestinations,
  MAX_DESTINATIONS,
} from "../../db/destinations/destinations.ts";
import {
  type Caller,
  changeDestination,
  createDestination,
  deleteDestination,
} from "../../services/notify/destinations.ts";
import { resend, sendTest } from "../../services/notify/send-now.ts";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { Card, DocsLink, FormError, Heading } from "../components/elements.tsx";
import { readForm } from "../forms/read-form.ts";
import { notFoundPage } from "../layout/error-pages.tsx";
import { Page } from "../layout/page.tsx";
import { pathOf } from "../paths.ts";
import { limitSends, requireScope } from "../session/guards.ts";
import { actorOf, mayPost } from "../session/session.ts";
import { AttemptNotice, AttemptsCard } from "./attempts-card.tsx";
import {
  changeForm,
  type Entered,
  enteredOf,
  fieldErrorOf,
  NEW_DESTINATION,
  newDestinationForm,
  slackUrlError,
} from "./destination-fields.ts";
import { DestinationForm } from "./destination-form.tsx";
import { DestinationCard, DestinationsTable, SecretNotice } from "./destinations-view.tsx";
import { digestText, KIND_NAMES } from "./labels.ts";
import { SettingsNav } from "../settings/settings-page.tsx";

export const destinationsPages = new Hono<AppEnv>()
  .use(requireScope("notify"))
  .get("/", operation("console_destinations"), (c) => listPage(c))
  .post("/", operation("console_create_destination"), async (c) => {
    const entered = await readForm(c);
    const form = newDestinationForm.safeParse(entered);
    const error = form.success ? slackUrlError(form.data.kind, form.data.url) : fieldErrorOf(form.error);
    if (!form.success || error !== null) return listPage(c, entered, error ?? undefined);
    const created = await createDestination(c.env, c.get("workspace"), form.data, callerOf(c), Date.now());
    switch (created.outcome) {
      case "created":
      case "exists":
        // The secret was on the first page only.
        if (created.outcome === "exists" || created.secret === null)
          return c.redirect(pathTo(c, created.destination.id), 303);
        return destinationPage(c, created.destination, { notice: <SecretNotice secret={created.secret} /> });
      case "too_many":
        return listPage(c, entered, `A workspace can have ${MAX_DESTINATIONS} destinations. Delete one first.`);
      case "identity_needed":
        return listPage(c, entered, IDENTITY_NEEDED);
      case "invalid":
        return listPage(c, entered, refusalText(created));
    }
  })
  .get("/:id", operation("console_destination"), (c) =>
    withDestination(c, (destination) => destinationPage(c, destination)),
  )
  .post("/:id", operation("console_change_destination"), (c) =>
    withDestination(c, async (destination) => {
      const entered = await readForm(c);
      const form = changeForm.safeParse(entered);
      const error = form.success ? slackUrlError(destination.kind, form.data.url) : fieldErrorOf(form.error);
      if (!form.success || error !== null) return destinationPage(c, destination, { entered, error });
      const { digest = null, ...fields } = form.data;
      // A digest whose times stay keeps the days that it has not told yet.
      const isSameDigest = digestText(digest, "") === digestText(destination.digest, "");
      return change(c, { ...fields, digest: isSameDigest ? undefined : digest }, entered);
    }),
  )
  .post("/:id/test", operation("console_test_destination"), limitSends, async (c) => {
    const attempt = await sendTest(c.env, c.get("workspace"), c.req.param("id"), Date.now());
    return attempt === null ? noSuchDestination(c) : attemptPage(c, attempt);
  })
  .post("/:id/attempts/:attemptId/resend", operation("console_resend"), limitSends, async (c) => {
    const sent = await resend(c.env, c.get("workspace"), c.req.param("id"), c.req.param("attemptId"), Date.now());
    if (sent.outcome === "sent") return attemptPage(c, sent.attempt);
    return notFoundPage(c, "This notification is no longer kept.");
  })
  .post("/:id/disable", operation("console_disable_destination"), (c) => change(c, { disabled: true }))
  .post("/:id/enable", operation("console_enable_destination"), (c) => change(c, { disabled: false }))
  .post("/:id/delete", operation("console_delete_destination"), async (c) => {
    const isDeleted = await deleteDestination(c.env, c.get("workspace"), c.req.param("id"), callerOf(c).actor);
    return isDeleted ? c.redirect(pathTo(c), 303) : noSuchDestination(c);
  });

const IDENTITY_NEEDED = "Sending names needs a key that also has the scope “identity”.";

const pathTo = (c: AppContext, ...parts: string[]): string =>
  pathOf(c.get("workspace"), "settings", "destinations", ...parts);

const callerOf = (c: AppContext): Caller => ({
  actor: actorOf(c.get("session")),
  mayIdentify: hasScope(c.get("workspace"), "identity"),
});

const noSuchDestination = (c: AppContext) => notFoundPage(c, "This destination does not exist.");

async function withDestination(c: AppContext, show: (destination: Destination) => Response | Promise<Response>) {
  const destination = await findDestination(c.env, c.get("workspace"), c.req.param("id") ?? "");
  return destination === null ? noSuchDestination(c) : show(destination);
}

const refusalText = ({ path, message }: { path: string; message: string }): string =>
  `The ${path === "url" ? "URL" : path} ${message}.`;

async function change(c: AppContext, fields: Parameters<typeof changeDestination>[3], entered?: Entered) {
  const id = c.req.param("id") ?? "";
  const changed = await changeDestination(c.env, c.get("workspace"), id, fields, callerOf(c), Date.now());
  if (changed.outcome === "changed") return c.redirect(pathTo(c, id), 303);
  if (changed.outcome === "not_found") return noSuchDestination(c);
  const error = changed.outcome === "invalid" ? refusalText(changed) : IDENTITY_NEEDED;
  return withDestination(c, (destination) => destinationPage(c, destination, { entered, error }));
}

/** Leads to a page that shows the attempt, and can be reloaded without another. */
const attemptPage = (c: AppContext, { id }: Attempt): Response =>
  c.redirect(`${pathTo(c, c.req.param("id") ?? "")}?attempt=${id}`, 303);

const formProps = (c: AppContext, owners: string[]) => ({
  workspace: c.get("workspace"),
  mayIdentify: callerOf(c).mayIdentify,
  isAdmin: isAdministrator(c.get("session")),
  owners,
});

async function listPage(c: AppContext, entered: Entered = NEW_DESTINATION, error?: string): Promise<Response> {
  const workspace = c.get("workspace");
  const [destinations, owners] = await Promise.all([listDestinations(c.env, workspace), listOwners(c.env, workspace)]);
  return c.html(
    <Page c={c} title="Destinations" tab="settings">
      <Heading title="Settings" lead="Destinations: news of accounts goes here, beside the inbox.">
        <DocsLink page="notifications" />
      </Heading>
      <SettingsNav workspace={workspace} current="destinations" />
      <FormError error={error} />
      <Card>
        <DestinationsTable {...{ workspace, destinations }} />
      </Card>
      {mayPost(c.get("session"), c.req.path) && (
        <Card title="New destination" lead="Slack and Teams show cards. A webhook receives signed JSON.">
          <DestinationForm {...formProps(c, owners)} entered={entered} />
        </Card>
      )}
    </Page>,
    error === undefined ? 200 : 400,
  );
}

interface PageParts {
  notice?: Child;
  /** The fields of a change that was refused, and why. */
  entered?: Entered | undefined;
  error?: string | null;
}

async function destinationPage(c: AppContext, destination: Destination, { notice, entered, error }: PageParts = {}) {
  const workspace = c.get("workspace");
  const { mayIdentify } = callerOf(c);
  const [listed, attempted, owners] = await Promise.all([
    listAttempts(c.env, workspace, destination.id),
    readAttempted(c.env, workspace, destination, mayIdentify),
    listOwners(c.env, workspace),
  ]);
  const attempts = listed ?? [];
  const attempt = attempts.find(({ id }) => id === c.req.query("attempt"));
  return c.html(
    <Page c={c} title={KIND_NAMES[destination.kind]} tab="settings">
      <Heading title={KIND_NAMES[destination.kind]} lead={destination.shownUrl}>
        <a href={pathTo(c)}>All destinations</a>
      </Heading>
      <FormError error={error ?? undefined} />
      {notice}
      {attempt !== undefined && <AttemptNotice {...{ destination, attempt }} />}
      <DestinationCard {...{ workspace, destination }} />
      <AttemptsCard {...{ workspace, destination, attempts, attempted }} />
      <Card title="Change">
        {destination.includeIdentity && !mayIdentify ? (
          <p>This destination sends names. {IDENTITY_NEEDED}</p>
        ) : (
          <DestinationForm
            {...formProps(c, owners)}
            destination={destination}
            entered={entered ?? enteredOf(destination)}
          />
        )}
      </Card>
    </Page>,
    error == null ? 200 : 400,
  );
}
