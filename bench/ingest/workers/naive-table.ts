/** The naive Worker's table. */
export const CREATE_EVENTS = `
CREATE TABLE events (
  id integer PRIMARY KEY, message_id text, type text, user_id text, account_id text, event text, properties text,
  occurred_at text, received_at integer)`;
