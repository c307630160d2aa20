/** Reading what is stored: docs/wire.md §1. */
import { pageQuery } from "../../../edge/schemas/list-queries.ts";
import { events, oneUser, rejected } from "../answers/reads.ts";
import { KEYED, type Operation, OR_INTERNAL_ID } from "./operation.ts";

const read = { method: "get", tag: "Reads", access: "read" } as const;

export const READS: readonly Operation[] = [
  {
    ...read,
    at: { "/api/v1/events": "listEvents" },
    summary: "List events, the newest arrival first",
    query: pageQuery,
    answer: { status: 200, description: "A page of events.", schema: events },
    errors: [...KEYED, "invalid_request"],
  },
  {
    ...read,
    at: { "/api/v1/users/{externalId}": "readUser" },
    summary: "Read a user",
    description: "With the 200 latest memberships.",
    parameters: { externalId: OR_INTERNAL_ID },
    answer: { status: 200, description: "The user.", schema: oneUser },
    errors: [...KEYED, "not_found"],
  },
  {
    ...read,
    at: { "/api/v1/rejected": "listRejected" },
    summary: "List rejected messages, the newest arrival first",
    description: "At most the newest 1,000 of 30 days, without personal data.",
    query: pageQuery,
    answer: { status: 200, description: "A page of rejected messages, and counts by day.", schema: rejected },
    errors: [...KEYED, "invalid_request"],
  },
];
