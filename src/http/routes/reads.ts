/** Reading what is stored: events, one user, rejected messages. */
import { Hono } from "hono";

import { DAY_MS } from "../../core/durations.ts";
import { readIdentifier } from "../../core/ingest/identifiers.ts";
import { listEvents } from "../../services/events.ts";
import { listRejections } from "../../services/events.ts";
import { findUser } from "../../services/users.ts";
import { answerJson } from "../../edge/answer.ts";
import { type AppEnv, timed } from "../../edge/context.ts";
import { opens, requireKey } from "../middleware/credentials.ts";
import { failure } from "../../edge/errors.ts";
import { makeCursor, pageOf, pageValidator, readCursor } from "../../edge/page.ts";
import { iso } from "../../edge/present/iso.ts";
import { operation } from "../../edge/request-log.ts";

export const reads = new Hono<AppEnv>()
  .get("/events", operation("list_events"), requireKey("read"), pageValidator, async (c) => {
    const { workspace } = c.get("grant");
    const { limit, cursor } = c.req.valid("query");
    const list = ["events", workspace.id];
    const before = readCursor(c, list, cursor);
    if (before instanceof Response) return before;
    const listed = await timed(c, "databaseMs", () => listEvents(c.env, workspace, limit, before));
    const events = listed.events.map(
      ({ messageId, name, account, user, properties, occurredAt, receivedAt, source }) => ({
        messageId,
        name,
        account,
        user,
        properties,
        occurredAt: iso(occurredAt),
        receivedAt: iso(receivedAt),
        source,
      }),
    );
    return answerJson(c, { ok: true, events, nextCursor: listed.next === null ? null : makeCursor(list, listed.next) });
  })
  .get("/users/:externalId", operation("read_user"), requireKey("read"), async (c) => {
    const grant = c.get("grant");
    const id = readIdentifier(c.req.param("externalId"));
    const user =
      id.ok && id.value !== null
        ? await timed(c, "databaseMs", () => findUser(c.env, grant.workspace, id.value ?? "", opens(grant, "identity")))
        : null;
    if (user === null) return failure(c, "not_found", "There is no such user.");
    const { id: userId, externalId, identity, ...rest } = user;
    const memberships = user.memberships.map(({ account, groupedAt }) => ({ account, groupedAt: iso(groupedAt) }));
    return answerJson(c, {
      ok: true,
      user: {
        id: userId,
        externalId,
        ...(identity === null ? {} : { identity }),
        ...rest,
        memberships,
        createdAt: iso(user.createdAt),
      },
    });
  })
  .get("/rejected", operation("list_rejected"), requireKey("read"), pageValidator, async (c) => {
    const { workspace } = c.get("grant");
    const { limit, cursor } = c.req.valid("query");
    const list = ["rejected", workspace.id];
    const before = readCursor(c, list, cursor);
    if (before instanceof Response) return before;
    const now = Date.now();
    const { kept, counts } = await timed(c, "databaseMs", () =>
      listRejections(c.env, workspace, { limit: limit + 1, before, now }),
    );
    const { page, nextCursor } = pageOf(kept, limit, list, ({ seq }) => seq);
    return answerJson(c, {
      ok: true,
      rejected: page.map(({ seq: _seq, reason, receivedAt, ...rest }) => ({
        receivedAt: iso(receivedAt),
        message: reason,
        ...rest,
      })),
      counts: counts.map(({ day, ...rest }) => ({ day: iso(day * DAY_MS).slice(0, 10), ...rest })),
      nextCursor,
    });
  });
