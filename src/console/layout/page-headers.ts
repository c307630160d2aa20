import { secureHeaders } from "hono/secure-headers";

/** Pages are made of what this Worker serves and of nothing else: no script, style or picture from elsewhere, none inline. */
export const pageHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  referrerPolicy: "same-origin",
  crossOriginOpenerPolicy: "same-origin",
  crossOriginResourcePolicy: "same-origin",
  strictTransportSecurity: "max-age=15552000",
  xFrameOptions: "DENY",
});
