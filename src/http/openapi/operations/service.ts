/** The service itself: docs/wire.md §1. */
import { done, object } from "../answers/shapes.ts";
import { FAULTS, type Operation } from "./operation.ts";

const service = { method: "get", tag: "Service", access: null } as const;

export const SERVICE: readonly Operation[] = [
  {
    ...service,
    at: { "/healthz": "checkLiveness" },
    summary: "Does the Worker run?",
    answer: { status: 200, description: "It does.", schema: done },
    errors: [],
  },
  {
    ...service,
    at: { "/readyz": "checkReadiness" },
    summary: "And does the database answer?",
    answer: { status: 200, description: "It does.", schema: done },
    errors: FAULTS,
  },
  {
    ...service,
    at: { "/openapi.json": "describeApi" },
    summary: "This description",
    description: "For anyone, scripts of any origin too; it may be kept for an hour.",
    answer: { status: 200, description: "An OpenAPI 3.1 document.", schema: object },
    errors: [],
  },
];
