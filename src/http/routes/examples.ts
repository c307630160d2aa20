/** Examples that several routes share. Tests send the requests and validate the responses. */
const SUFFIX = "0123456789abcdef01234567";
export const ACCOUNT_REF = { id: `acc_${SUFFIX}`, externalId: "acme" };
export const USER_REF = { id: `usr_${SUFFIX}`, externalId: "u1" };

export const MESSAGES = {
  group: { type: "group", messageId: "m1", userId: "u1", groupId: "acme", traits: { plan: "pro", seats: "25" } },
  identify: { type: "identify", messageId: "m2", userId: "u1", traits: { role: "admin" } },
  track: {
    type: "track",
    messageId: "m3",
    userId: "u1",
    event: "Report Exported",
    properties: { format: "pdf" },
  },
  page: { type: "page", messageId: "m4", userId: "u1" },
};

export const INGESTED = {
  ok: true,
  deduped: false,
  source: "cdp",
  account: ACCOUNT_REF,
  user: USER_REF,
  stored: 3,
  duplicates: 0,
  rejected: [
    {
      index: 3,
      messageId: "m4",
      code: "unsupported_type",
      message: "type must be track, identify or group.",
      path: "type",
    },
  ],
  redacted: [],
};
