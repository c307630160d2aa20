/**
 * The id of each request that `npm start` makes by itself. The Worker logs it, so that those lines can be told from the
 * lines of requests which are news to whoever ran it.
 */
export const OWN_REQUEST_ID = "npm-start";
export const OWN_REQUEST = { "x-request-id": OWN_REQUEST_ID } as const;
