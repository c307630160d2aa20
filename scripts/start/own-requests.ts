/** Marks the requests of `npm start` itself, so that their lines in the Worker's log can be hidden. */
export const OWN_REQUEST_ID = "npm-start";
export const OWN_REQUEST = { "x-request-id": OWN_REQUEST_ID } as const;
