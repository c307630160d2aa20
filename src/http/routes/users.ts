/** Reads and erases users: docs/wire/README.md §1, docs/wire/erasure.md §6.2. */
import * as z from "zod";

import { requiredIdentifier } from "../../core/ingest/identifiers.ts";
import type { AppContext } from "../../edge/app-context.ts";
import { errorResponse, unauthorized } from "../../edge/errors.ts";
import { iso } from "../../services/present/iso.ts";
import { findUser } from "../../db/users/find-user.ts";
import { eraseUser } from "../../services/erase-user.ts";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { request, response } from "../../edge/named-schemas.ts";
import { externalIdParam } from "../requests/path-params.ts";
import { account, erased, moment, object, ok, text, userRef } from "../../edge/responses/fields.ts";
import { route } from "../declare-route.ts";

export const userDetails = response(
  "UserDetails",
  userRef.extend({
    identity: z
      .strictObject({ name: text.optional(), email: text.optional() })
      .optional()
      .describe("Attached identity traits. Only for keys that also have the scope `identity`."),
    account: account
      .extend({ via: z.enum(["group", "implied", "solo"]).describe("How the user was assigned to the account.") })
      .nullable(),
    memberships: z.array(z.strictObject({ account, groupedAt: moment })).max(200),
    traits: object,
    createdAt: moment,
  }),
);

const oneUser = response("UserResponse", z.strictObject({ ok, user: userDetails }));

const eraseUserRequest = request(
  "EraseUserRequest",
  z.strictObject({
    userId: requiredIdentifier("External id, or internal id (`usr_…`)."),
  }),
);

const params = externalIdParam(
  "The sender's id, or the internal id (`usr_…`). URLs can't contain the ids `.` and `..`: use the internal id.",
);

const erasure = {
  tag: "Identity",
  access: "identity",
  response: {
    status: 200,
    description: "The user is erased, or never existed.",
    accepted: "The user is invisible. The rest of a very large log is erased within minutes.",
    schema: erased,
  },
} as const;

const ERASED =
  "Erases ids, traits and the properties of events. Counts stay, under the internal id. The response doesn't reveal whether the user existed.";

export const usersRoutes = [
  route(
    {
      method: "get",
      paths: { "/api/v1/users/{externalId}": "readUser" },
      tag: "Reads",
      summary: "Read a user",
      description: "Includes the 200 latest memberships.",
      access: "read",
      params,
      response: { status: 200, description: "The user.", schema: oneUser },
      errors: ["not_found"],
    },
    async (c) => {
      const grant = c.get("grant");
      const { externalId } = c.req.valid("param");
      const withIdentity = hasScope(grant, "identity");
      const user = await findUser(c.env, grant.workspace, externalId, withIdentity);
      if (user === null) return errorResponse(c, "not_found", "No such user.");
      const { identity, ...rest } = user;
      const shown = {
        ...rest,
        ...(identity === null ? {} : { identity }),
        memberships: rest.memberships.map((membership) => ({ ...membership, groupedAt: iso(membership.groupedAt) })),
        createdAt: iso(rest.createdAt),
      };
      return c.json({ ok: true, user: shown }, 200);
    },
  ),
  route(
    {
      ...erasure,
      method: "post",
      paths: { "/api/v1/users/erase": "eraseUser" },
      summary: "Erase a user",
      description: `${ERASED} This is the recommended way to erase a user: the id stays out of URLs, which platforms and proxies log.`,
      body: { schema: eraseUserRequest, example: { userId: "u7" } },
    },
    (c) => erase(c, c.req.valid("json").userId),
  ),
  route(
    {
      ...erasure,
      name: "erase_user",
      method: "delete",
      paths: { "/api/v1/users/{externalId}": "eraseUserByPath" },
      summary: "Erase a user by path",
      description: `${ERASED} Prefer \`POST /api/v1/users/erase\`, which keeps the id out of URLs.`,
      params,
    },
    (c) => erase(c, c.req.valid("param").externalId),
  ),
];

async function erase(c: AppContext, id: string) {
  const erasing = await eraseUser(c.env, c.get("grant"), id);
  if (erasing === "unauthorized") return unauthorized(c);
  const { outcome, ...archive } = erasing;
  return c.json({ ok: true, ...archive }, outcome === "erased" ? 200 : 202);
}
