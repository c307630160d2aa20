/** Asks by HTTP, and takes the time. */
import type { Case } from "../cases/model.ts";
import type { Service } from "./service.ts";

export interface Evidence {
  kind: string;
  measure: string;
  value: number | string | boolean;
  window?: { from: string; to: string };
}

/** What an answer is judged by; the rest of the response is for the tests of the operation. */
export interface Response200 {
  knows: boolean;
  answer: string | null;
  value?: unknown;
  interpretation: {
    measure: string;
    subject: { type: string; externalId: string; name?: string } | null;
    restated: string;
  } | null;
  window: { from: string; to: string } | null;
  evidence: readonly Evidence[];
  reason: string | null;
  detail?: string;
}

export interface Asked {
  /** `null` where the status is another than 200. */
  response: Response200 | null;
  status: number;
  ms: number;
}

export async function ask(service: Service, { body }: Pick<Case, "body">): Promise<Asked> {
  const start = performance.now();
  const answered = await service.request("/api/v1/ask", body);
  const text = await answered.text();
  const ms = performance.now() - start;
  if (answered.status !== 200) return { response: null, status: answered.status, ms };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is wrong with it is what the evaluation is to find
  return { response: JSON.parse(text) as Response200, status: 200, ms };
}
