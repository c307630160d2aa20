import { createMiddleware } from "hono/factory";
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
  strictTransportSecurity: false,
  xFrameOptions: "DENY",
});

/** A file whose address changes with it. */
export const keptForEver = createMiddleware(async (c, next) => {
  c.header("Cache-Control", "public, max-age=31536000, immutable");
  await next();
});
