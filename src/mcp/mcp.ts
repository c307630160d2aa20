/** `POST /mcp`: the Model Context Protocol for agents, docs/wire/agents.md §24. */
import { Hono } from "hono";
import { createMiddleware } from "hono/factory";

import type { AppEnv } from "../edge/app-context.ts";
import { requireKey } from "../edge/credentials.ts";
import { errorResponse } from "../edge/errors.ts";
import { operation } from "../edge/request-log.ts";
import { serve } from "./serve.ts";

/** A page on another site must not use an agent that runs on the visitor's machine: it could guess the server's address. */
const requireOwnOrigin = createMiddleware<AppEnv>(async (c, next) => {
  const origin = c.req.header("Origin");
  if (origin === undefined || origin === new URL(c.req.url).origin) return next();
  return errorResponse(c, "origin_not_allowed", "Pages of other sites can't call this path.");
});

export const mcpApp = new Hono<AppEnv>()
  .post("/", operation("mcp"), requireOwnOrigin, requireKey("ask", "read", "inbox"), serve)
  .all("/", (c) => {
    c.header("Allow", "POST");
    return errorResponse(c, "method_not_allowed", "Use one of these methods: POST.");
  });
