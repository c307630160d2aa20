/**
 * The two forms of the ingest statements: for many rows, and for one. A single capture is the commonest request, and
 * without a pass over an array and a window function it reads half the rows.
 */

/**
 * How to read ?5: an array with a pass over its rows, or the one row that it is, which costs no pass. Where it holds many
 * rows by the name of a user or an account, as an object, those of a name are unpacked only where they are needed: mostly
 * there is nothing to do for it, which its row in the database tells.
 */
export const FORMS = {
  many: {
    value: "h.value",
    each: "json_each(?5) h CROSS JOIN ",
    andEach: " CROSS JOIN json_each(?5) h",
    next: "row_number() OVER ()",
    andEachName: " CROSS JOIN json_each(?5) e",
    accountId: "e.key",
    userId: "e.key",
    users: "json_each(?5) e CROSS JOIN users u CROSS JOIN json_each(e.value) h",
  },
  one: {
    value: "?5",
    each: "",
    andEach: "",
    next: "1",
    andEachName: "",
    accountId: "?5 ->> 4",
    userId: "?5 ->> 3",
    users: "users u",
  },
} as const;
export type Form = (typeof FORMS)[keyof typeof FORMS];

/**
 * SQL as it goes to D1: each request carries its statements, and indentation is a third of them. No literal of theirs
 * has more than one blank together.
 */
export const oneLine = (parts: TemplateStringsArray, ...values: string[]): string =>
  String.raw(parts, ...values)
    .replaceAll(/\s+/g, " ")
    .trim();

/** The places in a row of ?5. */
export const headOf = ({ value }: Form) =>
  ({
    position: `${value} ->> 0`,
    messageId: `${value} ->> 1`,
    type: `${value} ->> 2`,
    userId: `${value} ->> 3`,
    accountId: `${value} ->> 4`,
    /** The place in the order of occurredAt, ties by position: unique within the request. */
    rank: `${value} ->> 5`,
    // From here on only in the rows of the append.
    occurredAt: `${value} ->> 6`,
    event: `${value} ->> 7`,
    attributes: `${value} ->> 8`,
    properties: `${value} ->> 9`,
    mapping: `${value} ->> 10`,
  }) as const;

const isFresh = (messageId: string) => `NOT EXISTS (
  SELECT 1 FROM messages WHERE workspace = ?1 AND source = ?2 AND message_id = ${messageId})`;

/** Whether the message is not in the log yet. */
export const freshIn = (form: Form) => isFresh(headOf(form).messageId);

/** Whether a fresh message names the account or user: of many messages it is asked once for each name. */
export const namedIn = (form: Form, name: "accountId" | "userId") =>
  form === FORMS.one
    ? `${form[name]} IS NOT NULL AND ${freshIn(form)}`
    : `iif(e.type = 'text', ${isFresh("e.value")}, EXISTS (SELECT 1 FROM json_each(e.value) m WHERE ${isFresh("m.value")}))`;

/** The workspace, unless it is being erased. */
export const LIVE_WORKSPACE = "(SELECT number FROM workspaces WHERE number = ?1 AND erased_at IS NULL) w";

/** The key of the workspace's newest message; where retention deleted that one too, the watermark: no number comes twice. */
export const LAST_SEQ = `coalesce(
    (SELECT max(seq) FROM messages WHERE seq > ?1 << 32 AND seq < (?1 + 1) << 32),
    (SELECT watermark FROM folds WHERE workspace = ?1),
    ?1 << 32
  )`;
