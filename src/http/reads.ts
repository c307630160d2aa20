/** Reading what is stored: events, one user, rejected messages. */
import { Hono } from "hono";

import { listEvents } from "../db/event-store.ts";
import { listRejections } from "../db/rejection-store.ts";
import { findUser } from "../db/user-store.ts";
import { type AppEnv, timed } from "./context.ts";
import { requireKey } from "./credentials.ts";
import { failure } from "./errors.ts";
import { pageOf, pageValidator, readCursor } from "./page.ts";
import { operation } from "./request-log.ts";

const DAY_MS = 86_400_000;
const iso = (ms: number): string => new Date(ms).toISOString();

export const reads = new Hono<AppEnv>()
  .get("/events", operation("list_events"), requireKey("read"), pageValidator, async (c) => {
    const { workspace } = c.get("grant");
    const { limit, cursor } = c.req.valid("query");
    const list = ["events", workspace.id];
    const before = readCursor(c, list, cursor);
    if (before instanceof Response) return before;
    const rows = await timed(c, "databaseMs", () => listEvents(c.env, workspace, limit + 1, before));
    const { page, nextCursor } = pageOf(rows, limit, list);
    const events = page.map(({ messageId, name, account, user, properties, occurredAt, receivedAt, source }) => ({
      messageId,
      name,
      account,
      user,
      properties,
      occurredAt: iso(occurredAt),
      receivedAt: iso(receivedAt),
      source,
    }));
    return c.json({ ok: true, events, nextCursor });
  })
  .get("/users/:externalId", operation("read_user"), requireKey("read"), async (c) => {
    const { workspace } = c.get("grant");
    const user = await timed(c, "databaseMs", () => findUser(c.env, workspace, c.req.param("externalId")));
    if (user === null) return failure(c, "not_found", "There is no such user.");
    const memberships = user.memberships.map(({ account, groupedAt }) => ({ account, groupedAt: iso(groupedAt) }));
    return c.json({ ok: true, user: { ...user, memberships, createdAt: iso(user.createdAt) } });
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
    const { page, nextCursor } = pageOf(kept, limit, list);
    return c.json({
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
