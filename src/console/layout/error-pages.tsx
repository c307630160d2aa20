/** Pages that report an error and link back to the console. */
import type { ContentfulStatusCode } from "hono/utils/http-status";

import { accessSettings, RETRY_AFTER_FAULT_SECONDS } from "../../config.ts";
import { editDistanceWithin } from "../../core/ask/normalize-names.ts";
import { typedKeys } from "../../core/typed-keys.ts";
import type { AppContext } from "../../edge/app-context.ts";
import { truncate } from "../components/truncate.ts";
import type { ConsoleUser } from "../../db/workspaces/find-workspace.ts";
import { pathOf } from "../paths.ts";
import { Page } from "./page.tsx";

type Link = readonly [path: string, name: string];

const BACK: Link = ["/console", "Back to the console"];

const errorPage = (c: AppContext, status: ContentfulStatusCode, title: string, text: string, links = [BACK]) =>
  c.html(
    <Page c={c} title={title}>
      <div class="error-page">
        <h1>{title}</h1>
        <p>{text}</p>
        <p class="cluster">
          {links.map(([path, name]) => (
            <a class="button" href={path}>
              {name}
            </a>
          ))}
        </p>
      </div>
    </Page>,
    status,
  );

/** By the part of the path behind the workspace. */
const PLACES = {
  inbox: "Inbox",
  accounts: "Accounts",
  live: "Live",
  start: "Get started",
  settings: "Settings",
} as const;
/** A misspelled part has at most this many other letters. */
const MAX_EDITS = 2;

/** Returns the page that a wrong address comes closest to, or else the workspace's pages. */
function nearestTo(c: AppContext): Link[] {
  const workspace: { id: string } | undefined = c.get("workspace");
  const session: ConsoleUser | undefined = c.get("session");
  if (workspace === undefined)
    return session !== undefined && session.by !== "key" ? [["/console/workspaces", "Workspaces"], BACK] : [BACK];
  const said = c.req.path.split("/")[4] ?? "";
  const places = typedKeys(PLACES);
  const close = places.filter((place) => editDistanceWithin(said.toLowerCase(), place, MAX_EDITS) !== null);
  return (close.length > 0 ? close : places).map((place): Link => [pathOf(workspace, place), PLACES[place]]);
}

export const forbiddenPage = (c: AppContext, text: string) => errorPage(c, 403, "Not allowed", text);

const SIGN_IN: Link = ["/console/sign-in", "Sign in with a key or token"];

/** For somebody whom single sign-on knows, and this service doesn't. The team's sign-out lets them choose another account. */
export function unknownUserPage(c: AppContext, text: string) {
  const team = accessSettings(c.env)?.team ?? "";
  return errorPage(c, 403, "Not allowed", text, [
    [`${team}/cdn-cgi/access/logout`, "Sign in with another account"],
    SIGN_IN,
  ]);
}

/** While nobody can check who signed in by single sign-on. */
export function signOnFaultPage(c: AppContext) {
  c.header("Retry-After", String(RETRY_AFTER_FAULT_SECONDS));
  const text =
    "Single sign-on doesn’t answer: the keys of your Cloudflare Access team can’t be read. Try again in a moment.";
  return errorPage(c, 503, "Single sign-on is not available", text, [BACK, SIGN_IN]);
}

/** @param text says what was not found */
export const notFoundPage = (c: AppContext, text = `There is no page ${truncate(c.req.path)}.`) =>
  errorPage(c, 404, "Page not found", text, nearestTo(c));

export const invalidPage = (c: AppContext, text: string) => errorPage(c, 400, "Invalid request", text);

export const tooLargePage = (c: AppContext) => errorPage(c, 413, "Too large", "The form data is too large.");

export function tooManyPage(c: AppContext, seconds: number) {
  c.header("Retry-After", String(seconds));
  return errorPage(c, 429, "Too many requests", `Try again in ${seconds} seconds.`);
}

export function faultPage(c: AppContext, isBusy: boolean) {
  if (isBusy) {
    c.header("Retry-After", String(RETRY_AFTER_FAULT_SECONDS));
    return errorPage(c, 503, "The service is busy", "No data was lost. Try again in a moment.");
  }
  const text = `Try again. If the error persists, report the request id ${c.get("requestId")}.`;
  return errorPage(c, 500, "Something went wrong", text);
}
