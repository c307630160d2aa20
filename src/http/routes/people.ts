/** Manages the people who sign in by single sign-on, and administrators' tokens: docs/wire/people.md §22.2. */
import * as z from "zod";

import { ROLES } from "../../core/role.ts";
import { type AdminToken, listAdminTokens, listPeople, type Person } from "../../db/people/people.ts";
import type { AppContext } from "../../edge/app-context.ts";
import { requireOwnToken } from "../../edge/credentials.ts";
import { invalidCursor, pageOf, readCursor } from "../../edge/cursor.ts";
import { errorResponse } from "../../edge/errors.ts";
import { request, response } from "../../edge/named-schemas.ts";
import { done, moment, nextCursor, ok, text } from "../../edge/responses/fields.ts";
import { pageQuery } from "../../edge/schemas/list-queries.ts";
import { newAdminToken, newPerson, personChange } from "../../edge/schemas/people-requests.ts";
import {
  addPerson,
  changePerson,
  createAdminToken,
  deleteAdminToken,
  findUnknownWorkspace,
  removePerson,
} from "../../services/people.ts";
import { iso, isoDate } from "../../services/present/iso.ts";
import { route } from "../declare-route.ts";
import { idParam } from "../requests/path-params.ts";
import { admin } from "./workspaces.ts";

const LIST = ["admin/people"];
const onPerson = { ...admin, params: z.object({ id: idParam("The person's id (`person_…`).") }) } as const;
/** Named tokens manage no tokens. */
const onTokens = { ...admin, use: [requireOwnToken] } as const;

const person = response(
  "Person",
  z.strictObject({
    id: text,
    email: text.describe("In lower case."),
    role: z.enum(ROLES),
    workspaces: z.array(text).nullable().describe("The workspaces that a member or viewer may open; `null` for all."),
    createdAt: moment,
  }),
);
const onePerson = response("PersonResponse", z.strictObject({ ok, person }));

const present = ({ id, email, role, workspaces, createdAt }: Person) => {
  return { id, email, role, workspaces, createdAt: iso(createdAt) };
};

const unknownWorkspace = (c: AppContext, place: number) =>
  errorResponse(c, "invalid_request", "Invalid body. See issues.", [
    { path: `workspaces.${place}`, message: "is no workspace" },
  ]);

const token = z.strictObject({
  id: text,
  name: text,
  readOnly: z.boolean(),
  lastFour: z.string().length(4),
  createdAt: moment,
  lastUsedOn: text.nullable().describe("The last day (UTC) on which the token was used."),
});
const createdToken = token.extend({ token: z.string().regex(/^bia_[0-9A-Za-z]{30}$/) });

const presentToken = ({ id, name, readOnly, lastFour, createdAt, lastUsedDay }: AdminToken) => {
  const lastUsedOn = lastUsedDay === null ? null : isoDate(lastUsedDay);
  return { id, name, readOnly, lastFour, createdAt: iso(createdAt), lastUsedOn };
};

export const peopleRoutes = [
  route(
    {
      ...admin,
      method: "post",
      paths: { "/admin/people": "addPerson" },
      summary: "Register a person for single sign-on",
      body: { schema: request("NewPersonRequest", newPerson), example: { email: "jo@example.com", role: "member" } },
      response: { status: 201, description: "The person.", schema: onePerson },
    },
    async (c) => {
      const fields = c.req.valid("json");
      const place = await findUnknownWorkspace(c.env, fields.workspaces);
      if (place !== -1) return unknownWorkspace(c, place);
      const added = await addPerson(c.env, fields, Date.now(), c.get("actor"));
      if (added !== null) return c.json({ ok: true, person: present(added) }, 201);
      const issue = { path: "email", message: "is registered already" };
      return errorResponse(c, "invalid_request", "Invalid body. See issues.", [issue]);
    },
  ),
  route(
    {
      ...admin,
      method: "get",
      paths: { "/admin/people": "listPeople" },
      summary: "List people, newest first",
      query: pageQuery,
      response: {
        status: 200,
        description: "A page of people.",
        schema: response("PeopleResponse", z.strictObject({ ok, people: z.array(person), nextCursor })),
      },
    },
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const before = readCursor(LIST, cursor);
      if (before === undefined) return invalidCursor(c);
      const rows = await listPeople(c.env, limit + 1, before);
      const { page, nextCursor: next } = pageOf(rows, limit, LIST, ({ number }) => number);
      return c.json({ ok: true, people: page.map(present), nextCursor: next }, 200);
    },
  ),
  route(
    {
      ...onPerson,
      method: "patch",
      paths: { "/admin/people/{id}": "changePerson" },
      summary: "Change a person's role or workspaces, from the next request on",
      body: { schema: request("PersonChangeRequest", personChange), example: { role: "viewer" } },
      response: { status: 200, description: "The changed person.", schema: onePerson },
    },
    async (c) => {
      const change = c.req.valid("json");
      const place = await findUnknownWorkspace(c.env, change.workspaces);
      if (place !== -1) return unknownWorkspace(c, place);
      const changed = await changePerson(c.env, c.req.valid("param").id, change, c.get("actor"));
      if (changed === null) return errorResponse(c, "not_found", "No such person.");
      return c.json({ ok: true, person: present(changed) }, 200);
    },
  ),
  route(
    {
      ...onPerson,
      method: "delete",
      paths: { "/admin/people/{id}": "removePerson" },
      summary: "Remove a person, whose next request is refused",
      response: { status: 200, description: "The person is removed.", schema: done },
    },
    async (c) => {
      const isRemoved = await removePerson(c.env, c.req.valid("param").id, c.get("actor"));
      return isRemoved ? c.json({ ok: true }, 200) : errorResponse(c, "not_found", "No such person.");
    },
  ),
  route(
    {
      ...onTokens,
      method: "post",
      paths: { "/admin/tokens": "createAdminToken" },
      summary: "Create a named token for administrators",
      body: { schema: request("NewAdminTokenRequest", newAdminToken), example: { name: "Dashboards", readOnly: true } },
      response: {
        status: 201,
        description: "The token, whose text is shown only once.",
        schema: response("NewAdminTokenResponse", z.strictObject({ ok, token: createdToken })),
      },
    },
    async (c) => {
      const created = await createAdminToken(c.env, c.req.valid("json"), Date.now(), c.get("actor"));
      if (created === null) throw new Error("a random id was taken");
      return c.json({ ok: true, token: { ...presentToken(created.record), token: created.token } }, 201);
    },
  ),
  route(
    {
      ...onTokens,
      method: "get",
      paths: { "/admin/tokens": "listAdminTokens" },
      summary: "List named tokens of administrators, newest first",
      response: {
        status: 200,
        description: "All tokens, without their texts.",
        schema: response("AdminTokensResponse", z.strictObject({ ok, tokens: z.array(token) })),
      },
      errors: ["forbidden"],
    },
    async (c) => c.json({ ok: true, tokens: (await listAdminTokens(c.env)).map(presentToken) }, 200),
  ),
  route(
    {
      ...onTokens,
      method: "delete",
      paths: { "/admin/tokens/{id}": "deleteAdminToken" },
      summary: "Delete a named token, whose next request is refused and whose sessions end",
      params: z.object({ id: idParam("The token's id (`token_…`).") }),
      response: { status: 200, description: "The token is deleted.", schema: done },
    },
    async (c) => {
      const isDeleted = await deleteAdminToken(c.env, c.req.valid("param").id, c.get("actor"));
      return isDeleted ? c.json({ ok: true }, 200) : errorResponse(c, "not_found", "No such token.");
    },
  ),
];
