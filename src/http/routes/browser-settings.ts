/** The settings that browser libraries need to start: docs/wire/browsers.md §19. */
import * as z from "zod";

import type { AppContext } from "../../edge/app-context.ts";
import { senderKey } from "../../edge/credentials.ts";
import { response } from "../../edge/named-schemas.ts";
import { text } from "../../edge/responses/fields.ts";
import { route } from "../declare-route.ts";
import { authorizeSender } from "../middleware/write-request.ts";

const MAX_AGE_SECONDS = 300;

const common = { method: "get", tag: "Ingest", access: "browser", anyOrigin: true } as const;

const cache = (c: AppContext) => c.header("Cache-Control", `private, max-age=${MAX_AGE_SECONDS}`);

/** More than one entry of `integrations` would make the library load code from Segment. */
const segmentSettings = response(
  "SegmentSettings",
  z.strictObject({
    integrations: z.strictObject({
      "Segment.io": z.strictObject({ apiKey: text, apiHost: text, protocol: z.enum(["http", "https"]) }),
    }),
    metrics: z.strictObject({ sampleRate: z.literal(0).describe("The library reports nothing to Segment.") }),
  }),
);

/** Without destinations the library loads no code from RudderStack. */
const rudderSettings = response(
  "RudderSettings",
  z.strictObject({
    source: z.strictObject({
      id: text,
      name: text,
      enabled: z.literal(true),
      config: z.strictObject({}),
      destinations: z.array(z.never()).max(0),
    }),
  }),
);

export const browserSettingsRoutes = [
  route(
    {
      ...common,
      paths: { "/v1/projects/{key}/settings": "readSegmentSettings" },
      summary: "Read the settings of Segment's browser library",
      description: "For a browser key. Query parameters are ignored.",
      params: z.object({ key: z.string().meta({ description: "A browser key." }) }),
      response: { status: 200, description: "The settings.", schema: segmentSettings },
    },
    async (c) => {
      const { key } = c.req.valid("param");
      const grant = await authorizeSender(c, key, true);
      if (grant instanceof Response) return grant;
      cache(c);
      const { host, protocol } = new URL(c.req.url);
      const segment = {
        apiKey: key,
        apiHost: `${host}/v1`,
        protocol: protocol === "http:" ? "http" : "https",
      } as const;
      return c.json({ integrations: { "Segment.io": segment }, metrics: { sampleRate: 0 } } as const, 200);
    },
  ),
  route(
    {
      ...common,
      paths: { "/sourceConfig": "readRudderSettings" },
      summary: "Read the settings of RudderStack's browser library",
      description:
        "For a browser key, in `?writeKey=` or as the user name of Basic authentication. Other query parameters are ignored.",
      response: { status: 200, description: "The settings.", schema: rudderSettings },
    },
    async (c) => {
      const grant = await authorizeSender(c, senderKey(c.req.raw.headers) ?? c.req.query("writeKey") ?? null, true);
      if (grant instanceof Response) return grant;
      cache(c);
      const source = { id: grant.keyId, name: "Browser", enabled: true, config: {}, destinations: [] } as const;
      return c.json({ source: { ...source, destinations: [] } }, 200);
    },
  ),
];
