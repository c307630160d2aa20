/** Calls the service as a friendly client does, and notes what is not as documented. */
import * as z from "zod";

const Paged = z.looseObject({ nextCursor: z.string().nullable() });
/** Of a list; they are many. */
const MOST_PAGES = 100;
const MAX_TOLD_CHARS = 1_000;

export class Visitor {
  readonly problems: string[] = [];
  readonly #url: URL;
  readonly #key: string;

  constructor(url: URL, key: string) {
    this.#url = url;
    this.#key = key;
  }

  /** @returns the answer, or nothing where it is not what it should be, which is noted */
  async call<Schema extends z.ZodType>(
    schema: Schema,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<z.output<Schema> | undefined> {
    const response = await fetch(new URL(path, this.#url), {
      method,
      headers: { authorization: `Bearer ${this.#key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = response.status === 200 ? schema.safeParse(JSON.parse(text)) : undefined;
    if (parsed?.success !== true) {
      const problem = parsed?.error.message ?? text;
      this.problems.push(`${method} ${path} answers ${response.status}: ${problem.slice(0, MAX_TOLD_CHARS)}`);
    }
    return parsed?.data;
  }

  /** Reads a list page by page. */
  async walk(schema: z.ZodType, path: string): Promise<void> {
    let cursor = "";
    for (let page = 0; page < MOST_PAGES; page++) {
      const query = `${path.includes("?") ? "&" : "?"}limit=200${cursor === "" ? "" : `&cursor=${cursor}`}`;
      const read = await this.call(schema, "GET", path + query);
      const next = Paged.safeParse(read).data?.nextCursor ?? null;
      if (next === null) return;
      cursor = next;
    }
  }
}
