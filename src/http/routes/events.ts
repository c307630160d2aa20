/** Reads events and rejected messages: docs/wire.md §1, §4.5. */
import { timed } from "../../edge/context.ts";
import { encodeCursor, pageOf, readCursor } from "../../edge/cursor.ts";
import { iso, isoDate } from "../../edge/present/iso.ts";
import { pageQuery } from "../../edge/schemas/list-queries.ts";
import { listEvents, listRejections } from "../../services/events.ts";
import { route } from "../route.ts";
import { READ } from "../schemas/error-sets.ts";
import { events, rejected } from "../schemas/reads.ts";

const common = { method: "get", tag: "Reads", access: "read", query: pageQuery, errors: READ } as const;

export const eventsRoutes = [
  route(
    {
      ...common,
      name: "list_events",
      paths: { "/api/v1/events": "listEvents" },
      summary: "List events, newest arrival first",
      response: { status: 200, description: "A page of events.", schema: events },
    },
    async (c) => {
      const { workspace } = c.get("grant");
      const { limit, cursor } = c.req.valid("query");
      const list = ["events", workspace.id];
      const before = readCursor(c, list, cursor);
      if (before instanceof Response) return before;
      const listed = await timed(c, "databaseMs", () => listEvents(c.env, workspace, limit, before));
      const page = listed.events.map(
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
      return c.json(
        { ok: true, events: page, nextCursor: listed.next === null ? null : encodeCursor(list, listed.next) },
        200,
      );
    },
  ),
  route(
    {
      ...common,
      name: "list_rejected",
      paths: { "/api/v1/rejected": "listRejected" },
      summary: "List rejected messages, newest arrival first",
      description: "At most the newest 1,000 of the last 30 days. Personal data is removed.",
      response: { status: 200, description: "A page of rejected messages, and counts by day.", schema: rejected },
    },
    async (c) => {
      const { workspace } = c.get("grant");
      const { limit, cursor } = c.req.valid("query");
      const list = ["rejected", workspace.id];
      const before = readCursor(c, list, cursor);
      if (before instanceof Response) return before;
      const { kept, counts } = await timed(c, "databaseMs", () =>
        listRejections(c.env, workspace, { limit: limit + 1, before, now: Date.now() }),
      );
      const { page, nextCursor } = pageOf(kept, limit, list, ({ seq }) => seq);
      return c.json(
        {
          ok: true,
          rejected: page.map(({ seq: _seq, reason, receivedAt, ...rest }) => ({
            receivedAt: iso(receivedAt),
            message: reason,
            ...rest,
          })),
          counts: counts.map(({ day, ...rest }) => ({ day: isoDate(day), ...rest })),
          nextCursor,
        },
        200,
      );
    },
  ),
];
