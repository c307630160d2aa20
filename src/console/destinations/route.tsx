/** Destinations of notifications: for administrators, and for keys with the scope `notify`. */
import { Hono } from "hono";
import type { Child } from "hono/jsx";

import type { AppContext, AppEnv } from "../../edge/app-context.ts";
import { operation } from "../../edge/request-log.ts";
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
import { Card, FormError, Heading, Notice } from "../components/elements.tsx";
import { readForm } from "../forms/read-form.ts";
import { notFoundPage } from "../layout/error-pages.tsx";
import { Page } from "../layout/page.tsx";
import { pathOf } from "../paths.ts";
import { requireScope } from "../session/guards.ts";
import { actorOf } from "../session/session.ts";
import { destinationErrorOf, DestinationForm, destinationForm } from "./destination-form.tsx";
import { AttemptsCard, DestinationCard, DestinationsTable, SecretNotice } from "./destinations-view.tsx";
import { KIND_NAMES, OUTCOME_NAMES } from "./labels.ts";

export const destinationsPages = new Hono<AppEnv>()
  .use(requireScope("notify"))
  .get("/", operation("console_destinations"), (c) => listPage(c))
  .post("/", operation("console_create_destination"), async (c) => {
    const entered = await readForm(c);
    const form = destinationForm.safeParse(entered);
    if (!form.success) return listPage(c, entered, destinationErrorOf(form.error));
    const created = await createDestination(c.env, c.get("workspace"), form.data, callerOf(c), Date.now());
    switch (created.outcome) {
      case "created":
      case "exists":
        // The secret was on the first page only.
        if (created.outcome === "exists" || created.secret === null)
          return c.redirect(pathTo(c, created.destination.id), 303);
        return destinationPage(c, created.destination, <SecretNotice secret={created.secret} />);
      case "too_many":
        return listPage(c, entered, `A workspace can have ${MAX_DESTINATIONS} destinations. Delete one first.`);
      case "identity_needed":
        return listPage(c, entered, IDENTITY_NEEDED);
      case "invalid":
        return listPage(c, entered, `The ${created.path === "url" ? "URL" : created.path} ${created.message}.`);
    }
  })
  .get("/:id", operation("console_destination"), (c) =>
    withDestination(c, (destination) => destinationPage(c, destination)),
  )
  .post("/:id/test", operation("console_test_destination"), async (c) => {
    const attempt = await sendTest(c.env, c.get("workspace"), c.req.param("id"), Date.now());
    return attempt === null ? noSuchDestination(c) : attemptPage(c, attempt);
  })
  .post("/:id/attempts/:attemptId/resend", operation("console_resend"), async (c) => {
    const sent = await resend(c.env, c.get("workspace"), c.req.param("id"), c.req.param("attemptId"), Date.now());
    if (sent.outcome === "sent") return attemptPage(c, sent.attempt);
    return notFoundPage(c, "This notification is no longer kept.");
  })
  .post("/:id/disable", operation("console_disable_destination"), (c) => setDisabled(c, true))
  .post("/:id/enable", operation("console_enable_destination"), (c) => setDisabled(c, false))
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

async function setDisabled(c: AppContext, disabled: boolean): Promise<Response> {
  const id = c.req.param("id") ?? "";
  const changed = await changeDestination(c.env, c.get("workspace"), id, { disabled }, callerOf(c), Date.now());
  if (changed.outcome === "changed") return c.redirect(pathTo(c, id), 303);
  if (changed.outcome === "not_found") return noSuchDestination(c);
  const error = changed.outcome === "invalid" ? `The ${changed.path} ${changed.message}.` : IDENTITY_NEEDED;
  return withDestination(c, (destination) => destinationPage(c, destination, <FormError error={error} />, 400));
}

const attemptPage = (c: AppContext, { outcome, status }: Attempt): Promise<Response> =>
  withDestination(c, (destination) => {
    const text = `${outcome === "delivered" ? "Delivered" : `Not delivered: ${OUTCOME_NAMES[outcome]}`}${status === null ? "" : ` (${status})`}.`;
    return destinationPage(c, destination, <Notice tone={outcome === "delivered" ? "good" : "bad"}>{text}</Notice>);
  });

async function listPage(c: AppContext, entered: Record<string, unknown> = {}, error?: string): Promise<Response> {
  const workspace = c.get("workspace");
  const destinations = await listDestinations(c.env, workspace);
  return c.html(
    <Page c={c} title="Destinations" tab="settings">
      <Heading title="Destinations" lead="News of accounts goes here, beside the inbox.">
        <a href={pathOf(workspace, "settings")}>Settings</a>
      </Heading>
      <FormError error={error} />
      <Card>
        <DestinationsTable {...{ workspace, destinations }} />
      </Card>
      <Card title="New destination" lead="Slack and Teams show cards. A webhook receives signed JSON.">
        <DestinationForm workspace={workspace} mayIdentify={callerOf(c).mayIdentify} entered={entered} />
      </Card>
    </Page>,
    error === undefined ? 200 : 400,
  );
}

async function destinationPage(c: AppContext, destination: Destination, notice?: Child, status: 200 | 400 = 200) {
  const workspace = c.get("workspace");
  const attempts = (await listAttempts(c.env, workspace, destination.id)) ?? [];
  return c.html(
    <Page c={c} title={KIND_NAMES[destination.kind]} tab="settings">
      <Heading title={KIND_NAMES[destination.kind]} lead={destination.shownUrl}>
        <a href={pathTo(c)}>All destinations</a>
      </Heading>
      {notice}
      <DestinationCard {...{ workspace, destination }} />
      <AttemptsCard {...{ workspace, destination, attempts }} />
    </Page>,
    status,
  );
}
