/** Sends what a client would send, over connections that stay open. */
import { Pool } from "undici";

import type { FuzzRequest } from "../request.ts";
import { HUNG_AFTER_MS, type Outcome } from "./answer.ts";

const TIMEOUTS: ReadonlySet<string> = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);

export class Client implements AsyncDisposable {
  readonly #pool: Pool;

  constructor(origin: URL, connections: number) {
    this.#pool = new Pool(origin, { connections, headersTimeout: HUNG_AFTER_MS, bodyTimeout: HUNG_AFTER_MS });
  }

  async send({ method, target, headers, body }: FuzzRequest): Promise<Outcome> {
    const startedAt = performance.now();
    try {
      const response = await this.#pool.request({ method, path: target, headers: headers.flat(), body });
      const read = Buffer.from(await response.body.arrayBuffer());
      const fields = Object.entries(response.headers).map(([name, value]): [string, string[]] => [
        name.toLowerCase(),
        [value ?? []].flat(),
      ]);
      const answer = { status: response.statusCode, headers: new Map(fields), body: read };
      return { kind: "answered", answers: [answer], ms: performance.now() - startedAt };
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      return TIMEOUTS.has(code) ? { kind: "hung" } : { kind: "closed", problem: `${code} ${String(error)}` };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.destroy();
  }
}
