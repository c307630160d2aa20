/** All routes of the API, in the order of the OpenAPI document. The console is not part of it. */
import { openApiDocument } from "./openapi/document.ts";
import type { Route } from "./declare-route.ts";
import { accountsRoutes } from "./routes/accounts.ts";
import { agreementRoutes } from "./routes/agreement.ts";
import { archiveRoutes } from "./routes/archive.ts";
import { askRoute } from "./routes/ask.ts";
import { auditRoute } from "./routes/audit.ts";
import { browserSettingsRoutes } from "./routes/browser-settings.ts";
import { captureRoutes } from "./routes/capture.ts";
import { eventsRoutes } from "./routes/events.ts";
import { destinationsRoutes } from "./routes/destinations.ts";
import { databasesRoutes } from "./routes/databases.ts";
import { identityRoute } from "./routes/identity.ts";
import { importsRoutes } from "./routes/imports.ts";
import { inboxRoutes } from "./routes/inbox.ts";
import { keysRoutes } from "./routes/keys.ts";
import { cdpRoutes } from "./routes/cdp.ts";
import { movesRoutes } from "./routes/moves.ts";
import { peopleRoutes } from "./routes/people.ts";
import { queryRoutes } from "./routes/query.ts";
import { recomputeRoutes } from "./routes/recompute.ts";
import { reconcileRoute } from "./routes/reconcile.ts";
import { openApiRoute, probeRoutes } from "./routes/service.ts";
import { usersRoutes } from "./routes/users.ts";
import { workspacesRoutes } from "./routes/workspaces.ts";

export const ROUTES: readonly Route[] = [
  ...captureRoutes,
  ...cdpRoutes,
  ...browserSettingsRoutes,
  identityRoute,
  ...usersRoutes,
  ...eventsRoutes,
  ...archiveRoutes,
  ...accountsRoutes,
  ...inboxRoutes,
  askRoute,
  ...queryRoutes,
  ...destinationsRoutes,
  ...workspacesRoutes,
  ...movesRoutes,
  ...importsRoutes,
  ...keysRoutes,
  ...agreementRoutes,
  ...peopleRoutes,
  ...databasesRoutes,
  ...recomputeRoutes,
  reconcileRoute,
  auditRoute,
  ...probeRoutes,
  openApiRoute(() => openApiDocument(ROUTES)),
];
