/** One operation of the API: where it is, who may call it, what it takes, and all that it may answer. */
import type * as z from "zod";

import type { Scope } from "../../../core/api-key.ts";
import type { ErrorCode } from "../../../edge/error-codes.ts";

export interface Operation {
  /** By path, with its parameters as `{id}`: what the operation is called there. */
  at: Readonly<Record<string, string>>;
  method: "get" | "post" | "put" | "patch" | "delete" | "options";
  tag: "Ingest" | "Identity" | "Reads" | "Outcomes" | "Questions" | "Administration" | "Service";
  summary: string;
  description?: string;
  /** A scope that the key needs, the admin token, or nothing. */
  access: Scope | "admin" | null;
  /** Of the parameters that stand in the path. */
  parameters?: Readonly<Record<string, string>>;
  query?: z.ZodObject;
  /** By name, what each is for. */
  requestHeaders?: Readonly<Record<string, { description: string; maxLength: number }>>;
  body?: { schema: z.ZodType; example: unknown; description?: string };
  /** Of a success. */
  answer: {
    status: number;
    description: string;
    /** Absent where there is no body. */
    schema?: z.ZodType;
    examples?: Readonly<Record<string, unknown>>;
  };
  /** Whether the write limit is asked, and answers may carry what it said. */
  limited?: boolean;
  errors: readonly ErrorCode[];
}

/** Whatever looks something up may find the database or the object out of reach. */
export const FAULTS = ["internal", "unavailable"] as const;
export const KEYED = ["unauthorized", "forbidden", ...FAULTS] as const;
/** Where the deployment has no admin token, nothing of the administration is there. */
export const ADMIN = ["unauthorized", "not_found", ...FAULTS] as const;
/** Of calls that take nothing but JSON, and say so. */
export const JSON_BODY = [
  "invalid_json",
  "invalid_request",
  "message_too_large",
  "unsupported_encoding",
  "unsupported_media_type",
] as const;
export const INGEST = [...KEYED, "invalid_json", "invalid_request", "unsupported_encoding", "rate_limited"] as const;

export const OR_INTERNAL_ID = "The sender's id, or the one made here.";
