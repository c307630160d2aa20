/** What people are called, and forgetting them: docs/wire.md §6. */
import { identityRequest } from "../../../core/identity/identity-request.ts";
import { attached } from "../answers/ingest.ts";
import { done } from "../answers/shapes.ts";
import { JSON_BODY, KEYED, type Operation, OR_INTERNAL_ID } from "./operation.ts";

export const IDENTITY: readonly Operation[] = [
  {
    at: { "/api/v1/identity": "attachIdentity", "/api/identity": "attachIdentityUnversioned" },
    method: "post",
    tag: "Identity",
    summary: "Attach identity traits",
    description:
      "The only operation that takes personal data, once the data processing agreement is accepted. `company` needs `accountId`, `name` and `email` need `userId`; at least one of them has to be there. `null` removes one, an absent one stays.",
    access: "identity",
    body: {
      schema: identityRequest,
      example: {
        accountId: "acme",
        userId: "u1",
        traits: { company: "Acme Corp", name: "Jo Doe", email: "jo@acme.example" },
      },
    },
    answer: { status: 200, description: "What is attached now.", schema: attached },
    limited: true,
    errors: [...KEYED, ...JSON_BODY, "dpa_required", "not_found", "rate_limited"],
  },
  {
    at: { "/api/v1/users/{externalId}": "eraseUser" },
    method: "delete",
    tag: "Identity",
    summary: "Erase a user",
    description:
      "Erases ids, traits and the properties of events. What was counted stays, under the internal id. The answer does not tell whether there was such a user. Of a very large log it may be 503: the same call again goes on.",
    access: "identity",
    parameters: { externalId: OR_INTERNAL_ID },
    answer: { status: 200, description: "There is no such user any more.", schema: done },
    errors: KEYED,
  },
];
