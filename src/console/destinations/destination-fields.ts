/** The fields of the forms that create and change destinations. They accept what the API accepts, encoded as forms encode it. */
import * as z from "zod";

import type { DestinationKind } from "../../core/notify/model.ts";
import type { Destination } from "../../db/destinations/destinations.ts";
import { destinationChange, newDestination } from "../../edge/schemas/destination-requests.ts";
import { MAX_OWNER_CHARACTERS } from "../forms/fields.tsx";

/** Names and values of fields: those of a request, or those that a form begins with. */
export type Entered = Readonly<Record<string, unknown>>;

const DIGEST_TIMES = { every: "day", at: "09:00", weekday: "monday" };

export const NEW_DESTINATION: Entered = { kind: "slack", events: "inbox.opened", ...DIGEST_TIMES };

export const enteredOf = ({ events, filter, digest, includeIdentity }: Destination): Entered => ({
  ...DIGEST_TIMES,
  ...digest,
  ...filter,
  events,
  ...(filter.minMrr !== undefined && { minMrr: String(filter.minMrr) }),
  ...(includeIdentity && { includeIdentity: "yes" }),
});

/** Returns the values of checkboxes, which forms send as a string if there is one. */
export const chosen = (entered: Entered, name: string): unknown[] => [entered[name] ?? []].flat();

/** Forms send empty fields too. */
const filled = (value: unknown): unknown => (typeof value === "string" ? value.trim() || undefined : value);

/** Makes the fields of the API's request of a form's fields. */
function fieldsOf(form: Entered) {
  const [events, kinds] = [chosen(form, "events"), chosen(form, "kinds")];
  const [every, mrr] = [filled(form["every"]), filled(form["minMrr"])];
  return {
    url: filled(form["url"]),
    events,
    filter: {
      kinds: kinds.length === 0 ? undefined : kinds,
      minSeverity: filled(form["minSeverity"]),
      minMrr: mrr === undefined ? undefined : Number(mrr),
      owner: filled(form["owner"]),
    },
    includeIdentity: form["includeIdentity"] !== undefined,
    digest: events.includes("digest")
      ? { every, at: filled(form["at"]), weekday: every === "week" ? filled(form["weekday"]) : undefined }
      : null,
  };
}

const form = z.record(z.string(), z.unknown());

export const newDestinationForm = form
  .transform((entered): unknown => ({
    ...fieldsOf(entered),
    kind: entered["kind"],
    id: `dst_${String(entered["creationId"])}`,
  }))
  .pipe(newDestination.extend({ id: z.string().regex(/^dst_[0-9a-f]{24}$/) }));

/** An empty URL keeps the stored one. */
export const changeForm = form.transform((entered): unknown => fieldsOf(entered)).pipe(destinationChange);

const ERRORS: Record<string, string> = {
  url: "Enter a URL.",
  events: "Tick at least one event under “Send”.",
  "filter.minMrr": "“Minimum MRR” must be a number of 0 or more.",
  "filter.owner": `“Owner” must be one line of at most ${MAX_OWNER_CHARACTERS} characters.`,
  "digest.at": "Enter the time of the digest, such as 09:00.",
};

/** Explains the first error of a form. */
export const fieldErrorOf = ({ issues: [issue] }: z.ZodError): string =>
  ERRORS[issue?.path.join(".") ?? ""] ?? "Incomplete form. Reload the page and try again.";

const SLACK_PREFIX = "https://hooks.slack.com/services/";

/** Recognizes the addresses of Slack that people confuse with webhooks: those of channels, and of workflows, which take no cards. */
export function slackUrlError(kind: DestinationKind, url: string | undefined): string | null {
  const { hostname, pathname } = (url !== undefined && URL.parse(url)) || {};
  if (kind !== "slack" || hostname === undefined) return null;
  const isOther =
    hostname === "app.slack.com" || (hostname === "hooks.slack.com" && !pathname?.startsWith("/services/"));
  return isOther ? `This URL is not a webhook of Slack. The URL of a webhook begins with ${SLACK_PREFIX}.` : null;
}
