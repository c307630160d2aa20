/** What people write first: each message becomes an INSERT, without keys, limit, mapping, deduplication or validation. */
import { Hono } from "hono";

interface Message {
  messageId?: string;
  type?: string;
  userId?: string;
  event?: string;
  properties?: Record<string, unknown>;
  timestamp?: string;
}

const INSERT_EVENT = `
INSERT INTO events (message_id, type, user_id, account_id, event, properties, occurred_at, received_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

const app = new Hono<{ Bindings: { DB: D1Database } }>();

app.post("/events", async (c) => {
  await insert(c.env.DB, await c.req.json<Message>()).run();
  return c.json({ ok: true });
});

app.post("/batch", async (c) => {
  const { batch } = await c.req.json<{ batch: Message[] }>();
  await c.env.DB.batch(batch.map((message) => insert(c.env.DB, message)));
  return c.json({ ok: true, stored: batch.length });
});

function insert(database: D1Database, message: Message): D1PreparedStatement {
  const { messageId = null, type = null, userId = null, event = null, properties = {}, timestamp = null } = message;
  const accountId = properties["accountId"] ?? null;
  return database
    .prepare(INSERT_EVENT)
    .bind(messageId, type, userId, accountId, event, JSON.stringify(properties), timestamp, Date.now());
}

export default app;
