/** All operations of the API, in the order in which the document has them. The console is none of them. */
import { ADMINISTRATION } from "./administration.ts";
import { IDENTITY } from "./identity.ts";
import { INGESTING } from "./ingest.ts";
import type { Operation } from "./operation.ts";
import { OUTCOMES } from "./outcomes.ts";
import { QUESTIONS } from "./questions.ts";
import { READS } from "./reads.ts";
import { SERVICE } from "./service.ts";

export const OPERATIONS: readonly Operation[] = [
  ...INGESTING,
  ...IDENTITY,
  ...READS,
  ...OUTCOMES,
  ...QUESTIONS,
  ...ADMINISTRATION,
  ...SERVICE,
];
