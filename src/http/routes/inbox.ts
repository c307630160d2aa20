/** Reading the inbox, and marking its items. */
import { Hono } from "hono";

import { listItems } from "../../services/inbox.ts";
import {
  dismissItem,
  type Marker,
  type MarkOutcome,
  snoozeItem,
  undismissItem,
  unsnoozeItem,
} from "../../services/inbox.ts";
import { answerJson } from "../../edge/answer.ts";
import { type AppContext, type AppEnv, timed } from "../../edge/context.ts";
import { forgetKey, opens, requireKey } from "../middleware/credentials.ts";
import { failure, unauthorized } from "../../edge/errors.ts";
import { isoOrNull } from "../../edge/present/iso.ts";
import { jsonBody, jsonOnly } from "../middleware/json-body.ts";
import { itemFilters } from "../../edge/schemas/list-queries.ts";
import { listValidator, pageOf, readSortCursor } from "../../edge/page.ts";
import { presentItem } from "../../edge/present/item.ts";
import { operation } from "../../edge/request-log.ts";
import { snoozeRequest } from "../schemas/snooze-request.ts";

const filters = listValidator(itemFilters);

export const inbox = new Hono<AppEnv>()
  .get("/inbox", operation("list_inbox"), requireKey("read"), filters, async (c) => {
    const grant = c.get("grant");
    const { workspace } = grant;
    const { status, kind, limit, cursor } = c.req.valid("query");
    const list = ["inbox", workspace.id, status, kind ?? ""];
    const after = readSortCursor(c, list, cursor);
    if (after instanceof Response) return after;
    const listed = await timed(c, "databaseMs", () =>
      listItems(c.env, workspace, {
        status,
        kind,
        after,
        limit: limit + 1,
        now: Date.now(),
        withIdentity: opens(grant, "identity"),
      }),
    );
    const { page, nextCursor } = pageOf(listed.items, limit, list, ({ position }) => position);
    return answerJson(c, { ok: true, asOf: isoOrNull(listed.asOf), items: page.map(presentItem), nextCursor });
  })
  .post("/inbox/:id/dismiss", operation("dismiss_item"), requireKey("inbox"), async (c) =>
    answer(c, () => dismissItem(c.env, markerOf(c), c.req.param("id"), Date.now())),
  )
  .delete("/inbox/:id/dismiss", operation("take_back_dismissal"), requireKey("inbox"), async (c) =>
    answer(c, () => undismissItem(c.env, markerOf(c), c.req.param("id"))),
  )
  .post(
    "/inbox/:id/snooze",
    operation("snooze_item"),
    requireKey("inbox"),
    jsonOnly,
    jsonBody(snoozeRequest),
    async (c) => {
      const { until } = c.req.valid("json");
      return answer(c, () => snoozeItem(c.env, markerOf(c), c.req.param("id"), until));
    },
  )
  .delete("/inbox/:id/snooze", operation("take_back_snooze"), requireKey("inbox"), async (c) =>
    answer(c, () => unsnoozeItem(c.env, markerOf(c), c.req.param("id"))),
  );

/** Names are shown to keys that have the scopes `read` and `identity`, as in the lists. */
function markerOf(c: AppContext): Marker {
  const grant = c.get("grant");
  return { ...grant, withIdentity: opens(grant, "read") && opens(grant, "identity") };
}

/** The item as it stands once it was marked. */
async function answer(c: AppContext, mark: () => Promise<MarkOutcome>): Promise<Response> {
  const marked = await timed(c, "databaseMs", mark);
  switch (marked.outcome) {
    case "marked":
      return answerJson(c, { ok: true, item: presentItem(marked.item) });
    case "no_such_item":
      return failure(c, "not_found", "There is no such item.");
    case "key_gone":
      forgetKey(c.get("grant").keyId);
      return unauthorized(c);
  }
}
